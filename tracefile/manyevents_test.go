package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// waitsFor makes waits of one cursor, for so many events one after the other.
func waitsFor(events, waits int) string {
	var b strings.Builder
	for i := range waits {
		fmt.Fprintf(&b, "WAIT #5: nam='event %d' ela= %d p1=1 p2=2 p3=3 obj#=-1 tim=%d\n", i%events, 1+i%events, 1_000_000+50*i)
		if i%100 == 99 {
			fmt.Fprintf(&b, "EXEC #5:c=0,e=40,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=77,tim=%d\n", 1_000_000+50*i+1)
		}
	}
	return b.String()
}

// TestStatementThatWaitsForManyEvents: where a statement's events are found by a
// table, each has its own waits still, also those from before there was one.
func TestStatementThatWaitsForManyEvents(t *testing.T) {
	for _, events := range []int{1, 16, 17, 18, 500} {
		p := analyse(t, []byte(waitsFor(events, 3*500*18)))
		if len(p.Statements) != 1 {
			t.Fatalf("%d statements, want 1", len(p.Statements))
		}
		st := p.Statements[0]
		if len(st.Waits) != events {
			t.Fatalf("%d events of the statement, want %d", len(st.Waits), events)
		}
		for i := range st.Waits {
			w := &st.Waits[i]
			if w.Count != w.Event.Stat.Count || w.Total != w.Event.Stat.Total || w.Max != w.Event.Stat.Max {
				t.Errorf("of %d events, %s has %d waits of %d us, want the event's own %d of %d", events, w.Event.Name, w.Count, w.Total, w.Event.Stat.Count, w.Event.Stat.Total)
			}
		}
	}
}

// BenchmarkManyEvents shows that a wait costs the same however many events its
// statement waits for: MB/s must not fall from 16 to 4,096.
func BenchmarkManyEvents(b *testing.B) {
	for _, events := range []int{16, 256, 4096} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			text := waitsFor(events, 100_000)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a := tracefile.NewAnalyzer(tracefile.Options{})
				if _, err := a.ReadFile("x", strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
				a.Profile()
			}
		})
	}
}
