package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Hosts is one Source out of a host for each instance. Hosts that are not tied
// to an instance are asked in turn.
type Hosts struct {
	ByInstance map[int]Source
	Any        []Source
}

// errNoHost says that nobody told where an instance's files are.
var errNoHost = errors.New("its files cannot be read")

// Down says why one of the hosts could not be reached; nil: none was in vain.
func (h Hosts) Down() error {
	for _, s := range append(slices.Collect(maps.Values(h.ByInstance)), h.Any...) {
		if d, ok := s.(interface{ Down() error }); ok && d.Down() != nil {
			return fmt.Errorf("%s: %w", s.Name(), d.Down())
		}
	}
	return nil
}

// Name implements Source.
func (h Hosts) Name() string {
	if len(h.ByInstance)+len(h.Any) == 1 {
		for _, s := range h.of(0) {
			return s.Name()
		}
		for _, s := range h.ByInstance {
			return s.Name()
		}
	}
	return "ssh"
}

// Direct implements Source.
func (h Hosts) Direct() bool { return false }

func (h Hosts) of(inst int) []Source {
	if s := h.ByInstance[inst]; s != nil {
		return []Source{s}
	}
	return h.Any
}

// Open implements Source.
func (h Hosts) Open(ctx context.Context, inst int, path string, offset int64) (File, error) {
	err := fmt.Errorf("no --host is given for instance %d: %w: %w", inst, errNoHost, fs.ErrNotExist)
	for _, s := range h.of(inst) {
		f, oerr := s.Open(ctx, inst, path, offset)
		if oerr == nil {
			return f, nil
		}
		err = oerr
	}
	return nil, err
}

// List implements Source.
func (h Hosts) List(ctx context.Context, inst int, dir, prefix string) (out []Info, err error) {
	for _, s := range h.of(inst) {
		if out, err = s.List(ctx, inst, dir, prefix); len(out) > 0 {
			return out, err
		}
	}
	return out, err
}
