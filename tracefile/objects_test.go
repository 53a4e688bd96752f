package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestWaitsByObject: obj# counts where it means something; beyond the limit the
// rest is one, and nothing is lost.
func TestWaitsByObject(t *testing.T) {
	var b strings.Builder
	tim := 1_000_000
	for i := range 200 {
		tim += 1000
		fmt.Fprintf(&b, "WAIT #1: nam='db file sequential read' ela= 100 file#=1 block#=2 blocks=1 obj#=%d tim=%d\n", 1+i%100, tim)
		fmt.Fprintf(&b, "WAIT #1: nam='SQL*Net message to client' ela= 1 driver id=1 #bytes=1 p3=0 obj#=7 tim=%d\n", tim+2)
	}
	fmt.Fprintf(&b, "WAIT #1: nam='db file sequential read' ela= 100 file#=1 block#=2 blocks=1 obj#=4294967295 tim=%d\n", tim+200)
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Profile().Events {
		if e.Name != "db file sequential read" {
			if len(e.Objects) > 0 {
				t.Errorf("%s by object: %v", e.Name, e.Objects)
			}
			continue
		}
		var n int64
		for _, o := range e.Objects {
			n += o.Count
		}
		if len(e.Objects) != 65 || n != 200 || e.Objects[0].Count != 2 || e.Objects[0].Total != 200 {
			t.Errorf("%d objects with %d waits, first %+v", len(e.Objects), n, e.Objects[0])
		}
	}
}

// TestAlikeIsNoCopy: behind a ring's marker, records of one moment that are alike
// are no second copy of the ring.
func TestAlikeIsNoCopy(t *testing.T) {
	line := "WAIT #1: nam='db file sequential read' ela= 1 file#=1 block#=2 blocks=1 obj#=7 tim=1000000\n"
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x", strings.NewReader("Trace output buffer of 65536 bytes wrapped 3 times\n"+strings.Repeat(line, 5))); err != nil {
		t.Fatal(err)
	}
	p := a.Profile()
	if n := p.Events[0].Stat.Count; n != 5 || p.DuplicateRecords != 0 {
		t.Errorf("%d waits, %d copies; want 5, 0", n, p.DuplicateRecords)
	}
}
