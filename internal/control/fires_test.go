package control

import (
	"testing"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
)

// A database whose clock is an hour behind ours still has its fires: where the
// look begins at the size that the file had at arming, the order of the file
// decides, and the clocks only where that size is not known.
func TestFiresOfAClockThatIsBehind(t *testing.T) {
	armed := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	events := []journal.Event{{Kind: "error", Ora: 1555}}
	found := &sight.Found{Dumps: []sight.Dump{{Codes: []int{1555}, At: armed.Add(-time.Hour), SID: 7, Ser: 9, Offset: 5000}}}
	for _, c := range []struct {
		from int64
		want int
	}{{from: 4000, want: 1}, {from: 0, want: 0}} {
		s := &journal.SessionState{Session: journal.Session{InstID: 1, SID: 7, Serial: 9}, ArmedAt: armed, TraceFrom: c.from}
		if got := len(firesOf(found, s, events)); got != c.want {
			t.Errorf("looked from byte %d: %d fires, want %d", c.from, got, c.want)
		}
	}
}
