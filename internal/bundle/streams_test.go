package bundle

import (
	"strings"
	"testing"
)

// TestProblemT01_WhichSegmentsAreGone: a hole is told wherever it is, also before the
// first segment that is here, and one segment is one.
func TestProblemT01_WhichSegmentsAreGone(t *testing.T) {
	for _, c := range []struct {
		files string
		holes map[int]string
	}{
		{"x_10.trc x_8.trc x.trc x_1.trc x_9.trc", map[int]string{0: "segments 2 to 7 of this trace are gone: the server keeps the first and the last four"}},
		{"x_1.trc x_3.trc x.trc", map[int]string{0: "segment 2 of this trace is gone: the server keeps the first and the last four"}},
		{"x_2.trc x_3.trc x.trc", map[int]string{-1: "segment 1 of this trace is gone: the server keeps the first, so fetch it"}},
		{"x_5.trc x_9.trc x.trc", map[int]string{-1: "segments 1 to 4 of this trace are gone: the server keeps the first, so fetch it", 0: "segments 6 to 8 of this trace are gone: the server keeps the first and the last four"}},
		{"x_1.trc x_2.trc x.trc", nil},
		{"x.trc", nil},
	} {
		var members []Member
		for _, f := range strings.Fields(c.files) {
			members = append(members, Member{Path: f})
		}
		streams := Streams(members)
		if len(streams) != 1 {
			t.Fatalf("%s: %d streams", c.files, len(streams))
		}
		if got := streams[0].HoleAfter; len(got) != len(c.holes) {
			t.Errorf("%s: holes %v", c.files, got)
		}
		for at, want := range c.holes {
			if got := streams[0].HoleAfter[at].String(); got != want {
				t.Errorf("%s: %q, want %q", c.files, got, want)
			}
		}
	}
}
