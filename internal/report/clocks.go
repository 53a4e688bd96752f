package report

import (
	"context"
	"fmt"

	"ringtrace/internal/bundle"
	"ringtrace/tracefile"
)

// clocks reads the traces for their clocks alone: bounds of time need them before
// the first record, and in a ring all time stamps stand behind the records. What
// cannot be read here is told of by the reading that counts.
func (l *Loaded) clocks(ctx context.Context, in Input, streams []bundle.Stream, missing map[string]error, opt tracefile.Options) (map[string]tracefile.ClockInfo, error) {
	a := tracefile.NewAnalyzer(tracefile.Options{StoryRows: 1, MaxStatements: opt.MaxStatements})
	in.OnFile = nil
	for _, s := range streams {
		a.StartGroup()
		for _, m := range s.Parts {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if _, bad := missing[m.Path]; bad {
				continue
			}
			if m.Once {
				l.ReadOnce = true
				continue
			}
			_ = l.read(ctx, a, in, m)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := map[string]tracefile.ClockInfo{}
	p := a.Profile()
	l.Covers = covers(p)
	for _, f := range p.Files {
		if f.Clock.Known {
			out[f.Path] = f.Clock
		}
	}
	return out, nil
}

// covers says from when to when the traces are, "" if none tells.
func covers(p *tracefile.Profile) string {
	b := builder{p: p, m: &Model{}}
	b.time()
	t := &b.m.Time
	if t.First == nil || t.Last == nil {
		return ""
	}
	return fmt.Sprintf("%s to %s", shortTime(t.First), shownTime(t.Last))
}
