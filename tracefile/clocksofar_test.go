package tracefile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestClockSoFar: of a pipe, which is read once, the clock is decided by the stamps so
// far. That is not done anew for each stamp, and a jump is noticed at once all the same.
func TestClockSoFar(t *testing.T) {
	const stamps, every = 6000, 1000
	at := time.Date(2026, 3, 19, 15, 0, 0, 0, time.UTC).UnixMicro()
	var b strings.Builder
	tim, wall, last := int64(5_000_000), at, int64(0)
	for i := range int64(stamps) {
		tim, wall = tim+1000, wall+1000
		if i > 0 && i%every == 0 {
			wall += 3600_000_000
			last = wall
		}
		fmt.Fprintf(&b, "\n*** %s\nEXEC #5:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=%d\n", time.UnixMicro(wall).UTC().Format("2006-01-02T15:04:05.000000+00:00"), tim)
	}
	for _, c := range []struct {
		from, to int64
		want     int64
	}{
		{last, 0, every},
		{last + 500_500, 0, every - 501},
		{0, last - 1800_000_000, stamps - every},
		{at - 1, 0, stamps},
		{wall + 1_000_000, 0, 0},
	} {
		a := NewAnalyzer(Options{From: c.from, To: c.to})
		if _, err := a.ReadFile("-", strings.NewReader(b.String())); err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for _, st := range a.Profile().Statements {
			n += st.Self.Exec.Count
		}
		if n != c.want {
			t.Errorf("from %d to %d: %d executions, want %d", c.from-last, c.to-last, n, c.want)
		}
	}
}
