package watch

import (
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"ringtrace/internal/quantity"
)

// Table is the picture of a watch on a terminal: a few lines that change in
// place, with what happened last below.
type Table struct {
	Stop  string // the line that ends it
	Until string // when it ends by itself; empty: nobody knows

	began  time.Time
	totals Totals
	recent []string
	// Rows are how many of the last events are shown; 0: DefaultRecent.
	Rows int
}

// DefaultRecent is how many events a Table keeps and shows, TableHead how many
// lines stand above them.
const (
	DefaultRecent = 10
	TableHead     = 7
)

// Add takes over a line.
func (t *Table) Add(l Line, totals *Totals) {
	if t.began.IsZero() {
		t.began = l.At
	}
	if totals != nil {
		t.totals = *totals
	}
	if l.Kind == LineSummary {
		return
	}
	t.recent = append(t.recent, Describe(l))
	if over := len(t.recent) - DefaultRecent; over > 0 {
		t.recent = append(t.recent[:0:0], t.recent[over:]...)
	}
}

// Describe is a line for a person.
func Describe(l Line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-8s", l.At.UTC().Format("15:04:05Z"), l.Kind)
	if l.Ora != nil {
		fmt.Fprintf(&b, "  ORA-%05d", *l.Ora)
	}
	if s := l.Session; s != nil {
		fmt.Fprintf(&b, "  %d,%d,@%d", s.SID, s.Serial, s.InstID)
		if s.Username != nil {
			b.WriteString("  " + *s.Username)
		}
	}
	if l.Reason != nil {
		b.WriteString("  " + *l.Reason)
	}
	if l.Detail != nil && (l.Kind == LineError || l.Kind == LineFired) {
		b.WriteString(": " + *l.Detail)
	}
	if l.Kind == LineFired && l.Session != nil && l.Session.Tracefile != nil {
		b.WriteString("  " + *l.Session.Tracefile)
	}
	return b.String()
}

// soFar counts what there was, so that it fits a line.
func soFar(s *Totals) string {
	parts := []string{fmt.Sprintf("%d armed", s.Armed)}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Left, "left"}, {s.Disarmed, "disarmed"}, {s.Rearmed, "re-armed"}, {s.Flushed, "flushed"}, {s.Skipped, "skipped"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if s.Errors > 0 {
		parts = append(parts, quantity.Count(s.Errors, "error"))
	}
	return strings.Join(parts, ", ")
}

// Render returns the lines of the picture, none longer than width characters.
func (t *Table) Render(campaign string, now time.Time, width int) []string {
	s := &t.totals
	out := []string{
		fmt.Sprintf("campaign  %s", campaign),
		fmt.Sprintf("watching  %s armed, %d pending; since %s (%s)%s", quantity.Count(s.Watched, "session"), s.Pending, t.began.UTC().Format(time.RFC3339), now.Sub(t.began).Round(time.Second), t.Until),
		fmt.Sprintf("hits      %d%s", s.Hits, byOra(s.ByOra)),
		"so far    " + soFar(s),
		"stop it   Ctrl-C leaves them armed; this, in another terminal, takes them back:",
		"  " + t.Stop,
		"",
	}
	recent := t.recent
	if over := len(recent) - t.Rows; t.Rows > 0 && over > 0 {
		recent = recent[over:]
	}
	out = append(out, recent...)
	for i, l := range out {
		out[i] = cut(l, width)
	}
	return out
}

func byOra(m map[int]int) string {
	if len(m) == 0 {
		return ""
	}
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	var parts []string
	for _, k := range keys {
		parts = append(parts, fmt.Sprintf("ORA-%05d %d", k, m[k]))
	}
	return ": " + strings.Join(parts, ", ")
}

func cut(s string, width int) string {
	if width <= 0 || utf8.RuneCountInString(s) <= width {
		return s
	}
	r := []rune(s)
	return string(r[:max(width-1, 0)]) + "…"
}
