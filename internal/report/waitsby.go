package report

import (
	"cmp"
	"fmt"
	"slices"

	"ringtrace/tracefile"
)

// maxWaitFor is how many rows of a table of waits a report has.
const maxWaitFor = 10

// waitTables names what the waits of an event were for.
func (b *builder) waitTables(e *tracefile.Event) []WaitTable {
	t := e.Params
	if t == nil {
		return nil
	}
	type namer func(*tracefile.ParamStat) string
	var out []WaitTable
	table := func(by string, list []tracefile.ParamStat, rest tracefile.ParamStat, two bool, name namer) {
		o := WaitTable{By: by, Estimated: t.Sampled, Rows: []WaitFor{}}
		for i := range list {
			s := &list[i]
			if i >= maxWaitFor {
				rest.Count, rest.Total, rest.Max = rest.Count+s.Count, rest.Total+s.Total, max(rest.Max, s.Max)
				continue
			}
			r := WaitFor{Name: name(s), P1: s.P1, Count: s.Count, TotalUS: s.Total, MaxUS: s.Max}
			if two {
				p2 := s.P2
				r.P2 = &p2
			}
			if by == "idn" {
				r.SQLID = b.byHash(s.P1)
			}
			o.Rows = append(o.Rows, r)
		}
		if rest.Count > 0 {
			o.Others = &WaitFor{Name: "others", Count: rest.Count, TotalUS: rest.Total, MaxUS: rest.Max}
		}
		if len(o.Rows) > 0 {
			out = append(out, o)
		}
	}
	plain := func(s *tracefile.ParamStat) string { return n(s.P1) }
	switch t.Kind {
	case tracefile.ParamsBlock:
		table("file", t.First, t.FirstRest, false, func(s *tracefile.ParamStat) string { return "file " + n(s.P1) })
		table("block", t.Second, t.SecondRest, true, func(s *tracefile.ParamStat) string { return fmt.Sprintf("file %d block %d", s.P1, s.P2) })
	case tracefile.ParamsLock:
		table("lock mode", t.First, t.FirstRest, false, lockMode)
		table("lock", t.Second, t.SecondRest, true, func(s *tracefile.ParamStat) string { return s.LockName() })
	case tracefile.ParamsLatch:
		table("latch", t.First, t.FirstRest, false, func(s *tracefile.ParamStat) string { return "latch# " + n(s.P1) })
		table("latch address", t.Second, t.SecondRest, true, func(s *tracefile.ParamStat) string { return fmt.Sprintf("latch# %d at 0x%X", s.P1, uint64(s.P2)) })
	default:
		if t.Name == "handle address" {
			plain = func(s *tracefile.ParamStat) string { return fmt.Sprintf("0x%X", uint64(s.P1)) }
		}
		table(valid(t.Name), t.First, t.FirstRest, false, plain)
	}
	return out
}

// lockModes are the names of an enqueue's modes.
var lockModes = [...]string{"none", "null", "row share", "row exclusive", "share", "share row exclusive", "exclusive"}

func lockMode(s *tracefile.ParamStat) string {
	name, mode, ok := tracefile.LockMode(s.P1)
	switch {
	case !ok:
		return n(s.P1)
	case mode < len(lockModes):
		return fmt.Sprintf("%s mode %d, %s", name, mode, lockModes[mode])
	}
	return fmt.Sprintf("%s mode %d", name, mode)
}

// byHash finds the statement of a hash value, which is what a mutex's idn is for
// a cursor; nil where none or several have it.
func (b *builder) byHash(hash int64) *string {
	var found *string
	for i := range b.m.Statements {
		if s := &b.m.Statements[i]; s.HashValue != nil && *s.HashValue == hash && s.SQLID != nil {
			if found != nil && *found != *s.SQLID {
				return nil
			}
			found = s.SQLID
		}
	}
	return found
}

// buckets are a statement's waits for an event by duration.
func buckets(h *tracefile.Histogram) []Bucket {
	if h == nil {
		return nil
	}
	var out []Bucket
	for i, b := range h {
		if b.Count == 0 {
			continue
		}
		from := int64(1) << i
		if i == 0 {
			from = 0
		}
		out = append(out, Bucket{from, int64(2) << i, b.Count, b.Time})
	}
	return out
}

// joinBuckets adds up two histograms.
func joinBuckets(x, y []Bucket) []Bucket {
	out := slices.Clone(x)
	for _, b := range y {
		if i := slices.IndexFunc(out, func(o Bucket) bool { return o.FromUS == b.FromUS }); i >= 0 {
			out[i].Count += b.Count
			out[i].TotalUS += b.TotalUS
		} else {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(x, y Bucket) int { return cmp.Compare(x.FromUS, y.FromUS) })
	return out
}
