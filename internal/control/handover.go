package control

import (
	"fmt"
	"io"
	"strings"
	"time"

	"ringtrace/internal/journal"
)

// HandOver is the card for the incident manager: what is on, since when, what
// it costs, what it catches and how to stop it.
type HandOver struct {
	Campaign    string     `json:"campaign"`
	Purpose     *string    `json:"purpose"`
	Ticket      *string    `json:"ticket"`
	By          string     `json:"by"`
	Armed       int        `json:"armed"`
	Fired       int        `json:"fired"`
	Pending     int        `json:"pending"`
	Since       *time.Time `json:"since"`
	Until       *time.Time `json:"until"` // null: until somebody stops it
	MemoryBytes int64      `json:"memory_bytes"`
	FlushBytes  int64      `json:"flush_bytes"`
	Catches     []string   `json:"catches"`
	Stop        string     `json:"stop"`
}

// NewHandOver makes the card of one campaign; stop is the line that ends it.
func NewHandOver(c *journal.Campaign, stop string) *HandOver {
	h := &HandOver{
		Campaign: c.Header.Campaign, Purpose: text(c.Header.Purpose), Ticket: text(c.Header.Ticket),
		By: c.Header.By.User + "@" + c.Header.By.Host, Catches: []string{}, Stop: stop,
	}
	for _, s := range c.Sessions {
		switch s.State {
		case journal.Armed:
			h.Armed++
		case journal.Fired, journal.Unbuffered:
			h.Fired++
		case journal.Pending, journal.Uncertain:
			h.Pending++
		default:
			continue
		}
		if s.Ring == journal.RingOnAssumed || s.Ring == journal.RingOnProven {
			h.MemoryBytes += c.Header.RingBytes
		}
		if at := s.ArmedAt; !at.IsZero() && (h.Since == nil || at.Before(*h.Since)) {
			h.Since = &at
		}
	}
	h.FlushBytes = h.MemoryBytes
	if !c.Header.Expires.IsZero() {
		h.Until = &c.Header.Expires
	}
	for _, e := range c.Header.Events {
		if e.Kind == "error" {
			h.Catches = append(h.Catches, fmt.Sprintf("ORA-%05d", e.Ora))
		}
	}
	return h
}

// Print writes the card.
func (h *HandOver) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "campaign   %s", h.Campaign)
	if h.Ticket != nil {
		fmt.Fprintf(&b, ", ticket %s", *h.Ticket)
	}
	if h.Purpose != nil {
		fmt.Fprintf(&b, ": %s", *h.Purpose)
	}
	fmt.Fprintf(&b, "\nis on      in %d sessions; %d have fired, %d do not answer\n", h.Armed, h.Fired, h.Pending)
	if h.Since != nil {
		fmt.Fprintf(&b, "since      %s, by %s\n", h.Since.UTC().Format(time.RFC3339), h.By)
	}
	until := "somebody stops it"
	if h.Until != nil {
		until = h.Until.UTC().Format(time.RFC3339)
	}
	fmt.Fprintf(&b, "until      %s\n", until)
	catches := "nothing: a plain trace"
	if len(h.Catches) > 0 {
		catches = strings.Join(h.Catches, ", ")
	}
	fmt.Fprintf(&b, "catches    %s\n", catches)
	fmt.Fprintf(&b, "costs      %d bytes of process memory; stopping it may write as much to trace files\n", h.MemoryBytes)
	fmt.Fprintf(&b, "stop it    %s\n", h.Stop)
	_, err := io.WriteString(w, b.String())
	return err
}
