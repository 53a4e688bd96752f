package collect

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Folder reads files that somebody has brought here already: with scp, from
// Amazon RDS (rdsadmin), from an object store. It finds them by name anywhere
// below the folder.
type Folder struct {
	dir   string
	names map[int]string // instance names by inst_id
	files map[string][]Info
	// others are no files, but links, folders, pipes.
	others []leftOut
}

// OpenFolder looks through a folder. names are the instances of the campaign:
// a file of the same name on two instances is told apart by its header, or by
// a folder named after the instance or its number.
func OpenFolder(dir string, names map[int]string) (*Folder, error) {
	f := &Folder{dir: dir, names: names, files: map[string][]Info{}}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == dir {
				return err
			}
			return nil // what cannot be looked into holds nothing for us
		}
		if !d.Type().IsRegular() {
			if strings.Contains(d.Name(), ".tr") {
				f.others = append(f.others, leftOut{d.Name(), whatIs(d.Type())})
			}
			return nil
		}
		info, err := d.Info()
		if err == nil {
			f.files[d.Name()] = append(f.files[d.Name()], infoOf(p, info))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look through %s: %w", dir, err)
	}
	return f, nil
}

// Name implements Source.
func (f *Folder) Name() string { return "folder " + f.dir }

// Direct implements Source.
func (f *Folder) Direct() bool { return true }

// base is the last element of a server's path, of any system.
func base(p string) string {
	if i := strings.LastIndexAny(p, `/\`); i >= 0 {
		return p[i+1:]
	}
	return p
}

// dirOf is a server's path without its last element and the separator.
func dirOf(p string) string { return strings.TrimRight(strings.TrimSuffix(p, base(p)), `/\`) }

// pick chooses the file of an instance among those of one name.
func (f *Folder) pick(inst int, list []Info) (Info, bool) {
	if len(list) == 1 {
		return list[0], true
	}
	for _, i := range list {
		parts := strings.Split(filepath.ToSlash(i.Path), "/")
		if slices.Contains(parts, strconv.Itoa(inst)) || f.names[inst] != "" && slices.Contains(parts, f.names[inst]) {
			return i, true
		}
	}
	for _, i := range list {
		if n := headerInstance(i.Path); n != "" && n == f.names[inst] {
			return i, true
		}
	}
	return Info{}, false
}

// headerInstance reads the instance's name from the header of a trace.
func headerInstance(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	sc := bufio.NewScanner(io.LimitReader(file, 8<<10))
	for sc.Scan() {
		if v, ok := strings.CutPrefix(sc.Text(), "Instance name:"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Open implements Source.
func (f *Folder) Open(_ context.Context, inst int, name string, offset int64) (File, error) {
	list := f.files[base(name)]
	if len(list) == 0 {
		return nil, fmt.Errorf("%s is not below %s: %w", base(name), f.dir, fs.ErrNotExist)
	}
	info, ok := f.pick(inst, list)
	if !ok {
		return nil, fmt.Errorf("%d files are called %s, and none shows that it is of instance %d (put each into a folder named after its instance): %w", len(list), base(name), inst, fs.ErrNotExist)
	}
	file, err := os.Open(info.Path)
	if err != nil {
		return nil, err
	}
	return opened(file, info.Path, offset)
}

// List implements Source. The paths keep the server's folder.
func (f *Folder) List(_ context.Context, inst int, dir, prefix string) ([]Info, error) {
	var out []Info
	for name, list := range f.files {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if i, ok := f.pick(inst, list); ok {
			i.Path = path.Join(dir, name)
			out = append(out, i)
		}
	}
	return out, nil
}
