package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Found is what a look into a bundle found: its entries in their order, and
// the manifest when there is one. Nothing is unpacked.
type Found struct {
	Entries  []Entry
	Manifest *Manifest
	Problems []Problem
}

// Problem is something wrong with a bundle.
type Problem struct {
	Name    string `json:"name"` // of the entry; empty: the bundle itself
	Kind    string `json:"kind"` // unsafe_name, twice, not_a_file, damaged, no_manifest, bad_manifest, missing, changed, not_listed
	Message string `json:"message"`
}

func (f *Found) problem(name, kind, format string, args ...any) {
	f.Problems = append(f.Problems, Problem{name, kind, fmt.Sprintf(format, args...)})
}

// maxEntries and maxNames bound the memory that a hostile archive can take: a
// few megabytes of gzip hold gigabytes of names.
const (
	maxEntries = 1 << 20
	maxNames   = 64 << 20
)

// Inspect reads a bundle once, from its first to its last byte, and computes
// the sum of every entry. An error means that it could not be read at all.
func Inspect(ctx context.Context, name string) (*Found, error) {
	f := &Found{}
	seen := map[string]bool{}
	count, names := 0, 0
	err := walk(ctx, name, func(entry string, regular bool, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if count++; count > maxEntries {
			return fmt.Errorf("more than %d entries", maxEntries)
		}
		if names += len(entry); names > maxNames {
			return fmt.Errorf("names of more than %d bytes in all", maxNames)
		}
		if err := CheckName(entry); err != nil {
			f.problem(entry, "unsafe_name", "%v", ErrUnsafeName)
		}
		if seen[entry] {
			f.problem(entry, "twice", "the name is there twice: which of the two is meant cannot be told")
		}
		seen[entry] = true
		if !regular {
			f.problem(entry, "not_a_file", "it is a link, a folder or a device, which no bundle holds")
			return nil
		}
		return f.entry(ctx, entry, r)
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(f.Entries) == 0 {
			return nil, err
		}
		f.problem("", "damaged", "it cannot be read to its end: %v", err)
	}
	if len(f.Entries)+len(f.Problems) == 0 {
		return nil, errors.New("it holds no file")
	}
	return f, nil
}

func (f *Found) entry(ctx context.Context, name string, r io.Reader) error {
	sum := sha256.New()
	var keep bytes.Buffer
	w := io.Writer(sum)
	if name == ManifestName && f.Manifest == nil {
		w = io.MultiWriter(sum, &limited{&keep, maxManifest + 1})
	}
	n, err := io.CopyBuffer(w, plainReader{&interruptible{ctx, r}}, make([]byte, 256<<10))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		f.problem(name, "damaged", "it cannot be read: %v", err)
	}
	f.Entries = append(f.Entries, Entry{name, n, hex.EncodeToString(sum.Sum(nil))})
	if w != io.Writer(sum) && err == nil {
		if f.Manifest, err = ReadManifest(&keep); err != nil {
			f.problem(name, "bad_manifest", "%v", err)
		}
	}
	return nil
}

type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

// limited keeps the first n bytes and swallows the rest.
type limited struct {
	b *bytes.Buffer
	n int
}

func (l *limited) Write(p []byte) (int, error) {
	k := min(len(p), l.n)
	l.b.Write(p[:k])
	l.n -= k
	return len(p), nil
}

// Verify compares a bundle with its manifest.
func Verify(ctx context.Context, name string) (*Found, error) {
	f, err := Inspect(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.Manifest == nil {
		if !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Kind == "bad_manifest" }) {
			f.problem("", "no_manifest", "there is no %s: this is no bundle of ringtrace", ManifestName)
		}
		return f, nil
	}
	have := map[string]Entry{}
	for _, e := range f.Entries {
		have[e.Name] = e
	}
	listed := map[string]Entry{}
	for _, want := range f.Manifest.Contents {
		listed[want.Name] = want
		got, ok := have[want.Name]
		switch {
		case !ok:
			f.problem(want.Name, "missing", "the manifest lists it, the bundle does not hold it")
		case got != want:
			f.problem(want.Name, "changed", "it has %d bytes and the sum %s, the manifest says %d and %s", got.Bytes, got.SHA256, want.Bytes, want.SHA256)
		}
	}
	for _, e := range f.Entries {
		if _, ok := listed[e.Name]; !ok && e.Name != ManifestName {
			f.problem(e.Name, "not_listed", "the manifest does not list it")
		}
	}
	for i := range f.Manifest.Files {
		r := &f.Manifest.Files[i]
		if !r.Status.known() {
			f.problem(ManifestName, "bad_manifest", "row %d of files has the status %.40q", i+1, r.Status)
			continue
		}
		if r.Status != Collected && r.Status != Partial {
			continue
		}
		if r.Name == nil || r.SHA256 == nil || r.Bytes == nil || listed[*r.Name] != (Entry{*r.Name, *r.Bytes, *r.SHA256}) {
			f.problem(ManifestName, "bad_manifest", "row %d of files does not agree with contents", i+1)
		}
	}
	return f, nil
}

// walk hands out the entries of an archive in their order.
func walk(ctx context.Context, name string, visit func(entry string, regular bool, r io.Reader) error) error {
	head, err := firstBytes(name)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte("PK")) {
		return walkZip(name, visit)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	r, done, err := decompress(file)
	if err != nil {
		return err
	}
	defer done()
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return tail(&interruptible{ctx, r})
		}
		if err != nil {
			return err
		}
		if err := visit(h.Name, h.Typeflag == tar.TypeReg, t); err != nil {
			return err
		}
	}
}

// tail reads what stands behind the end mark of a tar archive, where only
// padding belongs: so the last check sums of the compression are looked at, and
// nothing can hide there.
func tail(r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		if len(bytes.Trim(buf[:n], "\x00")) > 0 {
			return errors.New("something follows the end of the archive")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func walkZip(name string, visit func(entry string, regular bool, r io.Reader) error) error {
	z, err := zip.OpenReader(name)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	defer z.Close()
	for _, e := range z.File {
		if err := walkZipEntry(e, visit); err != nil {
			return err
		}
	}
	return nil
}

func walkZipEntry(e *zip.File, visit func(entry string, regular bool, r io.Reader) error) error {
	r, err := e.Open()
	if err != nil {
		return visit(e.Name, true, failing{err})
	}
	defer r.Close()
	return visit(e.Name, e.Mode().IsRegular(), r)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// errNoFile says that a pipe or a device was named: a bundle is read twice.
var errNoFile = errors.New("it is a folder, a pipe or a device: give the name of a file")

func firstBytes(name string) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errNoFile
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

// NewMember makes a member out of something that is not in a container yet.
// open must give the bytes anew each time.
func NewMember(path, name string, size int64, open func() (io.ReadCloser, error)) Member {
	return Member{Path: path, Name: name, Size: size, open: open}
}
