package sessions

import (
	"fmt"
	"time"
)

// Inventory is a list of sessions with what is known of their instances.
type Inventory struct {
	Source     string // the file's name, or the connect text without secrets
	Instances  []Instance
	Rows       []Row
	Unverified []string  // columns nobody could check: "server", "type", "status", "username"
	Problems   []Problem // rows that were refused; the others count
	Warnings   []string  // sentences for stderr
	Now        time.Time // the database's clock when it was asked; zero for a file

	noUsername bool
}

// Classify judges the rows of an inventory that came from a file: against the
// selector, the never-a-target rules and the shipped list of Oracle's users.
// It may be called again with another selector. It returns warnings about the
// selector (letter case, a sid on several instances).
func (inv *Inventory) Classify(sel *Selector) []string {
	ru := &Rules{
		Match:      func(r *Row) bool { return sel.Match(&r.Session) },
		Maintained: MaintainedUser, UsernameUnknown: inv.noUsername,
	}
	Classify(inv.Rows, ru)
	notes := NewNotes(sel)
	for i := range inv.Rows {
		notes.Add(&inv.Rows[i])
	}
	return notes.Warnings()
}

// Selected returns the rows that are targets, in the inventory's order.
func (inv *Inventory) Selected() []Row {
	var out []Row
	for i := range inv.Rows {
		if inv.Rows[i].Selected {
			out = append(out, inv.Rows[i])
		}
	}
	return out
}

// Summary counts the inventory's rows.
func (inv *Inventory) Summary() Summary {
	var s Summary
	for i := range inv.Rows {
		s.Add(&inv.Rows[i])
	}
	return s
}

// Problem is one refused row or file: where it is, what is wrong and what to
// do. Line and Column (in bytes) count from 1; 0 means the whole file or row.
type Problem struct {
	File    string
	Line    int
	Column  int
	Message string
	Hint    string
}

// Error prints file:line:column: message.
func (p *Problem) Error() string {
	switch {
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	case p.Column == 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}
