package tracefile_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/tracefile"
	"ringtrace/tracefile/reftest"
)

func analyse(tb testing.TB, data []byte) *tracefile.Profile {
	tb.Helper()
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("test.trc", bytes.NewReader(data)); err != nil {
		tb.Fatal(err)
	}
	return a.Profile()
}

func refValues(v tracefile.Values) reftest.Values {
	return reftest.Values{Count: v.Count, CPU: v.CPU, Elapsed: v.Elapsed, Disk: v.Disk, Query: v.Query, Current: v.Current, Rows: v.Rows, Misses: v.Misses}
}

// differences lists every number on which the fast and the slow reader differ.
func differences(p *tracefile.Profile, ref *reftest.Result) []string {
	var out []string
	add := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			out = append(out, fmt.Sprintf("%s: %v, reference %v", what, got, want))
		}
	}
	tables := []struct {
		name string
		got  tracefile.Calls
		want map[string]reftest.Values
	}{
		{"non-recursive", p.Totals.NonRecursive, ref.NonRecursive},
		{"recursive", p.Totals.Recursive, ref.Recursive},
		{"unknown", p.Totals.UnknownCursors, ref.Unknown},
	}
	for _, t := range tables {
		add(t.name+" parse", refValues(t.got.Parse), t.want["parse"])
		add(t.name+" exec", refValues(t.got.Exec), t.want["exec"])
		add(t.name+" fetch", refValues(t.got.Fetch), t.want["fetch"])
	}
	waits := map[string]reftest.Values{}
	for _, e := range p.Events {
		waits[e.Name] = reftest.Values{Count: e.Stat.Count, Elapsed: e.Stat.Total}
	}
	add("waits", waits, ref.Waits)
	// The statements must add up to the totals.
	var sum tracefile.Calls
	for _, st := range p.Statements {
		sum.Add(st.Self)
	}
	var all tracefile.Calls
	all.Add(p.Totals.NonRecursive)
	all.Add(p.Totals.Recursive)
	all.Add(p.Totals.UnknownCursors)
	add("sum of statements", sum, all)
	lob := map[string]reftest.Values{}
	for _, l := range p.Lobs {
		lob[l.Name] = reftest.Values{Count: l.Values.Count, CPU: l.Values.CPU, Elapsed: l.Values.Elapsed}
	}
	add("lob", lob, ref.LOB)
	add("transactions", []int64{p.Commits, p.Rollbacks, p.ReadOnly}, []int64{ref.Commits, ref.Rollbacks, ref.ReadOnly})
	errs := map[int64]int64{}
	for _, e := range p.Errors {
		if e.ORA != 0 {
			errs[e.ORA]++
		}
	}
	add("errors", errs, ref.Errors)
	var withinBetween, totalWaits int64
	for _, e := range p.Events {
		withinBetween += e.Within + e.Between
		totalWaits += e.Stat.Total
	}
	add("within + between", withinBetween, totalWaits)
	return out
}

// TestReference compares every number with the slow reader, for every sample.
func TestReference(t *testing.T) {
	for _, f := range sharedTraces(t) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences(analyse(t, data), reftest.Read(string(data))) {
				t.Error(d)
			}
			crlf := bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
			for _, d := range differences(analyse(t, crlf), reftest.Read(string(data))) {
				t.Error("with CRLF: ", d)
			}
		})
	}
}

// TestReferenceMixes compares on random mixes of samples: stretches of whole
// records, one behind the other.
func TestReferenceMixes(t *testing.T) {
	var samples [][]byte
	for _, f := range sharedTraces(t) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f, "broken") || strings.Contains(f, "cbo") {
			continue
		}
		samples = append(samples, b)
	}
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		var mix []byte
		for range 1 + rng.IntN(4) {
			s := samples[rng.IntN(len(samples))]
			at := recordStarts(s)
			if len(at) < 2 {
				continue
			}
			from := rng.IntN(len(at))
			if rng.IntN(2) == 0 {
				from = 0
			}
			to := min(len(at)-1, from+1+rng.IntN(400))
			mix = append(mix, s[at[from]:at[to]]...)
		}
		if d := differences(analyse(t, mix), reftest.Read(string(mix))); len(d) > 0 {
			name := filepath.Join(t.TempDir(), "mix.trc")
			t.Fatalf("mix %d (%d bytes, %s): %s", i, len(mix), name, strings.Join(d, "\n"))
		}
	}
}

// recordStarts returns the offsets of lines that begin a record.
func recordStarts(b []byte) []int {
	var at []int
	at = append(at, 0)
	inText := false
	for i := 0; i < len(b); {
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			break
		}
		line := b[i : i+j]
		switch {
		case inText:
			inText = !bytes.Equal(line, []byte("END OF STMT"))
		case bytes.HasPrefix(line, []byte("PARSING IN")):
			at = append(at, i)
			inText = true
		case bytes.HasPrefix(line, []byte("EXEC #")), bytes.HasPrefix(line, []byte("WAIT #")), bytes.HasPrefix(line, []byte("FETCH #")),
			bytes.HasPrefix(line, []byte("PARSE #")), bytes.HasPrefix(line, []byte("CLOSE #")):
			at = append(at, i)
		}
		i += j + 1
	}
	return append(at, len(b))
}
