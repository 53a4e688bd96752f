package bundle

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Member is a file inside a container, or a file by itself.
type Member struct {
	Path string // how it is shown: "b.zip!traces/1/x.trc"
	Name string // its name inside the container, with forward slashes
	Size int64  // bytes as stored; -1 unknown
	Once bool   // a pipe or device: it gives its bytes once, and only forwards
	open func() (io.ReadCloser, error)
}

// Open opens the member and undoes gzip or zstd. The caller closes it.
func (m *Member) Open() (io.ReadCloser, error) {
	rc, err := m.open()
	if err != nil {
		return nil, err
	}
	r, closer, err := decompress(rc)
	if err != nil {
		rc.Close()
		return nil, fmt.Errorf("open %s: %w", m.Path, err)
	}
	return &readCloser{r, func() error { closer(); return rc.Close() }}, nil
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r *readCloser) Close() error { return r.close() }

// Container is an opened input.
type Container struct {
	Members []Member
	Single  bool     // a plain or compressed file, not a container
	Passed  []Passed // what a folder or an archive holds besides, most frequent first
	closers []io.Closer
}

// Close ends the use of the members.
func (c *Container) Close() error {
	var errs []error
	for _, x := range c.closers {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}

// Open looks at what path is and lists its members: those of an archive, or the
// trace files below a folder (links are not followed), or the file itself.
func Open(name string) (*Container, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return openDir(name)
	}
	if !st.Mode().IsRegular() {
		// Looking at its head would take that out of what is read afterwards.
		open := func() (io.ReadCloser, error) { return os.Open(name) }
		return &Container{Members: []Member{{Path: name, Name: path.Base(filepath.ToSlash(name)), Size: -1, Once: true, open: open}}, Single: true}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 512)
	k, _ := io.ReadFull(f, head)
	f.Close()
	head = head[:k]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return openZip(name)
	case isTar(head):
		return openTar(name)
	case isGzip(head), isZstd(head):
		if ok, err := holdsTar(name); err != nil {
			return nil, err
		} else if ok {
			return openTar(name)
		}
	}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	return &Container{Members: []Member{{Path: name, Name: path.Base(filepath.ToSlash(name)), Size: st.Size(), open: open}}, Single: true}, nil
}

// FromReader is the one member that standard input is.
func FromReader(r io.Reader) *Container {
	open := func() (io.ReadCloser, error) { return io.NopCloser(r), nil }
	return &Container{Members: []Member{{Path: "-", Name: "-", Size: -1, Once: true, open: open}}, Single: true}
}

func isGzip(b []byte) bool { return bytes.HasPrefix(b, []byte{0x1f, 0x8b}) }
func isZstd(b []byte) bool { return bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) }
func isTar(b []byte) bool  { return len(b) >= 262 && string(b[257:262]) == "ustar" }

// decompress undoes gzip and zstd, in memory that does not grow with the file.
func decompress(r io.Reader) (io.Reader, func(), error) {
	br := bufio.NewReader(r) // whoever reads much at once passes it by
	head, err := br.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case isGzip(head):
		z, err := gzip.NewReader(bufio.NewReaderSize(br, 64<<10))
		if err != nil {
			return nil, nil, err
		}
		return z, func() { z.Close() }, nil
	case isZstd(head):
		z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return br, func() {}, nil
}

func openDir(root string) (*Container, error) {
	c := &Container{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == root {
				return err
			}
			open := func() (io.ReadCloser, error) { return nil, err }
			c.Members = append(c.Members, Member{Path: p, Name: filepath.ToSlash(p), Size: -1, open: open})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if !d.Type().IsRegular() || !wanted(d.Name()) {
			c.pass(kindOfEntry(d))
			return nil
		}
		size := int64(-1)
		if st, err := d.Info(); err == nil {
			size = st.Size()
		}
		open := func() (io.ReadCloser, error) { return os.Open(p) }
		c.Members = append(c.Members, Member{Path: p, Name: filepath.ToSlash(p), Size: size, open: open})
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.sortPassed()
	return c, nil
}

// wanted tells trace files, the snapshot of cursors, the estimate and the
// manifest from the rest of a folder or bundle.
func wanted(name string) bool {
	base := path.Base(filepath.ToSlash(name))
	return IsTrace(base) || base == CursorsName || base == EstimateName || base == ManifestName
}

// CursorsName is the file of a bundle that lists the sessions' open cursors.
const CursorsName = "cursors.json"

// EstimateName is the file of a bundle that holds what enable told before it
// armed anything.
const EstimateName = "estimate.json"

// IsTrace reports whether a name is that of a trace file, compressed or not.
func IsTrace(name string) bool {
	return strings.EqualFold(path.Ext(plain(name)), ".trc")
}

// plain strips the ending of a compressed file.
func plain(name string) string {
	for _, e := range []string{".gz", ".zst"} {
		if len(name) > len(e) && strings.EqualFold(name[len(name)-len(e):], e) {
			return name[:len(name)-len(e)]
		}
	}
	return name
}

func openZip(name string) (*Container, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	c := &Container{closers: []io.Closer{z}}
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if !wanted(f.Name) {
			c.pass(kindOf(f.Name))
			continue
		}
		c.Members = append(c.Members, Member{Path: name + "!" + f.Name, Name: f.Name, Size: int64(f.UncompressedSize64), open: f.Open})
	}
	c.sortPassed()
	return c, nil
}

// holdsTar reports whether a compressed file is a tar archive.
func holdsTar(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	r, done, err := decompress(f)
	if err != nil {
		return false, fmt.Errorf("open %s: %w", name, err)
	}
	defer done()
	head := make([]byte, 512)
	k, _ := io.ReadFull(r, head)
	return isTar(head[:k]), nil
}

// tarFile reads the members of a tar archive in any order: forward where it
// can, from the start again where it must.
type tarFile struct {
	name string
	f    *os.File
	done func()
	tr   *tar.Reader
	next int // index of the entry that tr.Next returns
}

func openTar(name string) (*Container, error) {
	t := &tarFile{name: name}
	if err := t.rewind(); err != nil {
		return nil, err
	}
	c := &Container{closers: []io.Closer{t}}
	for i := 0; ; i++ {
		h, err := t.tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			// What came before the damage can still be read.
			open := func() (io.ReadCloser, error) { return nil, err }
			c.Members = append(c.Members, Member{Path: name + "!(damaged from here on)", Size: -1, open: open})
			break
		}
		if h.Typeflag != tar.TypeReg {
			if h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink {
				c.pass("link")
			}
			continue
		}
		if !wanted(h.Name) {
			c.pass(kindOf(h.Name))
			continue
		}
		open := func() (io.ReadCloser, error) { return t.entry(i) }
		c.Members = append(c.Members, Member{Path: name + "!" + h.Name, Name: h.Name, Size: h.Size, open: open})
	}
	c.sortPassed()
	return c, t.rewind()
}

func (t *tarFile) rewind() error {
	t.Close()
	f, err := os.Open(t.name)
	if err != nil {
		return err
	}
	r, done, err := decompress(f)
	if err != nil {
		f.Close()
		return fmt.Errorf("open %s: %w", t.name, err)
	}
	t.f, t.done, t.tr, t.next = f, done, tar.NewReader(r), 0
	return nil
}

func (t *tarFile) entry(i int) (io.ReadCloser, error) {
	if i < t.next {
		if err := t.rewind(); err != nil {
			return nil, err
		}
	}
	for {
		if _, err := t.tr.Next(); err != nil {
			return nil, fmt.Errorf("read %s: %w", t.name, err)
		}
		t.next++
		if t.next == i+1 {
			return io.NopCloser(t.tr), nil
		}
	}
}

// Close closes the archive.
func (t *tarFile) Close() error {
	if t.f == nil {
		return nil
	}
	t.done()
	err := t.f.Close()
	t.f = nil
	return err
}
