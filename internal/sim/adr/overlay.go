package adr

import (
	"sync"
	"time"
)

// Overlay reads what another store has and keeps every change in memory.
type Overlay struct {
	Base Store

	mu      sync.Mutex
	mem     Memory
	covered map[string]bool // paths that are in mem, or gone
}

// cover takes a file over from the base. Under the lock.
func (o *Overlay) cover(path string, now time.Time) {
	if o.covered[path] {
		return
	}
	if o.covered == nil {
		o.covered = map[string]bool{}
	}
	o.covered[path] = true
	if data, err := o.Base.ReadFile(path); err == nil {
		_ = o.mem.Append(path, data, now) // memory does not fail
	}
}

// Append implements Store.
func (o *Overlay) Append(path string, p []byte, now time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cover(path, now)
	return o.mem.Append(path, p, now)
}

// Size implements Store.
func (o *Overlay) Size(path string) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.covered[path] {
		return o.mem.Size(path)
	}
	return o.Base.Size(path)
}

// ReadFile implements Store.
func (o *Overlay) ReadFile(path string) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.covered[path] {
		return o.mem.ReadFile(path)
	}
	return o.Base.ReadFile(path)
}

// Rename implements Store.
func (o *Overlay) Rename(from, to string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cover(from, time.Time{})
	o.cover(to, time.Time{})
	return o.mem.Rename(from, to)
}

// Remove implements Store.
func (o *Overlay) Remove(path string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cover(path, time.Time{})
	return o.mem.Remove(path)
}

// Forbid implements Store.
func (o *Overlay) Forbid(path string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cover(path, time.Time{})
	return o.mem.Forbid(path)
}

// List implements Store.
func (o *Overlay) List(dir string) ([]Info, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	out, err := o.mem.List(dir)
	if err != nil {
		return nil, err
	}
	below, err := o.Base.List(dir)
	if err != nil {
		return nil, err
	}
	for _, i := range below {
		if !o.covered[i.Path] {
			out = append(out, i)
		}
	}
	return out, nil
}
