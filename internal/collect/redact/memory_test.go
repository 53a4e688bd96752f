package redact

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// values are binds of a trace, each another value, that begin in many ways.
type values struct {
	n, next int
	rest    string
}

func (v *values) Read(p []byte) (int, error) {
	for v.rest == "" {
		if v.next == v.n {
			return 0, io.EOF
		}
		v.rest = fmt.Sprintf("BINDS #1:\n Bind#0\n  oacdty=01 avl=20\n  value=\"%08x-Customer-Nam\"\n", uint32(v.next)*2654435761)
		v.next++
	}
	n := copy(p, v.rest)
	v.rest = v.rest[n:]
	return n, nil
}

// What a redactor holds of many distinct values is little more than the values,
// and there is an end to it.
func TestMemoryOfManyValues(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for n, most := range map[int]int64{250_000: 60 << 20, 450_000: 80 << 20} {
		if testing.Short() && n > 250_000 {
			continue
		}
		before := heap()
		r := New([]byte("key"), What{Binds: true, Literals: true})
		if err := r.Learn(&values{n: n}); err != nil {
			t.Fatal(err)
		}
		r.Seal()
		held := heap() - before
		t.Logf("%d values: %.1f MB", n, float64(held)/1e6)
		if held > most || len(r.values) < 250_000 {
			t.Errorf("%d bytes are held for %d values, of which %d are known; at most %d are expected", held, n, len(r.values), most)
		}
		if r.over != (n > 400_000) {
			t.Errorf("of %d values: over %v", n, r.over)
		}
		text, err := io.ReadAll(r.Trace(&values{n: n / 50}))
		if err != nil || strings.Contains(string(text), "Customer") {
			t.Errorf("a value is left, %v", err)
		}
		runtime.KeepAlive(r)
	}
}

// A text is found in any set, the longest of those that stand at one place, with
// the lengths beyond 63 as well, and of sets that are to be so only what is true.
func TestMatcherOfSets(t *testing.T) {
	long := strings.Repeat("ab", 40)
	sets := []map[string]bool{{"abcd": false, "abcdefgh": true, long: true, "xy": true}, {"abcdef-": true, "q": true}}
	for _, c := range []struct {
		text      string
		all, only int // length found at its beginning
	}{
		{"abcd+", 4, 0},
		{"abcdef-+", 7, 7},
		{"abcdefgh", 8, 8},
		{"abcdefgh-", 8, 8},
		{"xy", 2, 2},
		{"xyz", 0, 0},
		{"q", 0, 0},
		{"qq", 0, 0},
		{long + "-", 80, 80},
		{long[:79], 0, 0},
		{"", 0, 0},
		{"a", 0, 0},
		{"ab", 0, 0},
	} {
		for only, want := range map[bool]int{false: c.all, true: c.only} {
			if got := newMatcher(only, sets...).at([]byte(c.text), 0); got != want {
				t.Errorf("%q, only %v: %d, want %d", c.text, only, got, want)
			}
		}
	}
}
