// Package adr is where a simulated instance keeps its trace files: in memory
// for `sim:`, in a directory for `sim up`.
package adr

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"
)

// Info describes one file.
type Info struct {
	Path     string
	Size     int64
	Created  time.Time
	Modified time.Time
}

// Store keeps files by their full path. All methods may be called from
// several goroutines.
type Store interface {
	// Append writes p at the end of the file and creates it when needed.
	Append(path string, p []byte, now time.Time) error
	// Size returns the size in bytes; fs.ErrNotExist for no file.
	Size(path string) (int64, error)
	ReadFile(path string) ([]byte, error)
	Rename(from, to string) error
	Remove(path string) error
	// Forbid takes the right to read a file away; it can still be written.
	// Root reads it all the same, where the file system is real.
	Forbid(path string) error
	// List returns the files directly in dir, by name.
	List(dir string) ([]Info, error)
}

// Memory is a Store in memory. The zero value is empty and ready.
type Memory struct {
	mu    sync.Mutex
	files map[string]*memFile
}

type memFile struct {
	data              []byte
	forbidden         bool
	created, modified time.Time
}

// Append implements Store.
func (m *Memory) Append(path string, p []byte, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = map[string]*memFile{}
	}
	f := m.files[path]
	if f == nil {
		f = &memFile{created: now}
		m.files[path] = f
	}
	f.data = append(f.data, p...)
	f.modified = now
	return nil
}

// Size implements Store.
func (m *Memory) Size(path string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[path]
	if f == nil {
		return 0, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return int64(len(f.data)), nil
}

// ReadFile implements Store.
func (m *Memory) ReadFile(path string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[path]
	if f == nil {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	if f.forbidden {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrPermission)
	}
	return append([]byte(nil), f.data...), nil
}

// Forbid implements Store.
func (m *Memory) Forbid(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[path]
	if f == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	f.forbidden = true
	return nil
}

// Rename implements Store.
func (m *Memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[from]
	if f == nil {
		return fmt.Errorf("%s: %w", from, fs.ErrNotExist)
	}
	delete(m.files, from)
	m.files[to] = f
	return nil
}

// Remove implements Store.
func (m *Memory) Remove(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[path] == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	delete(m.files, path)
	return nil
}

// List implements Store.
func (m *Memory) List(dir string) ([]Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Info
	for p, f := range m.files {
		if filepath.Dir(p) == filepath.Clean(dir) {
			out = append(out, Info{Path: p, Size: int64(len(f.data)), Created: f.created, Modified: f.modified})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, nil
}

// Dir is a Store in the file system, restricted to one directory tree.
type Dir struct {
	Root string      // nothing outside is ever touched
	Mode fs.FileMode // of new trace files; Oracle's is 0640 (facts/views-and-sqlplus.md 4.1)
}

func (d *Dir) inside(path string) error {
	rel, err := filepath.Rel(d.Root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return fmt.Errorf("%s is not below %s", path, d.Root)
	}
	return nil
}

// Append implements Store.
func (d *Dir) Append(path string, p []byte, _ time.Time) error {
	if err := d.inside(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, d.Mode)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o750); err == nil {
			f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, d.Mode)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	return errors.Join(err, f.Close())
}

// Size implements Store.
func (d *Dir) Size(path string) (int64, error) {
	if err := d.inside(path); err != nil {
		return 0, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// ReadFile implements Store.
func (d *Dir) ReadFile(path string) ([]byte, error) {
	if err := d.inside(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Rename implements Store.
func (d *Dir) Rename(from, to string) error {
	if err := errors.Join(d.inside(from), d.inside(to)); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Forbid implements Store.
func (d *Dir) Forbid(path string) error {
	if err := d.inside(path); err != nil {
		return err
	}
	return os.Chmod(path, 0o200)
}

// Remove implements Store.
func (d *Dir) Remove(path string) error {
	if err := d.inside(path); err != nil {
		return err
	}
	return os.Remove(path)
}

// List implements Store.
func (d *Dir) List(dir string) ([]Info, error) {
	if err := d.inside(dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Info
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		out = append(out, Info{Path: filepath.Join(dir, e.Name()), Size: st.Size(), Created: st.ModTime(), Modified: st.ModTime()})
	}
	return out, nil
}
