package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var formats = []Format{Zip, TarGz, TarZst}

// sample is text that compresses, longer than several chunks.
func sample(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString("EXEC #140:c=1,e=")
		b.WriteByte(byte('0' + r.IntN(10)))
		b.WriteString(",p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=")
		for range 10 {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()[:n]
}

type file struct {
	name string
	data []byte
}

// pack makes a bundle with a manifest that agrees with it, and lets change
// break that.
func pack(t *testing.T, f Format, files []file, change func(*Manifest)) string {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, f)
	must(t, err)
	at := time.Date(2026, 11, 30, 3, 4, 5, 0, time.UTC)
	for _, x := range files {
		_, err := w.AddBytes(x.name, at, x.data)
		must(t, err)
	}
	m := &Manifest{Format: f, Contents: w.Entries()}
	for _, e := range w.Entries() {
		m.Files = append(m.Files, File{Via: "local", Name: &e.Name, Bytes: &e.Bytes, SHA256: &e.SHA256, Status: Collected})
	}
	if change != nil {
		change(m)
	}
	doc, err := m.Encode()
	must(t, err)
	_, err = w.AddBytes(ManifestName, at, doc)
	must(t, err)
	must(t, w.Close())
	path := filepath.Join(t.TempDir(), "b."+string(f))
	must(t, os.WriteFile(path, out.Bytes(), 0o600))
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPackedBytesComeBack(t *testing.T) {
	big := sample(zstdChunk*2 + 12345)
	files := []file{{"traces/1/a.trc", big}, {"traces/1/empty.trc", nil}, {"traces/2/a.trc", sample(100)}}
	for _, f := range formats {
		t.Run(string(f), func(t *testing.T) {
			path := pack(t, f, files, nil)
			found, err := Verify(context.Background(), path)
			must(t, err)
			if len(found.Problems) != 0 || len(found.Entries) != 4 {
				t.Fatalf("entries %v, problems %v", found.Entries, found.Problems)
			}
			c, err := Open(path)
			must(t, err)
			defer c.Close()
			if len(c.Members) != len(files)+1 || c.Members[len(files)].Name != ManifestName {
				t.Fatalf("the report would read %d members, want %d and the manifest", len(c.Members), len(files))
			}
			for i, m := range c.Members[:len(files)] {
				r, err := m.Open()
				must(t, err)
				got, err := io.ReadAll(r)
				must(t, err)
				if !bytes.Equal(got, files[i].data) {
					t.Errorf("%s came back with %d bytes, want %d", m.Path, len(got), len(files[i].data))
				}
			}
			again, err := os.ReadFile(pack(t, f, files, nil))
			must(t, err)
			first, err := os.ReadFile(path)
			must(t, err)
			if !bytes.Equal(first, again) {
				t.Error("the same files gave other bytes")
			}
		})
	}
}

func TestVerifyFindsWhatDiffers(t *testing.T) {
	files := []file{{"traces/1/a.trc", sample(5000)}, {"report.json", []byte("{}")}}
	cases := []struct {
		name, kind string
		change     func(*Manifest)
	}{
		{"changed", "changed", func(m *Manifest) { m.Contents[1].SHA256 = strings.Repeat("0", 64) }},
		{"missing", "missing", func(m *Manifest) { m.Contents = append(m.Contents, Entry{Name: "x", SHA256: "0"}) }},
		{"not listed", "not_listed", func(m *Manifest) { m.Contents = m.Contents[:1]; m.Files = m.Files[:1] }},
		{"row disagrees", "bad_manifest", func(m *Manifest) { n := int64(1); m.Files[0].Bytes = &n }},
	}
	for _, f := range formats {
		for _, c := range cases {
			found, err := Verify(context.Background(), pack(t, f, files, c.change))
			must(t, err)
			if len(found.Problems) == 0 || found.Problems[0].Kind != c.kind {
				t.Errorf("%s, %s: problems %v", f, c.name, found.Problems)
			}
		}
	}
}

// Every bit of a bundle matters: whichever byte is changed, verify says so.
func TestVerifyFindsFlippedBytes(t *testing.T) {
	for _, f := range formats {
		path := pack(t, f, []file{{"traces/1/a.trc", sample(3000)}}, nil)
		whole, err := os.ReadFile(path)
		must(t, err)
		step := max(1, len(whole)/60)
		for i := 200; i < len(whole)*2/3; i += step {
			bad := bytes.Clone(whole)
			bad[i] ^= 0x55
			must(t, os.WriteFile(path, bad, 0o600))
			found, err := Verify(context.Background(), path)
			if err == nil && len(found.Problems) == 0 && !sameContents(t, path, sample(3000)) {
				t.Errorf("%s: byte %d of %d changed and verify found nothing", f, i, len(whole))
			}
		}
		must(t, os.WriteFile(path, whole[:len(whole)/2], 0o600))
		if found, err := Verify(context.Background(), path); err == nil && len(found.Problems) == 0 {
			t.Errorf("%s: half a bundle verified", f)
		}
	}
}

// sameContents tells a change in a time stamp or padding from one in a trace.
func sameContents(t *testing.T, path string, want []byte) bool {
	c, err := Open(path)
	if err != nil || len(c.Members) != 2 || c.Members[1].Name != ManifestName {
		return false
	}
	defer c.Close()
	r, err := c.Members[0].Open()
	if err != nil {
		return false
	}
	got, err := io.ReadAll(r)
	return err == nil && bytes.Equal(got, want)
}

// A hostile archive is looked at and named, and nothing is written anywhere.
func TestInspectNamesHostileEntries(t *testing.T) {
	names := []string{"../evil.trc", "/etc/evil", "a/../../evil", `a\..\evil`, "C:/evil", "a//b", "./a"}
	dir := t.TempDir()
	zipped := filepath.Join(dir, "x.zip")
	var zb bytes.Buffer
	zw := zip.NewWriter(&zb)
	var tb bytes.Buffer
	tw := tar.NewWriter(&tb)
	for _, n := range append(names, "twice", "twice") {
		_, err := zw.Create(n)
		must(t, err)
		must(t, tw.WriteHeader(&tar.Header{Name: n, Typeflag: tar.TypeReg}))
	}
	must(t, tw.WriteHeader(&tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}))
	must(t, zw.Close())
	must(t, tw.Close())
	must(t, os.WriteFile(zipped, zb.Bytes(), 0o600))
	tarred := filepath.Join(dir, "x.tar")
	must(t, os.WriteFile(tarred, tb.Bytes(), 0o600))
	for _, path := range []string{zipped, tarred} {
		found, err := Inspect(context.Background(), path)
		must(t, err)
		bad := map[string]string{}
		for _, p := range found.Problems {
			bad[p.Name] = p.Kind
		}
		for _, n := range names {
			if bad[n] != "unsafe_name" {
				t.Errorf("%s: %q is called %q", filepath.Base(path), n, bad[n])
			}
		}
		if bad["twice"] != "twice" {
			t.Errorf("%s: the second file of a name was not told", path)
		}
		if path == tarred && bad["link"] != "not_a_file" {
			t.Errorf("a link is called %q", bad["link"])
		}
	}
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) != 2 {
		t.Errorf("inspecting left %d files", len(left))
	}
}

func TestWriterRefusesBadNames(t *testing.T) {
	w, err := NewWriter(io.Discard, TarZst)
	must(t, err)
	defer w.Close()
	for _, n := range []string{"", "..", "../x", "/x", "a/./b", `a\b`, "a\x00b", "C:x"} {
		if _, err := w.AddBytes(n, time.Time{}, nil); !errors.Is(err, ErrUnsafeName) {
			t.Errorf("%q: %v", n, err)
		}
	}
	_, err = w.AddBytes("x", time.Time{}, nil)
	must(t, err)
	if _, err := w.AddBytes("x", time.Time{}, nil); err == nil {
		t.Error("a name was taken twice")
	}
}

// A file that shrinks while it is read leaves the archive readable.
func TestShortFileIsTold(t *testing.T) {
	for _, f := range formats {
		var out bytes.Buffer
		w, err := NewWriter(&out, f)
		must(t, err)
		if _, err := w.Add("a.trc", 10, time.Time{}, strings.NewReader("abc")); !errors.Is(err, ErrShort) {
			t.Fatalf("%s: %v", f, err)
		}
		_, err = w.AddBytes("b.trc", time.Time{}, []byte("next"))
		must(t, err)
		must(t, w.Close())
		path := filepath.Join(t.TempDir(), "x")
		must(t, os.WriteFile(path, out.Bytes(), 0o600))
		found, err := Inspect(context.Background(), path)
		must(t, err)
		if len(found.Entries) != 2 || found.Entries[1].Bytes != 4 || len(found.Problems) != 0 {
			t.Errorf("%s: entries %v, problems %v", f, found.Entries, found.Problems)
		}
	}
}

func TestFileNameStandsForOneElement(t *testing.T) {
	for in, want := range map[string]string{
		"SHOP1_ora_1.trc": "SHOP1_ora_1.trc", "a b.trc": "a b.trc", "a\nb": "a%0ab", "\xff.trc": "%ff.trc", "..": "%..", "a/b": "a%2fb", "50%": "50%25",
	} {
		got := FileName(in)
		if got != want {
			t.Errorf("FileName(%q) = %q, want %q", in, got, want)
		}
		if err := CheckName("traces/1/" + got); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// Links, whose bytes nobody reads, must not fill the memory with their names.
func TestInspectBoundsNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tar")
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	tw := tar.NewWriter(f)
	long := strings.Repeat("x", 1<<19)
	for i := range maxNames/len(long) + 2 {
		must(t, tw.WriteHeader(&tar.Header{Name: fmt.Sprint(long, i), Typeflag: tar.TypeSymlink, Linkname: "/", Format: tar.FormatPAX}))
	}
	must(t, tw.Close())
	if _, err := Inspect(context.Background(), path); err == nil || !strings.Contains(err.Error(), "names of more than") {
		t.Errorf("an archive of long names: %v", err)
	}
}

// Behind the end mark of a tar archive stand the last check sums, and nothing else.
func TestInspectReadsBehindTheEnd(t *testing.T) {
	whole, err := os.ReadFile(pack(t, TarGz, []file{{"a.trc", sample(1000)}}, nil))
	must(t, err)
	for name, b := range map[string][]byte{
		"cut":    whole[:len(whole)-4],
		"hidden": append(bytes.Clone(whole), gz(t, []byte("hidden"))...),
	} {
		path := filepath.Join(t.TempDir(), "x.tar.gz")
		must(t, os.WriteFile(path, b, 0o600))
		found, err := Inspect(context.Background(), path)
		must(t, err)
		if len(found.Problems) != 1 || found.Problems[0].Kind != "damaged" {
			t.Errorf("%s: problems %v", name, found.Problems)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty.zip")
	must(t, os.WriteFile(empty, nil, 0o600))
	if _, err := Inspect(context.Background(), empty); err == nil {
		t.Error("an empty file is called a bundle without a problem")
	}
}

func TestVerifyKnowsTheStatusWords(t *testing.T) {
	path := pack(t, Zip, []file{{"a.trc", sample(10)}}, func(m *Manifest) { m.Files = append(m.Files, File{Status: "fine"}) })
	found, err := Verify(context.Background(), path)
	must(t, err)
	if len(found.Problems) != 1 || found.Problems[0].Kind != "bad_manifest" {
		t.Errorf("problems %v", found.Problems)
	}
}
