package control

import (
	"fmt"
	"io"
	"strings"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/quantity"
)

// HandOver is the card for the incident manager: what is on, since when, what
// it costs, what it catches and how to stop it.
type HandOver struct {
	Campaign    string     `json:"campaign"`
	Purpose     *string    `json:"purpose"`
	Ticket      *string    `json:"ticket"`
	Database    *string    `json:"database"`
	Selector    *string    `json:"selector"`
	By          string     `json:"by"`
	Armed       int        `json:"armed"`
	Fired       int        `json:"fired"`
	Unbuffered  int        `json:"unbuffered"` // write SQL trace to their files, and nothing has fired
	Pending     int        `json:"pending"`    // did not answer
	Unknown     int        `json:"unknown"`    // it cannot be told
	Since       *time.Time `json:"since"`
	Until       *time.Time `json:"until"` // null: until somebody stops it
	Closed      *time.Time `json:"closed"`
	Rings       int        `json:"rings"`
	RingBytes   int64      `json:"ring_bytes"` // of each
	MemoryBytes int64      `json:"memory_bytes"`
	FlushBytes  int64      `json:"flush_bytes"`
	Catches     []string   `json:"catches"`
	Stop        *string    `json:"stop"` // null: nothing is left to be stopped
	// Unfinished are the runs whose end is not on record: they work, or have died.
	Unfinished []RunDoc `json:"unfinished"`

	fires []string
	files []string // that grow
}

// RunDoc is a run whose end is not on record.
type RunDoc struct {
	Verb  string    `json:"verb"`
	By    string    `json:"by"`
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"`  // when something was recorded last
	Alive bool      `json:"alive"` // it holds the database's lock
	again string
}

// Runs adds the runs that have no end. owner holds the database's lock; nil:
// nobody does, so all of them have died. again is the line that goes on with a
// watch.
func (h *HandOver) Runs(c *journal.Campaign, owner *journal.Actor, again string) {
	for i := range c.Runs {
		r := &c.Runs[i]
		if r.Ended || c.Closed {
			continue
		}
		by := r.Run.By
		alive := owner != nil && (owner.PID == 0 || owner.PID == by.PID && owner.Host == by.Host)
		h.Unfinished = append(h.Unfinished, RunDoc{Verb: r.Run.Verb, By: fmt.Sprintf("pid %d of %s on %s", by.PID, by.User, by.Host), Since: r.At, Last: c.Last, Alive: alive, again: again})
	}
}

// runs tells of them.
func (h *HandOver) runs(row func(head, format string, args ...any)) {
	for _, r := range h.Unfinished {
		switch {
		case r.Alive:
			row("running", "%s since %s, by %s", r.Verb, stamp(r.Since), r.By)
		case r.Verb == "watch":
			row("watch", "ended without a word; heard of last at %s: who comes is not armed any more, and nothing is done about a fire", stamp(r.Last))
			if r.again != "" {
				row("", "go on with: %s", r.again)
			}
		default:
			row("broken off", "%s by %s, heard of last at %s: what became of its last session is not known; stopping it visits that, too", r.Verb, r.By, stamp(r.Last))
		}
	}
}

// NewHandOver makes the card of one campaign; stop is the line that ends it.
func NewHandOver(c *journal.Campaign, stop string) *HandOver {
	head := &c.Header
	h := &HandOver{
		Campaign: head.Campaign, Purpose: text(head.Purpose), Ticket: text(head.Ticket), Database: text(head.Database.UniqueName),
		Selector: text(head.Selector), By: head.By.User + "@" + head.By.Host, RingBytes: head.RingBytes, Catches: []string{}, Unfinished: []RunDoc{},
	}
	for _, s := range c.Sessions {
		h.count(s)
	}
	h.MemoryBytes = int64(h.Rings) * h.RingBytes
	h.FlushBytes = h.MemoryBytes
	if !head.Expires.IsZero() && head.Origin != "import" { // a script's expiry ends its arming, and turns nothing off
		h.Until = &head.Expires
	}
	for _, e := range head.Events {
		if e.Kind == string(plan.KindError) {
			h.Catches = append(h.Catches, oraName(e.Ora))
		}
	}
	if c.Closed {
		h.Closed = &c.ClosedAt
	} else {
		h.Stop = &stop
	}
	return h
}

func (h *HandOver) count(s *journal.SessionState) {
	for _, f := range s.Fired { // whatever became of the session since
		line := fmt.Sprintf("%s in session %d,%d,@%d", oraName(f.Ora), s.Session.SID, s.Session.Serial, s.Session.InstID)
		if !f.At.IsZero() {
			line += " at " + stamp(f.At)
		}
		h.fires = append(h.fires, line)
	}
	switch s.State {
	case journal.Armed:
		h.Armed++
	case journal.Fired, journal.Unbuffered:
		if s.State == journal.Fired || len(s.Fired) > 0 {
			h.Fired++
		} else {
			h.Unbuffered++
		}
		if s.Tracefile != "" {
			h.files = append(h.files, s.Tracefile)
		}
	case journal.Pending:
		h.Pending++
	case journal.Uncertain:
		h.Unknown++
	case journal.Lost: // its process may live on with the ring
		h.ring(s)
		return
	default:
		return
	}
	h.ring(s)
	if at := s.ArmedAt; !at.IsZero() && (h.Since == nil || at.Before(*h.Since)) {
		h.Since = &at
	}
}

func (h *HandOver) ring(s *journal.SessionState) {
	if ringOn(s) {
		h.Rings++
	}
}

func oraName(code int) string { return fmt.Sprintf("ORA-%05d", code) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// maxFires is how many fires a card lists.
const maxFires = 5

// Print writes the card; now is for how long it has been on.
func (h *HandOver) Print(w io.Writer, now time.Time) error {
	var b strings.Builder
	row := func(head, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", head, fmt.Sprintf(format, args...))
	}
	row("campaign", "%s%s%s", h.Campaign, prefixed(", ticket ", h.Ticket), prefixed(": ", h.Purpose))
	if h.Closed != nil {
		row("is on", "no more: it was closed at %s", stamp(*h.Closed))
	} else {
		row("is on", "%s%s%s", h.on(), prefixed(" of database ", h.Database), prefixed(", chosen by ", h.Selector))
	}
	if h.Since != nil {
		row("since", "%s (%s), by %s", stamp(*h.Since), now.Sub(*h.Since).Round(time.Second), h.By)
	}
	if h.Stop != nil {
		until := "somebody stops it"
		if h.Until != nil {
			until = stamp(*h.Until)
		}
		row("until", "%s", until)
	}
	switch {
	case len(h.Catches) == 0:
		row("catches", "nothing: a plain trace")
	case h.RingBytes == 0:
		row("catches", "%s, with a dump", strings.Join(h.Catches, ", "))
	default:
		row("catches", "%s, with the last %s of the session's SQL trace", strings.Join(h.Catches, ", "), quantity.Bytes(h.RingBytes))
	}
	for i, f := range h.fires {
		if i == maxFires {
			row("", "and %d more", len(h.fires)-i)
			break
		}
		row(map[bool]string{true: "caught"}[i == 0], "%s", f)
	}
	h.runs(row)
	if h.Pending > 0 {
		row("pending", "%s did not answer; a request may still be carried out there, and stopping it visits them", quantity.Count(h.Pending, "session"))
	}
	if h.Unknown > 0 {
		row("unknown", "%s: the list below says why", quantity.Count(h.Unknown, "session"))
	}
	switch {
	case h.Stop == nil:
	case h.Rings > 0:
		row("costs", "%s of server memory (%s of %s), and the CPU time of SQL trace", quantity.Bytes(h.MemoryBytes), quantity.Count(h.Rings, "ring"), quantity.Bytes(h.RingBytes))
	case h.RingBytes == 0:
		row("costs", "trace files that grow as the sessions work")
	case h.Pending+h.Unknown > 0:
		row("costs", "no ring is known to be on; those that are pending or unknown may hold one of %s each", quantity.Bytes(h.RingBytes))
	default:
		row("costs", "no ring is left")
	}
	h.growing(row)
	if h.Stop != nil {
		row("stop it", "%s", *h.Stop)
		if h.FlushBytes > 0 {
			row("", "(writes up to %s to trace files)", quantity.Bytes(h.FlushBytes))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// growing tells of the sessions that write SQL trace to their files by now.
func (h *HandOver) growing(row func(head, format string, args ...any)) {
	n := h.Fired + h.Unbuffered
	if h.Stop == nil || n == 0 || h.RingBytes == 0 {
		return
	}
	what := "%s write SQL trace to their files, which grow until they are disarmed"
	if n == 1 {
		what = "%s writes SQL trace to its file, which grows until it is disarmed"
	}
	row("disk", what, quantity.Count(n, "session"))
	for i, f := range h.files {
		if i == maxFires {
			row("", "and %d more", len(h.files)-i)
			break
		}
		row("", "%s", strings.Join(strings.Fields(f), " "))
	}
}

// on says in how many sessions.
func (h *HandOver) on() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{h.Armed, "armed"}, {h.Fired, "fired"}, {h.Unbuffered, "unbuffered"}, {h.Pending, "pending"}, {h.Unknown, "unknown"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	n := quantity.Count(h.Armed+h.Fired+h.Unbuffered+h.Pending+h.Unknown, "session")
	if len(parts) == 0 {
		return n
	}
	if len(parts) == 1 && h.Armed > 0 && len(h.fires) == 0 {
		return n + " (none has fired)"
	}
	return n + " (" + strings.Join(parts, ", ") + ")"
}

func prefixed(by string, s *string) string {
	if s == nil {
		return ""
	}
	return by + strings.Join(strings.Fields(*s), " ") // a line feed would look like a line of the card
}
