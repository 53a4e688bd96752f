package report

import (
	"context"

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
	for _, f := range a.Profile().Files {
		if f.Clock.Known {
			out[f.Path] = f.Clock
		}
	}
	return out, nil
}
