package report

import (
	"fmt"
	"strings"
)

const (
	waitEvents = 8 // in the text's table of what was waited for
	waitRows   = 5 // for each way of telling
)

// waitsFor tells what was waited for: files, blocks, objects, locks, latches.
func (p *printer) waitsFor() {
	shown := 0
	for i := range p.m.Waits {
		w := &p.m.Waits[i]
		if len(w.For) == 0 && len(w.Objects) == 0 {
			continue
		}
		if shown == 0 {
			p.title("WAITS BY FILE, BLOCK, OBJECT, LOCK AND LATCH")
		}
		if shown++; shown > waitEvents {
			p.f("… of more events in JSON and in the page\n")
			return
		}
		p.f("%s\n", cut(w.Event, p.width))
		for _, t := range w.tables() {
			about := ""
			if t.Estimated {
				about = " (estimated from samples)"
			}
			p.f("  %-36s %9s %12s %6s %11s\n", cut("by "+t.By+about, 36), "waits", "seconds", "%", "max s")
			others := WaitFor{Name: "others"}
			for k := range t.Rows {
				if k < waitRows {
					p.waitFor(w, &t.Rows[k])
				} else {
					others.add(&t.Rows[k])
				}
			}
			if t.Others != nil {
				others.add(t.Others)
			}
			if others.Count > 0 {
				p.waitFor(w, &others)
			}
		}
	}
}

func (p *printer) waitFor(w *Wait, r *WaitFor) {
	name := r.Name
	if r.SQLID != nil {
		name += " = " + *r.SQLID
	}
	p.f("    %-34s %9d %12s %6s %11s\n", cut(name, 34), r.Count, sec(r.TotalUS), percent(float64(r.TotalUS)*100/float64(max(1, w.TotalUS))), sec(r.MaxUS))
}

func (r *WaitFor) add(o *WaitFor) {
	r.Count, r.TotalUS, r.MaxUS = r.Count+o.Count, r.TotalUS+o.TotalUS, max(r.MaxUS, o.MaxUS)
}

// tables are those by parameters and the one by object.
func (w *Wait) tables() []WaitTable {
	out := w.For
	if len(w.Objects) == 0 {
		return out
	}
	o := WaitTable{By: "object"}
	for _, x := range w.Objects {
		r := WaitFor{Name: fmt.Sprintf("obj# %d", x.Object), P1: x.Object, Count: x.Count, TotalUS: x.TotalUS, MaxUS: x.MaxUS}
		if x.Object == 0 {
			r.Name = "others"
			o.Others = &r
			continue
		}
		o.Rows = append(o.Rows, r)
	}
	return append(out[:len(out):len(out)], o)
}

// Tables are what the page shows of it.
func (w Wait) Tables() []WaitTable { return w.tables() }

// durations tells a histogram in a line: how many waits were shorter than that,
// and their share of the time.
func (w *Wait) durations() string {
	if len(w.Histogram) == 0 || w.Count < 2 {
		return ""
	}
	var out []string
	for _, b := range w.Histogram {
		out = append(out, fmt.Sprintf("<%s %d (%.0f%%)", short(b.ToUS), b.Count, float64(b.TotalUS)*100/float64(max(1, w.TotalUS))))
	}
	return strings.Join(out, "  ")
}

// short formats a power of two of us: 512us, 4ms, 2s.
func short(us int64) string {
	switch {
	case us < 1000:
		return n(us) + "us"
	case us < 1_000_000:
		return fmt.Sprintf("%.0fms", float64(us)/1000)
	}
	return fmt.Sprintf("%.0fs", float64(us)/1e6)
}
