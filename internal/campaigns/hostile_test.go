package campaigns

import (
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
)

// Logs made to cost time or memory are refused or read in a moment.
func TestHostileLogsAreCheap(t *testing.T) {
	b := newBench(t, 1, nil)
	good := b.run("enable_1.sql", healthy())
	head, _, _ := strings.Cut(good, "\n")
	after := func(mark, what string) string { return strings.Replace(good, mark+"\n", mark+"\n"+what, 1) }
	for name, c := range map[string]struct {
		log  string
		want exit.Code
	}{
		"many runs":         {strings.Repeat(head+"\n", 100_000), exit.Failed},
		"endless path":      {after("ringtrace: tracefile", strings.Repeat("/u01/abcdefgh\n", 100_000)), exit.OK},
		"endless dump":      {after("ringtrace: before session", strings.Repeat("942 trace name errorstack\n", 100_000)), exit.OK},
		"wrapped for ever":  {head + "\n" + strings.Repeat("Oracle pid: 4\n", 100_000), exit.OK},
		"one line":          {strings.Repeat("x", 3_000_000), exit.Failed},
		"prompts":           {strings.Repeat("SQL>", 3_000_000), exit.Failed},
		"markers in a line": {strings.Repeat("ringtrace: ", 1_000_000), exit.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 1, nil)
			start := time.Now()
			out, err := b.Import(b.path("manifest.json"), []string{b.write("x.log", c.log)})
			if d := time.Since(start); d > 20*time.Second { // quadratic ones took minutes
				t.Errorf("took %s", d)
			}
			if exit.CodeOf(err) != c.want {
				t.Fatalf("error %v, want code %d", err, c.want)
			}
			if err == nil && len(out.Sessions) != 1 {
				t.Errorf("%d sessions", len(out.Sessions))
			}
		})
	}
}
