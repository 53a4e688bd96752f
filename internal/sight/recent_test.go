package sight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What is looked at in turn is remembered, what was looked at once is not, in
// bounded memory.
func TestRecentIsBoundedAndKeepsWhatIsUsed(t *testing.T) {
	var r recent[int]
	r.set("kept", 1)
	for i := range 5 * maxRecent {
		r.set(fmt.Sprint(i), i)
		if v, ok := r.get("kept"); !ok || v != 1 {
			t.Fatalf("forgotten after %d others", i)
		}
		if n := len(r.young) + len(r.old); n > 2*maxRecent {
			t.Fatalf("%d are held", n)
		}
	}
	if _, ok := r.get("0"); ok {
		t.Error("what was never asked for again is held")
	}
}

// A pool that churns leaves nothing behind in who looks at its files.
func TestLocalHoldsNoFileOfThePast(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x_ora_1.trc")
	if err := os.WriteFile(path, []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &Local{}
	for i := range 3 * maxRecent {
		p, err := l.Look(context.Background(), File{InstID: 1, Path: path, Ospid: fmt.Sprint(i)}, FromEnd)
		if err != nil || !p.Seen {
			t.Fatal(p.Seen, err)
		}
	}
	if n := len(l.checked.young) + len(l.checked.old); n > 2*maxRecent {
		t.Errorf("%d files are remembered", n)
	}
}
