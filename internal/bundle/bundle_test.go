package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var names = []string{"traces/1/db1_ora_7.trc", "traces/1/db1_ora_7_10.trc", "traces/1/db1_ora_7_1.trc", "traces/2/other.trc", "report.html", "cursors.json"}

func content(name string) string { return strings.Repeat("text of "+name+"\n", 100) }

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func zipped(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, n := range names {
		w, err := z.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, content(n))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range names {
		c := content(n)
		if err := w.WriteHeader(&tar.Header{Name: n, Size: int64(len(c)), Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatPAX}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, c)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// TestContainers reads every kind of container, judged by content: the names
// end in .bin.
func TestContainers(t *testing.T) {
	for name, data := range map[string][]byte{
		"zip": zipped(t), "tar": tarred(t), "tar.gz": gz(t, tarred(t)), "tar.zst": zst(t, tarred(t)),
	} {
		t.Run(name, func(t *testing.T) {
			p := write(t, "x.bin", data)
			c, err := Open(p)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if len(c.Members) != 5 {
				t.Fatalf("%d members: %v", len(c.Members), c.Members)
			}
			// Backwards, which a tar archive can only do by beginning again.
			for i := len(c.Members) - 1; i >= 0; i-- {
				m := c.Members[i]
				if m.Path != p+"!"+m.Name {
					t.Errorf("path %q", m.Path)
				}
				if got := readAll(t, m); got != content(m.Name) {
					t.Errorf("%s holds %.40q", m.Name, got)
				}
			}
		})
	}
	for name, data := range map[string][]byte{"plain": []byte(content("a")), "gz": gz(t, []byte(content("a"))), "zst": zst(t, []byte(content("a")))} {
		c, err := Open(write(t, "x.trc", data))
		if err != nil {
			t.Fatal(err)
		}
		if !c.Single || len(c.Members) != 1 || readAll(t, c.Members[0]) != content("a") {
			t.Errorf("%s is not read as one file", name)
		}
		in := FromReader(bytes.NewReader(data))
		if got := readAll(t, in.Members[0]); got != content("a") {
			t.Errorf("%s from standard input holds %.40q", name, got)
		}
	}
}

func readAll(t *testing.T, m Member) string {
	t.Helper()
	rc, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	b, err := io.ReadAll(rc)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFolderFollowsNoLinks(t *testing.T) {
	dir := t.TempDir()
	outside := write(t, "secret.trc", []byte("x"))
	if err := os.Symlink(outside, filepath.Join(dir, "link.trc")); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"a b.trc", "c\nd.trc", "e.TRC", "f.trm", "g.trc.gz"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range c.Members {
		got = append(got, filepath.Base(m.Path))
	}
	if want := []string{"a b.trc", "c\nd.trc", "e.TRC", "g.trc.gz"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDamagedContainers must not lose what comes before the damage.
func TestDamagedContainers(t *testing.T) {
	whole := tarred(t)
	c, err := Open(write(t, "x.tar", whole[:len(whole)/2]))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(c.Members) < 2 || readAll(t, c.Members[0]) != content(names[0]) {
		t.Errorf("members of a cut archive: %v", c.Members)
	}
	if _, err := Open(write(t, "x.zip", zipped(t)[:300])); err == nil {
		t.Error("a cut zip file is opened")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
}

func TestProblemT01_SegmentsInOrderWithAHole(t *testing.T) {
	var members []Member
	for _, n := range []string{"x.trc", "x_1.trc", "x_10.trc", "x_8.trc", "x_9.trc", "db1_ora_4711.trc", "x_ident.trc", "y_3.trc"} {
		members = append(members, Member{Path: "d/" + n, Name: n})
	}
	streams := Streams(members)
	if len(streams) != 4 {
		t.Fatalf("%d streams", len(streams))
	}
	var order []string
	for _, m := range streams[0].Parts {
		order = append(order, m.Name)
	}
	if got := strings.Join(order, " "); got != "x_1.trc x_8.trc x_9.trc x_10.trc x.trc" {
		t.Errorf("order %s", got)
	}
	if h := streams[0].HoleAfter; len(h) != 1 || h[0] != (Hole{1, 8}) {
		t.Errorf("holes %v", h)
	}
}

func TestReadCursors(t *testing.T) {
	for _, text := range []string{
		`[{"sql_id":"a","plan_hash_value":7,"text":"select 1"}]`,
		`{"cursors":[{"sql_id":"a","plan_hash_value":7,"text":"select 1","more":true}]}`,
	} {
		got, err := ReadCursors(strings.NewReader(text))
		if err != nil || len(got) != 1 || got[0].SQLID != "a" || got[0].PlanHash != 7 || got[0].Text != "select 1" {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	if _, err := ReadCursors(strings.NewReader("{")); err == nil {
		t.Error("broken JSON is taken")
	}
}

// A pipe, such as a shell's <(…), gives its bytes once: a look at its head
// would take the trace's header away.
func TestPipeIsReadWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skipf("SKIPPED (1): no mkfifo here: %v", err)
	}
	want := content("pipe")
	go func() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, _ = f.Write(gz(t, []byte(want)))
			f.Close()
		}
	}()
	c, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(c.Members) != 1 || !c.Members[0].Once {
		t.Fatalf("members %+v", c.Members)
	}
	if got := readAll(t, c.Members[0]); got != want {
		t.Errorf("the pipe gave %d bytes, want %d", len(got), len(want))
	}
}
