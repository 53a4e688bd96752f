package tracefile_test

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestNoAllocation asserts that lines of calls, waits and bind values allocate
// nothing, in either layer. AllocsPerRun rounds down, so a run is a thousand
// lines.
func TestNoAllocation(t *testing.T) {
	const cursor, lines = 140176600439648, 1000
	binds := "BINDS #140176600439648:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=00 fl2=1000001 frm=00 csi=00 siz=80 off=0\n  kxsbbbfp=7f36fc263fb0  bln=22  avl=03  flg=05\n  value=137\n"
	block := []byte(binds + call("EXEC", cursor, 1, 1, 4000) + call("FETCH", cursor, 1, 1, 4500) + strings.ReplaceAll(call("EXEC", cursor, 0, 1, 5000), ",c=", ",c=1") + waitLine(cursor, "db file sequential read", 7, 5100) +
		waitLine(cursor, "SQL*Net message from client", 70, 5200) + call("FETCH", cursor, 1, 1, 6000) + call("FETCH", cursor, 0, 1, 7000))
	r := tracefile.NewReader(&repeat{block: block, left: 1 << 40})
	scan := func() {
		if !r.Scan() || r.Record().Damage != tracefile.Sound {
			t.Fatal("not a sound record")
		}
	}
	for range 10 * lines {
		scan()
	}
	if n := testing.AllocsPerRun(20, func() {
		for range lines {
			scan()
		}
	}); n != 0 {
		t.Errorf("the line layer allocates %v times in %d lines", n, lines)
	}
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x.trc", strings.NewReader(head19)); err != nil {
		t.Fatal(err)
	}
	for range 100 * lines {
		scan()
		a.Add(r.Record())
	}
	if n := testing.AllocsPerRun(20, func() {
		for range lines {
			scan()
			a.Add(r.Record())
		}
	}); n != 0 {
		t.Errorf("both layers allocate %v times in %d lines", n, lines)
	}
}

// TestNoAllocationOnRealLines counts for each record of a real trace what the two
// layers allocate, once every buffer has grown to the size that it needs.
func TestNoAllocationOnRealLines(t *testing.T) {
	for _, in := range []string{"oravm1_ora_26226_S1.trc", "js122a1_ora_9850.trc", "js122a1_ora_9854.trc", "main.trc"} {
		t.Run(in, func(t *testing.T) {
			r := tracefile.NewReader(newRepeated(t, readShared(t, in), 1<<40))
			a := tracefile.NewAnalyzer(tracefile.Options{})
			if _, err := a.ReadFile("x.trc", strings.NewReader(head19)); err != nil {
				t.Fatal(err)
			}
			for range 1_500_000 {
				r.Scan()
				a.Add(r.Record())
			}
			// The counter is the process's: the runtime's own work is in it, at other
			// lines each time. A line that allocates does so in every attempt.
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			var lines int
			var guilty map[tracefile.Kind]uint64
			for range 4 {
				if lines, guilty = allocating(r, a); lines < 1000 || len(guilty) == 0 {
					break
				}
			}
			if lines < 1000 || len(guilty) > 0 {
				t.Errorf("%d lines of calls and waits; allocations: %v", lines, guilty)
			}
		})
	}
}

// allocating reads 3,000 records and counts what those of calls and waits
// allocate, by kind.
func allocating(r *tracefile.Reader, a *tracefile.Analyzer) (lines int, guilty map[tracefile.Kind]uint64) {
	var before, after runtime.MemStats
	guilty = map[tracefile.Kind]uint64{}
	for range 3000 {
		runtime.ReadMemStats(&before)
		r.Scan()
		a.Add(r.Record())
		runtime.ReadMemStats(&after)
		switch k := r.Record().Kind; k {
		case tracefile.Wait, tracefile.Parse, tracefile.Exec, tracefile.Fetch, tracefile.Close:
			lines++
			if n := after.Mallocs - before.Mallocs; n > 0 {
				guilty[k] += n
			}
		}
	}
	return lines, guilty
}
