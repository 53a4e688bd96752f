package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringtrace/internal/bundle"
)

// SessionNote is why sessions of a campaign have no trace in its bundle.
type SessionNote struct {
	Note     string `json:"note"`
	Sessions int    `json:"sessions"`
}

// maxNotes bounds what a hostile manifest can make of notes.
const maxNotes = 20

// without counts the sessions of a bundle that have no trace by why.
func without(files []bundle.File) []SessionNote {
	traced := map[[3]int]bool{}
	for i := range files {
		f := &files[i]
		traced[[3]int{f.InstID, f.SID, f.Serial}] = traced[[3]int{f.InstID, f.SID, f.Serial}] || f.Status == bundle.Collected || f.Status == bundle.Partial
	}
	out := []SessionNote{}
	for i := range files {
		f := &files[i]
		key := [3]int{f.InstID, f.SID, f.Serial}
		if traced[key] {
			continue
		}
		traced[key] = true // one row a session
		note := cmp.Or(valid(deref(f.Note)), string(f.Status))
		if k := slices.IndexFunc(out, func(n SessionNote) bool { return n.Note == note }); k >= 0 {
			out[k].Sessions++
		} else if len(out) < maxNotes {
			out = append(out, SessionNote{note, 1})
		}
	}
	slices.SortStableFunc(out, func(x, y SessionNote) int { return cmp.Compare(y.Sessions, x.Sessions) })
	return out
}

// Empty says why a bundle holds nothing to report on; "" if it holds a trace.
func (b *Bundle) Empty() string {
	if b.Traces > 0 {
		return ""
	}
	s := fmt.Sprintf("the bundle of campaign %s holds no trace of its %s", b.Campaign, count(b.Sessions, "session"))
	if _, why := b.whyWithout(); why != "" {
		s += " (" + why + ")"
	}
	return s
}

// Rest says which sessions of a bundle that holds traces have none: their rings,
// which may hold the cause of what others met, are in memory. "" if all have one.
func (b *Bundle) Rest() string {
	n, why := b.whyWithout()
	if n == 0 || b.Traces == 0 {
		return ""
	}
	return fmt.Sprintf("%s of campaign %s left no trace in this bundle (%s); while one is armed, what it did last is to be had with", count(n, "more session"), b.Campaign, why)
}

// Fetch is what to type for them.
func (b *Bundle) Fetch() []string { return fetch(b.Campaign, "--sid SID,SERIAL") }

// whyWithout counts the sessions without a trace, and says why they have none.
func (b *Bundle) whyWithout() (n int, why string) {
	var list []string
	for i, w := range b.Without {
		n += w.Sessions
		switch {
		case i < 5:
			list = append(list, fmt.Sprintf("%s: %s", count(w.Sessions, "session"), w.Note))
		case i == 5:
			list = append(list, "…")
		}
	}
	return n, strings.Join(list, "; ")
}

// Awaited says when rings of the bundle's campaign are written.
func (b *Bundle) Awaited() string {
	var codes []string
	for i, n := range b.Watched {
		if i == 8 {
			codes = append(codes, "…")
			break
		}
		codes = append(codes, oraName(n))
	}
	s := "a ring is written when an error comes that the campaign waits for"
	if len(codes) > 0 {
		s += " (" + strings.Join(codes, ", ") + ")"
	}
	return s + ", or by ringtrace flush"
}

// Empties says so of all bundles without a trace, for text and page.
func (m *Model) Empties() []string {
	var out []string
	for i := range m.Bundles {
		if s := m.Bundles[i].Empty(); s != "" {
			out = append(out, s+"; "+m.Bundles[i].Awaited())
		}
	}
	return out
}
