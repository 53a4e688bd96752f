package sight

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File names a trace file and who writes it.
type File struct {
	InstID int
	Path   string
	Host   string // V$INSTANCE.HOST_NAME; empty: not checked
	Ospid  string // of the process; empty: not checked
}

// Piece is what was appended to a file.
type Piece struct {
	Data []byte
	Next int64 // where the next piece begins
	Size int64
	// Seen is false when nobody can see the file; one that is not there yet is
	// seen.
	Seen bool
	// More: the piece was cut at MaxPiece, the next one is there already.
	More bool
}

// FromEnd asks for the end of a file without what is in it.
const FromEnd = -1

// MaxPiece bounds one piece, in bytes.
const MaxPiece = 8 << 20

// Sight looks at files.
type Sight interface {
	// Refresh is called once before the files are looked at.
	Refresh(ctx context.Context) error
	// Look returns what stands behind offset from; FromEnd tells the end alone.
	// A file that became shorter is read from its beginning.
	Look(ctx context.Context, f File, from int64) (Piece, error)
}

// Local reads files of this host. A path alone proves nothing: the same one may
// exist here and on the database's host, so the header must name that host
// (facts/trace-format.md 2).
type Local struct {
	// Here says that an instance runs on this host, so that a file that is not
	// there was not written yet; nil: nobody knows.
	Here func(inst int) bool

	checked recent[struct{}]
}

// Refresh implements Sight.
func (l *Local) Refresh(context.Context) error { return nil }

// Look implements Sight.
func (l *Local) Look(_ context.Context, f File, from int64) (Piece, error) {
	none := Piece{Next: max(from, 0)}
	if f.Path == "" || !filepath.IsAbs(f.Path) {
		return none, nil
	}
	h, err := os.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		// Not written yet, or on another host.
		none.Seen = l.Here != nil && l.Here(f.InstID)
		return none, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return none, nil // facts/views-and-sqlplus.md 4.1: mode 0640
	}
	if err != nil {
		return none, fmt.Errorf("look at trace file: %w", err)
	}
	defer h.Close() //nolint:errcheck // only read
	if ok, err := l.ours(h, f); !ok || err != nil {
		return none, err
	}
	info, err := h.Stat()
	if err != nil {
		return none, fmt.Errorf("look at trace file: %w", err)
	}
	return read(h, info.Size(), from, f.Path)
}

func read(r io.ReaderAt, size, from int64, path string) (Piece, error) {
	switch {
	case from == FromEnd:
		from = size
	case size < from:
		from = 0
	}
	p := Piece{Next: from, Size: size, Seen: true}
	n := min(size-from, MaxPiece)
	if n == 0 {
		return p, nil
	}
	data := make([]byte, n)
	got, err := r.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return p, fmt.Errorf("read trace file %s: %w", path, err)
	}
	p.Data, p.Next = data[:got], from+int64(got)
	p.More = p.Next < size
	return p, nil
}

// ours checks the header once: node name and process id.
func (l *Local) ours(r io.ReaderAt, f File) (bool, error) {
	key := f.Path + "\x00" + f.Host + "\x00" + f.Ospid
	if _, ok := l.checked.get(key); ok {
		return true, nil
	}
	head := make([]byte, 8<<10)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read trace file %s: %w", f.Path, err)
	}
	if !headerFits(head[:n], f) {
		return false, nil
	}
	l.checked.set(key, struct{}{})
	return true, nil
}

func headerFits(head []byte, f File) bool {
	for _, line := range bytes.Split(head, []byte("\n")) {
		k, v, ok := strings.Cut(string(line), ":")
		if !ok || k != "Node name" || f.Host == "" {
			continue
		}
		if node := strings.TrimSpace(v); node != "" && !sameHost(node, f.Host) {
			return false
		}
		return true
	}
	return len(head) > 0 // Windows names no node
}

// sameHost compares without domain: one of the two often has none.
func sameHost(a, b string) bool {
	a, _, _ = strings.Cut(a, ".")
	b, _, _ = strings.Cut(b, ".")
	return strings.EqualFold(a, b)
}
