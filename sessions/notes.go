package sessions

import (
	"fmt"
	"sort"
)

// Notes watches the classified rows and says afterwards what the user may have
// meant: values that differ only by letter case, a sid that exists on several
// instances, and sessions that were asked for but are never a target. It keeps
// a bounded number of examples.
type Notes struct {
	sel      *Selector
	asks     bool // the selector names something, rather than excluding
	folded   Selector
	leftOut  map[Reason]leftOut
	otherSID map[Key]Key // what was asked for (Key of a term) → what has that sid
	found    map[Key]bool
	nearMiss map[nearMiss]int
	sidInsts map[int]map[int]bool
}

type nearMiss struct {
	field      Field
	want, have string
	negate     bool
}

const maxNearMisses = 20

// leftOut counts sessions that match and are left out, with an example.
type leftOut struct {
	count int
	first Key
}

// NewNotes returns Notes for one listing under sel.
func NewNotes(sel *Selector) *Notes {
	n := &Notes{
		sel: sel, folded: *sel, nearMiss: map[nearMiss]int{}, sidInsts: map[int]map[int]bool{}, leftOut: map[Reason]leftOut{},
		otherSID: map[Key]Key{}, found: map[Key]bool{},
	}
	n.folded.IgnoreCase = true
	for _, t := range sel.Terms {
		n.asks = n.asks || !t.Negate
	}
	for _, t := range sel.SIDs {
		n.asks = n.asks || !t.Negate
	}
	return n
}

// Add looks at one classified row.
func (n *Notes) Add(r *Row) {
	n.sameSID(r)
	switch r.Reason {
	case NotMatched:
		if !n.sel.IgnoreCase && n.folded.Match(&r.Session) {
			n.near(r)
		}
	case Matched:
		if !n.sel.IgnoreCase && !n.folded.Match(&r.Session) {
			n.near(r)
		}
		for _, t := range n.sel.SIDs {
			if t.SID == r.SID && t.InstID == 0 && !t.Negate {
				if n.sidInsts[t.SID] == nil {
					n.sidInsts[t.SID] = map[int]bool{}
				}
				n.sidInsts[t.SID][r.InstID] = true
			}
		}
	default:
		// Nobody means our own or the server's sessions, unless by their sid.
		meant := len(n.sel.SIDs) > 0 || r.Reason != OwnSession && r.Reason != Background
		if n.asks && meant && n.sel.Match(&r.Session) {
			l := n.leftOut[r.Reason]
			if l.count == 0 {
				l.first = r.Key()
			}
			l.count++
			n.leftOut[r.Reason] = l
		}
	}
}

// sameSID notes a session that has the sid, but not the serial# or instance
// that was asked for: the sid was reused, or the list is of another instance.
func (n *Notes) sameSID(r *Row) {
	for _, t := range n.sel.SIDs {
		if t.Negate || t.SID != r.SID || t.Serial == 0 || len(n.otherSID) >= maxNearMisses {
			continue
		}
		asked := Key{InstID: t.InstID, SID: t.SID, Serial: t.Serial}
		if t.Serial != r.Serial || t.InstID != 0 && t.InstID != r.InstID {
			n.otherSID[asked] = r.Key()
		} else {
			n.found[asked] = true
		}
	}
}

// near records which terms of the row miss it only by letter case.
func (n *Notes) near(r *Row) {
	for _, t := range n.sel.Terms {
		have := r.text(t.Field)
		if n.sel.equal(t.Value, have) || !n.folded.equal(t.Value, have) {
			continue
		}
		k := nearMiss{t.Field, t.Value, have, t.Negate}
		if _, known := n.nearMiss[k]; known || len(n.nearMiss) < maxNearMisses {
			n.nearMiss[k]++
		}
	}
}

// Warnings returns one sentence for each thing to be said, in a fixed order.
func (n *Notes) Warnings() []string {
	var out []string
	for k, count := range n.nearMiss {
		verdict := "not matched"
		if k.negate {
			verdict = "not excluded"
		}
		out = append(out, fmt.Sprintf("%s %s: %s %s differs from %s only by letter case; type it as it is, or add --ignore-case",
			sessionCount(count), verdict, k.field.Flag(), quoteShort(k.have), quoteShort(k.want)))
	}
	for sid, insts := range n.sidInsts {
		if len(insts) > 1 {
			out = append(out, fmt.Sprintf("sid %d exists on %d instances and all of them were taken: "+
				"name one with --sid %d,SERIAL#,@INST", sid, len(insts), sid))
		}
	}
	for asked, now := range n.otherSID {
		what := fmt.Sprintf("%d,%d", asked.SID, asked.Serial)
		if asked.InstID != 0 {
			what = asked.String()
		}
		if !n.found[asked] {
			out = append(out, fmt.Sprintf("%s is not there: sid %d is %s now", what, asked.SID, now))
		}
	}
	for reason, l := range n.leftOut {
		out = append(out, fmt.Sprintf("%s of those asked for left out as %s, first %s: %s", sessionCount(l.count), reason, l.first, reason.Explain()))
	}
	sort.Strings(out)
	return out
}

func sessionCount(n int) string {
	if n == 1 {
		return "1 session"
	}
	return fmt.Sprintf("%d sessions", n)
}
