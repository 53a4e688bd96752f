package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Comparison is two reports side by side.
type Comparison struct {
	A          string           `json:"a"`
	B          string           `json:"b"`
	ElapsedA   int64            `json:"elapsed_a_us"`
	ElapsedB   int64            `json:"elapsed_b_us"`
	Statements []StatementDelta `json:"statements"`
	Waits      []WaitDelta      `json:"waits"`
	Errors     []ErrorDelta     `json:"errors"`
	Hits       []Hit            `json:"hit_against_miss"`
	Selection  []string         `json:"selection"` // what was asked for, of both
}

// StatementDelta is a statement in both, or in one. Tags name what changed.
type StatementDelta struct {
	SQLID  *string  `json:"sql_id"`
	Text   *string  `json:"text"`
	Tags   []string `json:"tags"`
	ExecsA int64    `json:"executions_a"`
	ExecsB int64    `json:"executions_b"`
	SelfA  int64    `json:"elapsed_self_a_us"`
	SelfB  int64    `json:"elapsed_self_b_us"`
	PerA   int64    `json:"per_execution_a_us"`
	PerB   int64    `json:"per_execution_b_us"`
	Detail []string `json:"detail"`
	name   string
}

// WaitDelta is an event in both.
type WaitDelta struct {
	Event  string `json:"event"`
	CountA int64  `json:"count_a"`
	CountB int64  `json:"count_b"`
	TotalA int64  `json:"total_a_us"`
	TotalB int64  `json:"total_b_us"`
}

// ErrorDelta counts an error in both.
type ErrorDelta struct {
	ORA    int64 `json:"ora"`
	CountA int64 `json:"count_a"`
	CountB int64 `json:"count_b"`
}

// Compare compares two reports: plans that changed, waits that are new, bind
// types that differ, reads that became hits and the other way, new errors.
func Compare(nameA string, a *Model, nameB string, b *Model) *Comparison {
	c := &Comparison{
		A: nameA, B: nameB, ElapsedA: a.Time.ElapsedUS, ElapsedB: b.Time.ElapsedUS,
		Statements: []StatementDelta{}, Waits: []WaitDelta{}, Errors: []ErrorDelta{}, Hits: []Hit{},
		Selection: append([]string{}, a.Selection...),
	}
	inB := map[string]*Statement{}
	for i := range b.Statements {
		inB[identity(&b.Statements[i])] = &b.Statements[i]
	}
	for i := range a.Statements {
		s := &a.Statements[i]
		k := identity(s)
		c.statement(s, inB[k])
		delete(inB, k)
	}
	for i := range b.Statements {
		if s := &b.Statements[i]; inB[identity(s)] == s {
			c.statement(nil, s)
		}
	}
	slices.SortStableFunc(c.Statements, func(x, y StatementDelta) int {
		return cmp.Compare(abs(y.SelfB-y.SelfA), abs(x.SelfB-x.SelfA))
	})
	c.waits(a, b)
	for _, e := range a.ErrorCount {
		c.Errors = append(c.Errors, ErrorDelta{e.ORA, e.Count, countOf(b.ErrorCount, e.ORA)})
	}
	for _, e := range b.ErrorCount {
		if countOf(a.ErrorCount, e.ORA) == 0 {
			c.Errors = append(c.Errors, ErrorDelta{e.ORA, 0, e.Count})
		}
	}
	c.hits("a", a, b)
	c.hits("b", b, a)
	return c
}

func abs(v int64) int64 { return max(v, -v) }

func countOf(list []ErrorCount, ora int64) int64 {
	for _, e := range list {
		if e.ORA == ora {
			return e.Count
		}
	}
	return 0
}

// identity tells a statement apart in both traces: by SQL id, else by text,
// else by plan. A cursor number means nothing in another trace.
func identity(s *Statement) string {
	switch {
	case s.SQLID != nil:
		return "id " + *s.SQLID
	case s.Text != nil:
		return "text " + *s.Text
	case len(s.PlanHashes) > 0:
		return fmt.Sprint("plan ", s.PlanHashes[0])
	}
	return "cursor " + s.Name
}

func (c *Comparison) statement(a, b *Statement) {
	d := StatementDelta{Tags: []string{}, Detail: []string{}}
	one := a
	if one == nil {
		one = b
	}
	d.SQLID, d.Text, d.name = one.SQLID, one.Text, one.Name
	if a != nil {
		d.ExecsA, d.SelfA = a.Exec.Count, a.ElapsedSelfUS
		d.PerA = a.ElapsedSelfUS / max(1, a.Exec.Count)
	}
	if b != nil {
		d.ExecsB, d.SelfB = b.Exec.Count, b.ElapsedSelfUS
		d.PerB = b.ElapsedSelfUS / max(1, b.Exec.Count)
	}
	tag := func(name, format string, args ...any) {
		d.Tags = append(d.Tags, name)
		d.Detail = append(d.Detail, fmt.Sprintf(format, args...))
	}
	switch {
	case b == nil:
		tag("only_a", "runs only in A")
	case a == nil:
		tag("only_b", "runs only in B")
	default:
		c.changes(a, b, tag)
	}
	c.Statements = append(c.Statements, d)
}

func (c *Comparison) changes(a, b *Statement, tag func(string, string, ...any)) {
	if len(a.PlanHashes) > 0 && len(b.PlanHashes) > 0 && !slices.Equal(a.PlanHashes, b.PlanHashes) {
		tag("plan_change", "plan %v became %v", a.PlanHashes, b.PlanHashes)
	}
	for _, w := range b.Waits {
		// How long the client thought is no change of the statement.
		if w.Class != "idle" && !slices.ContainsFunc(a.Waits, func(o Wait) bool { return o.Event == w.Event }) && w.TotalUS > 1000 {
			tag("new_wait", "waits for %s in B only: %s, %s", w.Event, count(w.Count, "time"), seconds(w.TotalUS))
		}
	}
	if len(a.BindTypes) > 0 && len(b.BindTypes) > 0 && !slices.Equal(a.BindTypes, b.BindTypes) {
		tag("bind_shape", "bind types %s became %s", strings.Join(a.BindTypes, ","), strings.Join(b.BindTypes, ","))
	}
	readsA, readsB := per(a.Exec.Disk+a.Fetch.Disk, a), per(b.Exec.Disk+b.Fetch.Disk, b)
	switch {
	case readsB > 2*readsA && readsB-readsA >= 1:
		tag("io_increase", "%.1f reads an execution became %.1f: blocks are no longer found in memory, or there are more of them", readsA, readsB)
	case readsA > 2*readsB && readsA-readsB >= 1:
		tag("io_decrease", "%.1f reads an execution became %.1f", readsA, readsB)
	}
	getsA, getsB := per(a.Exec.Query+a.Fetch.Query+a.Exec.Current+a.Fetch.Current, a), per(b.Exec.Query+b.Fetch.Query+b.Exec.Current+b.Fetch.Current, b)
	if getsB > 2*getsA && getsB-getsA >= 10 || getsA > 2*getsB && getsA-getsB >= 10 {
		tag("gets_change", "%.1f gets an execution became %.1f", getsA, getsB)
	}
	missA, missB := a.Parse.Misses+a.Exec.Misses, b.Parse.Misses+b.Exec.Misses
	if missA == 0 && missB > 0 {
		tag("hard_parse", "the library cache was missed in B (%s), not in A", count(missB, "time"))
	} else if missB == 0 && missA > 0 {
		tag("cache_hit", "the library cache was missed in A (%s), not in B", count(missA, "time"))
	}
	if a.Errors == 0 && b.Errors > 0 {
		tag("new_error", "%s in B, none in A", count(b.Errors, "error"))
	}
}

func per(v int64, s *Statement) float64 { return float64(v) / float64(max(1, s.Exec.Count)) }

func (c *Comparison) waits(a, b *Model) {
	for _, w := range a.Waits {
		d := WaitDelta{Event: w.Event, CountA: w.Count, TotalA: w.TotalUS}
		for _, o := range b.Waits {
			if o.Event == w.Event {
				d.CountB, d.TotalB = o.Count, o.TotalUS
			}
		}
		c.Waits = append(c.Waits, d)
	}
	for _, o := range b.Waits {
		if !slices.ContainsFunc(a.Waits, func(w Wait) bool { return w.Event == o.Event }) {
			c.Waits = append(c.Waits, WaitDelta{Event: o.Event, CountB: o.Count, TotalB: o.TotalUS})
		}
	}
	slices.SortStableFunc(c.Waits, func(x, y WaitDelta) int { return cmp.Compare(abs(y.TotalB-y.TotalA), abs(x.TotalB-x.TotalA)) })
}
