package journal

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func newBytes(b []byte) io.Reader { return bytes.NewReader(b) }

func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' && i+1 < len(b) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// A crash can cut the file at any byte: what was whole stays, what was torn is
// named, cut off and kept, and the journal goes on.
func TestCutAtEveryByte(t *testing.T) {
	whole, err := os.ReadFile(story(t))
	must(t, err)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	headerLen := bytes.IndexByte(whole, '\n') + 1
	for n := 0; n <= len(whole); n++ {
		wantRecords := bytes.Count(whole[:n], []byte("\n"))
		tail := n - (bytes.LastIndexByte(whole[:n], '\n') + 1)
		c, err := Fold(newBytes(whole[:n]), "cut")
		if n < headerLen {
			if !errors.Is(err, ErrNoHeader) {
				t.Fatalf("cut at %d, inside the header: %v", n, err)
			}
			continue
		}
		must(t, err)
		if c.Records != wantRecords || c.Corrupt() || (len(c.Damage) == 1) != (tail > 0) {
			t.Fatalf("cut at %d: %d records, want %d; damage %+v", n, c.Records, wantRecords, c.Damage)
		}
		// Repair costs four fsyncs: all of the last record, and then some.
		if n < len(whole)-200 && n%9 != 0 && tail > 2 {
			continue
		}
		must(t, os.WriteFile(path, whole[:n], 0o600))
		o, err := Open(path, clock(), OpenOptions{})
		must(t, err)
		if (len(o.Messages) == 1) != (tail > 0) {
			t.Fatalf("cut at %d: messages %q", n, o.Messages)
		}
		must(t, o.Journal.Instance(inst1))
		must(t, o.Journal.Close())
		c, err = Load(path)
		must(t, err)
		want := wantRecords + 1
		if tail > 0 {
			want++
			if len(c.Repairs) != 1 || !bytes.Equal(c.Repairs[0].Text, whole[n-tail:n]) || c.Repairs[0].Offset != int64(n-tail) {
				t.Fatalf("cut at %d: the torn bytes are not in the repair record: %+v", n, c.Repairs)
			}
		}
		if c.Records != want || len(c.Damage) != 0 {
			t.Fatalf("cut at %d, after repair: %d records, want %d; damage %+v", n, c.Records, want, c.Damage)
		}
	}
}

// Damage anywhere but in a torn last line is corruption: reported with the
// offset of the line, never cut off, and all other records are still read.
func TestEveryFlippedByteIsReported(t *testing.T) {
	whole, err := os.ReadFile(story(t))
	must(t, err)
	starts := lineStarts(whole)
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x01
		line := 0
		for line+1 < len(starts) && starts[line+1] <= i {
			line++
		}
		c, err := Fold(newBytes(bad), "f")
		must(t, err)
		if len(c.Damage) == 0 || c.Damage[0].Offset != int64(starts[line]) {
			t.Fatalf("byte %d flipped in the line at %d: damage %+v", i, starts[line], c.Damage)
		}
		lost := 1
		if whole[i] == '\n' && i != len(whole)-1 {
			lost = 2 // two lines became one
		}
		if c.Records != len(starts)-lost {
			t.Fatalf("byte %d flipped: %d records of %d left", i, c.Records, len(starts))
		}
		if torn := c.Damage[0].Torn; torn != (i == len(whole)-1) {
			t.Fatalf("byte %d flipped: torn %v", i, torn)
		}
	}
}

func TestCorruptionNeedsAPerson(t *testing.T) {
	path := story(t)
	whole, err := os.ReadFile(path)
	must(t, err)
	starts := lineStarts(whole)
	bad := bytes.Clone(whole)
	bad[starts[4]+30] ^= 1
	bad = append(bad, `{"v":1,"torn`...)
	must(t, os.WriteFile(path, bad, 0o600))

	_, err = Open(path, clock(), OpenOptions{})
	var ce *CorruptError
	if !errors.As(err, &ce) || ce.Damage[0].Offset != int64(starts[4]) {
		t.Fatalf("open: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, bad) {
		t.Fatal("a refused open changed the file")
	}
	o, err := Open(path, clock(), OpenOptions{AcceptDamage: true})
	must(t, err)
	if len(o.Messages) != 2 {
		t.Errorf("messages: %q", o.Messages)
	}
	must(t, o.Journal.Close())
	after, err := os.ReadFile(path)
	must(t, err)
	if !bytes.HasPrefix(after, bad[:len(whole)]) {
		t.Error("the damaged bytes were not kept in place")
	}
	c, err := Load(path)
	must(t, err)
	if len(c.Damage) != 0 || len(c.Accepted) != 1 || len(c.Repairs) != 2 {
		t.Errorf("after accepting: damage %+v, accepted %+v, repairs %d", c.Damage, c.Accepted, len(c.Repairs))
	}
	o, err = Open(path, clock(), OpenOptions{})
	must(t, err)
	must(t, o.Journal.Close())
}

func TestMissingDoubledAndSwappedLines(t *testing.T) {
	whole, err := os.ReadFile(story(t))
	must(t, err)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	lines = lines[:len(lines)-1]
	join := func(idx ...int) []byte {
		var b []byte
		for _, i := range idx {
			b = append(b, lines[i]...)
		}
		return b
	}
	for name, text := range map[string][]byte{
		"line 3 missing":   join(0, 1, 3, 4),
		"line 2 doubled":   join(0, 1, 1, 2, 3),
		"lines swapped":    join(0, 2, 1, 3),
		"header missing":   join(1, 2, 3),
		"empty line":       append(join(0, 1), append([]byte("\n"), join(2, 3)...)...),
		"two bad lines":    append(join(0, 1), "garbage\nmore\n"...),
		"terminated trash": append(join(0, 1), "garbage\n"...),
		"overlong line":    append(join(0, 1), append(append(bytes.Repeat([]byte("x"), 3*MaxLine), '\n'), join(2, 3)...)...),
	} {
		c, err := Fold(newBytes(text), "f")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !c.Corrupt() {
			t.Errorf("%s: not reported", name)
		}
	}
	if c, err := Fold(newBytes(append(join(0, 1), make([]byte, 4096)...)), "f"); err != nil || c.Corrupt() || len(c.Damage) != 1 {
		t.Errorf("a tail of zero bytes, as some file systems leave it, is torn: %v, %+v", err, c)
	}
}

func TestNewerFormatIsRefusedNotDamaged(t *testing.T) {
	body := `{"v":2,"seq":1,"at":"2026-03-14T02:00:00Z","kind":"campaign","data":{},"prev":""`
	line := fmt.Sprintf("%s,\"sum\":\"%x\"}\n", body, sha256.Sum256([]byte(body)))
	_, err := Fold(newBytes([]byte(line)), "f")
	var ve *VersionError
	if !errors.As(err, &ve) || ve.Version != 2 {
		t.Errorf("got %v", err)
	}
}

// disk is a file that remembers what was synced. syncs=false plants the bug
// that the durability check must find.
type disk struct {
	data   []byte
	synced int
	syncs  bool
	fail   error
}

func (d *disk) Write(p []byte) (int, error) {
	if d.fail != nil {
		n := len(p) / 2
		d.data = append(d.data, p[:n]...)
		return n, d.fail
	}
	d.data = append(d.data, p...)
	return len(p), nil
}

func (d *disk) Sync() error {
	if d.syncs {
		d.synced = len(d.data)
	}
	return nil
}

func (d *disk) Close() error { return nil }

// crash returns what a power failure leaves: what was synced, and keep bytes
// of the rest.
func (d *disk) crash(keep int) []byte {
	return bytes.Clone(d.data[:min(len(d.data), d.synced+keep)])
}

func newOnDisk(d *disk, now func() time.Time) (*Journal, error) {
	line, sum, err := encode(1, now(), KindCampaign, header("c"), "")
	if err != nil {
		return nil, err
	}
	d.data, d.synced = line, len(line) // Create syncs the header by itself
	return newJournal(d, now, 1, sum), nil
}

// durability runs a random campaign and crashes it at a random point: every
// call that returned must be on disk, and nothing may be corrupt.
func durability(t *rapid.T, syncs bool) error {
	d := &disk{syncs: syncs}
	j, err := newOnDisk(d, clock())
	if err != nil {
		return err
	}
	run, err := j.StartRun(Run{Verb: "enable", By: alice})
	if err != nil {
		return err
	}
	wrote := 2
	open := map[Session]bool{}
	for n := rapid.IntRange(0, 12).Draw(t, "sessions"); n > 0; n-- {
		s := Session{InstID: 1, SID: n, Serial: rapid.IntRange(1, 3).Draw(t, "serial")}
		i, err := j.Begin(Intent{Run: run, Op: OpArm, Session: s, Process: p38})
		if err != nil {
			return err
		}
		open[s] = true
		wrote++
		if rapid.Bool().Draw(t, "finish") {
			if err := j.Finish(Outcome{Intent: i, Result: Done}); err != nil {
				return err
			}
			delete(open, s)
			wrote++
		}
	}
	// A last write may be under way when the power fails.
	if rapid.Bool().Draw(t, "tear") {
		d.syncs, d.fail = false, errors.New("power failure")
		if err := j.Observe(Observed{Run: run, Session: s38}); err == nil {
			return errors.New("failed write was not reported")
		}
		if err := j.EndRun(End{Run: run}); err == nil {
			return errors.New("journal went on after a failed write")
		}
	}
	left := d.crash(rapid.IntRange(0, 400).Draw(t, "keep"))
	c, err := Fold(newBytes(left), "f")
	if err != nil {
		return err
	}
	if c.Records < wrote {
		return fmt.Errorf("%d records were acknowledged, %d are on disk", wrote, c.Records)
	}
	if c.Corrupt() {
		return fmt.Errorf("a torn tail reads as corruption: %+v", c.Damage)
	}
	for s := range open {
		if st := c.Find(s); st == nil || st.State != Uncertain {
			return fmt.Errorf("intent for %s is lost", s)
		}
	}
	return nil
}

func TestAcknowledgedRecordsSurviveACrash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := durability(t, true); err != nil {
			t.Fatal(err)
		}
	})
}

// The check above must be able to fail: with fsync planted away it finds it.
func TestMissingFsyncIsCaught(t *testing.T) {
	caught := 0
	rapid.Check(t, func(t *rapid.T) {
		if durability(t, false) != nil {
			caught++
		}
	})
	if caught == 0 {
		t.Error("a journal that never syncs passed the durability check")
	}
}

func TestFirstWriteErrorIsFinal(t *testing.T) {
	d := &disk{syncs: true}
	j, err := newOnDisk(d, clock())
	must(t, err)
	d.fail = errors.New("no space left on device")
	_, err1 := j.StartRun(Run{Verb: "enable"})
	d.fail = nil
	_, err2 := j.StartRun(Run{Verb: "enable"})
	if err1 == nil || !errors.Is(err2, err1) {
		t.Errorf("first %v, then %v", err1, err2)
	}
}

// FuzzReader: no input panics, and every byte is in a record or in damage.
func FuzzReader(f *testing.F) {
	whole, err := os.ReadFile(story(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add([]byte("\n\n{}\n"))
	f.Add([]byte(`{,"sum":"` + string(bytes.Repeat([]byte("0"), 64)) + `"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := NewReader(newBytes(b))
		var n int64
		for r.Next() {
			n += int64(r.Record().Bytes)
		}
		if r.Err() != nil {
			return
		}
		for _, d := range append(r.Damage(), r.Accepted()...) {
			n += d.Bytes
		}
		if n != int64(len(b)) {
			t.Fatalf("%d bytes of %d accounted for", n, len(b))
		}
		_, _ = Fold(newBytes(b), "f")
	})
}
