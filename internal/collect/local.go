package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// Local reads this host's own files.
type Local struct{}

// Name implements Source.
func (Local) Name() string { return "local" }

// Direct implements Source.
func (Local) Direct() bool { return true }

// adrHome splits a path into the ADR home, which no link may leave, and the
// rest (facts/views-and-sqlplus.md 4.1). Outside of an ADR it is the folder.
func adrHome(p string) (home, rest string) {
	p = path.Clean(p)
	for _, sub := range []string{"/trace/", "/incident/"} {
		if i := strings.LastIndex(p, sub); i > 0 {
			return p[:i], p[i+1:]
		}
	}
	return path.Dir(p), path.Base(p)
}

// Open implements Source. What the file holds now is what is read; a file that
// grows is read to where it ended when it was opened.
func (Local) Open(_ context.Context, _ int, name string, offset int64) (File, error) {
	if !path.IsAbs(name) {
		return nil, fmt.Errorf("%q is no absolute path of this system: %w", name, fs.ErrNotExist)
	}
	home, rest := adrHome(name)
	root, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(rest)
	if err != nil {
		return nil, escapes(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, ErrNotRegular)
	}
	// Non-blocking: should a pipe have taken its place, opening does not hang.
	f, err := root.OpenFile(rest, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, escapes(err)
	}
	return opened(f, name, offset)
}

func opened(f *os.File, name string, offset int64) (File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", name, ErrNotRegular)
	}
	if err == nil && offset > 0 {
		_, err = f.Seek(offset, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if offset == 0 {
		if list, ok := extents(f, info); ok {
			return withoutHoles(f, infoOf(name, info), list), nil
		}
	}
	return &localFile{f, infoOf(name, info)}, nil
}

func infoOf(name string, info fs.FileInfo) Info {
	return Info{Path: name, Size: info.Size(), Modified: info.ModTime(), ID: fileID(info)}
}

type localFile struct {
	*os.File
	info Info
}

func (f *localFile) Info() Info { return f.info }

// escapes recognizes what os.Root answers to a link that leads out.
func escapes(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && strings.Contains(p.Err.Error(), "escapes") {
		return fmt.Errorf("%s: %w", p.Path, ErrEscapes)
	}
	return err
}

// List implements Source. Links are not followed.
func (Local) List(_ context.Context, _ int, dir, prefix string) ([]Info, error) {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var out []Info
	for {
		// In slices: a trace folder can hold a million files.
		list, err := d.ReadDir(1024)
		for _, e := range list {
			if !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
				continue
			}
			info, err := e.Info()
			if err != nil {
				continue // vanished meanwhile
			}
			out = append(out, infoOf(path.Join(dir, e.Name()), info))
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}
