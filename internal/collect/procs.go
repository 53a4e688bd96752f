package collect

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Procs looks at the open files of this host's processes. Root is /proc; a
// host without it has no answers. Only processes of one's own user, or all as
// root, can be seen.
type Procs struct{ Root string }

// deletedMark is what Linux appends to the name of an open file that was
// deleted.
const deletedMark = " (deleted)"

// each calls visit with every open file until it returns true.
func (p Procs) each(visit func(pid, link, target string) bool) {
	entries, err := os.ReadDir(p.Root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") != "" {
			continue
		}
		dir := filepath.Join(p.Root, e.Name(), "fd")
		fds, err := os.ReadDir(dir)
		if err != nil {
			continue // another user's
		}
		for _, fd := range fds {
			link := filepath.Join(dir, fd.Name())
			if target, err := os.Readlink(link); err == nil && visit(e.Name(), link, target) {
				return
			}
		}
	}
}

// Holding lists the processes that hold a deleted file open.
func (p Procs) Holding(path string) []string {
	var out []string
	p.each(func(pid, _, target string) bool {
		if target == path+deletedMark && (len(out) == 0 || out[len(out)-1] != pid) {
			out = append(out, pid)
		}
		return false
	})
	return out
}

// Deleted reads files that were deleted but are still open: their bytes are
// there until the process closes them (ORADEBUG CLOSE_TRACE does).
type Deleted struct{ Procs Procs }

// Name implements Source.
func (Deleted) Name() string { return "deleted but open" }

// Direct implements Source.
func (Deleted) Direct() bool { return true }

// Open implements Source.
func (d Deleted) Open(_ context.Context, _ int, path string, offset int64) (File, error) {
	var at string
	d.Procs.each(func(_, link, target string) bool {
		if target == path+deletedMark {
			at = link
		}
		return at != ""
	})
	if at == "" {
		return nil, fmt.Errorf("no process of this host holds %s open: %w", path, fs.ErrNotExist)
	}
	f, err := os.Open(at)
	if err != nil {
		return nil, err
	}
	return opened(f, path, offset)
}

// List implements Source: names of deleted files are not looked for.
func (Deleted) List(context.Context, int, string, string) ([]Info, error) { return nil, nil }
