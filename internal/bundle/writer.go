package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// Entry is what became of one file in a bundle.
type Entry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Writer packs files into a bundle. The same files in the same order give the
// same bytes. It writes to any io.Writer; the caller sees to it that the file
// appears whole or not at all (package atomicfile).
type Writer struct {
	zip     *zip.Writer
	tar     *tar.Writer
	packer  *parallelWriter
	names   map[string]bool
	entries []Entry
}

// NewWriter starts a bundle.
func NewWriter(w io.Writer, f Format) (*Writer, error) {
	out := &Writer{names: map[string]bool{}}
	var err error
	switch f {
	case Zip:
		out.zip = zip.NewWriter(w)
		out.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return newParallel(w, flateChunk, newDeflate) })
		return out, nil
	case TarGz:
		out.packer, err = newParallel(w, flateChunk, newGzip)
	case TarZst:
		out.packer, err = newParallel(w, zstdChunk, newZstd)
	default:
		return nil, fmt.Errorf("%q is no format of a bundle", f)
	}
	if err != nil {
		return nil, err
	}
	out.tar = tar.NewWriter(out.packer)
	return out, nil
}

// ErrShort says that a file ended before the size that was announced, or could
// not be read on: what it wraps says why. The entry is there; in a tar archive,
// whose headers cannot be changed any more, it is filled up with newlines.
var ErrShort = errors.New("the file became shorter while it was read")

// Add packs one file of exactly size bytes. What r holds beyond that is left
// alone: a trace may grow while it is read. The name must be a clean relative
// path that was not used before.
func (b *Writer) Add(name string, size int64, modified time.Time, r io.Reader) (Entry, error) {
	if err := CheckName(name); err != nil {
		return Entry{}, err
	}
	if b.names[name] {
		return Entry{}, fmt.Errorf("%q is in the bundle already", name)
	}
	b.names[name] = true
	w, err := b.create(name, size, modified)
	if err != nil {
		return Entry{}, fmt.Errorf("add %s: %w", name, err)
	}
	sum := sha256.New()
	buf := make([]byte, 256<<10)
	from := &lastError{r: r}
	n, err := io.CopyBuffer(io.MultiWriter(w, sum), plainReader{io.LimitReader(from, size)}, buf)
	if err == nil && n < size {
		err = ErrShort
		if from.err != nil {
			err = fmt.Errorf("%w: %w", ErrShort, from.err)
		}
		if b.tar != nil {
			err = fmt.Errorf("%w; %d newlines stand for the rest", err, size-n)
			fill, ferr := io.CopyBuffer(io.MultiWriter(w, sum), plainReader{io.LimitReader(newlines{}, size-n)}, buf)
			n += fill
			if ferr != nil {
				err = ferr
			}
		}
	}
	e := Entry{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}
	if err != nil && !errors.Is(err, ErrShort) {
		return e, fmt.Errorf("add %s: %w", name, err)
	}
	b.entries = append(b.entries, e)
	return e, err
}

// lastError ends a file where it cannot be read on, and keeps why.
type lastError struct {
	r   io.Reader
	err error
}

func (l *lastError) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err, err = err, io.EOF
	}
	return n, err
}

// plainReader hides WriteTo, so that the buffer is used.
type plainReader struct{ io.Reader }

type newlines struct{}

func (newlines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

func (b *Writer) create(name string, size int64, modified time.Time) (io.Writer, error) {
	modified = modified.UTC().Truncate(time.Second)
	if b.zip != nil {
		// The format counts from 1980; an unknown time is its first moment, not
		// the month 0 that unzip would print.
		if epoch := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); modified.Before(epoch) {
			modified = epoch
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified}
		h.SetMode(0o600)
		return b.zip.CreateHeader(h)
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: modified}
	if modified.IsZero() || modified.Unix() < 0 {
		h.ModTime = time.Unix(0, 0)
	}
	return b.tar, b.tar.WriteHeader(h)
}

// AddBytes packs a file that is in memory.
func (b *Writer) AddBytes(name string, modified time.Time, data []byte) (Entry, error) {
	return b.Add(name, int64(len(data)), modified, bytes.NewReader(data))
}

// Entries returns what was added so far.
func (b *Writer) Entries() []Entry { return append([]Entry(nil), b.entries...) }

// Close ends the bundle. It must be called, also after an error.
func (b *Writer) Close() error {
	if b.zip != nil {
		return b.zip.Close()
	}
	err := b.tar.Close()
	return errors.Join(err, b.packer.Close())
}
