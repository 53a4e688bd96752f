package collect

import (
	"context"
	"errors"
	"io"
	"time"
)

// Source is a place where the files of a database server can be read. Errors
// wrap fs.ErrNotExist, fs.ErrPermission, ErrEscapes or ErrNotRegular where they
// apply. Paths are as the server has them.
type Source interface {
	// Name says what it is, for the manifest: local, sql, ssh HOST, folder DIR.
	Name() string
	// Direct says that opening a file again is cheap, so that it is not copied
	// before it is packed.
	Direct() bool
	// Open opens a file behind its first offset bytes.
	Open(ctx context.Context, inst int, path string, offset int64) (File, error)
	// List returns the regular files in dir whose names begin with prefix. A
	// folder that is not there has none.
	List(ctx context.Context, inst int, dir, prefix string) ([]Info, error)
}

// File is an open file of a Source.
type File interface {
	io.ReadCloser
	// Info is what was known when it was opened.
	Info() Info
}

// Info describes a file.
type Info struct {
	Path     string
	Size     int64     // bytes; -1 unknown before it was read
	Holes    int64     // bytes that were never written, and are not in Size
	Modified time.Time // zero: unknown
	ID       string    // equal for two names of one file; empty: unknown
}

// ErrEscapes says that a link leads out of the ADR home.
var ErrEscapes = errors.New("a link leads out of the ADR home")

// ErrNotRegular says that the path names a folder, a pipe or a device.
var ErrNotRegular = errors.New("it is not a regular file")

// checker is a Source that can compare what was copied from it with a second
// reading. It may replace the copy by the better one, and says so.
type checker interface {
	Check(ctx context.Context, inst int, path string, copied Copy) (note string, err error)
}

// Copy is a file being staged.
type Copy interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}
