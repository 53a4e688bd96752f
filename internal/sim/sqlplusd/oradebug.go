package sqlplusd

import (
	"context"
	"strings"

	"ringtrace/internal/sim/assume"
)

// cmdOradebug passes the text to the server. Its errors are bare ORA- lines,
// and WHENEVER SQLERROR does not see them (facts/views-and-sqlplus.md 3.4).
func cmdOradebug(in *Interp, ctx context.Context, rest string) error {
	if !in.connected() {
		return nil
	}
	r := in.conn.dbg.Do(ctx, rest)
	for _, l := range r.Lines {
		if l == "Statement processed." && !in.feedbackOn() && !in.c.DB.Assume.On(assume.SuccessLineFeedbackOff) {
			continue
		}
		for _, part := range fold(l) {
			in.out.println(in.localize(part))
		}
	}
	in.step.Changed, in.step.Target, in.step.Process = r.Changed, r.Target, in.conn.dbg.Target()
	if r.Failed && len(r.Lines) > 0 && !in.c.DB.Assume.On(assume.WheneverIgnoresOradebug) {
		in.fail(atoi(strings.TrimLeft(strings.TrimPrefix(r.Lines[0], "ORA-"), "0"), 1))
	}
	return nil
}

// fold wraps ORA-49100 at 80 columns, as SQL*Plus shows it
// (facts/oradebug.md 2.4).
func fold(l string) []string {
	if !strings.HasPrefix(l, "ORA-49100") || len(l) <= 80 {
		return []string{l}
	}
	var out []string
	for len(l) > 80 {
		out = append(out, l[:80])
		l = l[80:]
	}
	return append(out, l)
}
