package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"ringtrace/sessions"
)

// textSessions prints the listing for people: a table whose column widths come
// from the first rows, so that a long listing needs no memory.
type textSessions struct {
	w       *bufio.Writer
	explain bool
	listing *listing
	head    []string
	waiting [][]string // rows before the widths are known
	widths  []int
}

// Rows that decide the widths, and the longest that a column gets by itself.
const (
	widthRows = 500
	maxCell   = 32
)

func newTextSessions(w io.Writer, l *listing, explain bool) *textSessions {
	head := []string{"INST", "SID,SERIAL#", "ORAPID", "OSPID", "USERNAME", "SERVICE", "PROGRAM", "MODULE", "MACHINE", "STATUS"}
	if explain {
		head = append(head, "REASON")
	}
	return &textSessions{w: bufio.NewWriter(w), explain: explain, listing: l, head: head}
}

func (p *textSessions) row(r *sessions.Row) error {
	cells := []string{
		strconv.Itoa(r.InstID), fmt.Sprintf("%d,%d", r.SID, r.Serial), "-", cell(r.Ospid), cell(r.Username), cell(r.ServiceName),
		cell(r.Program), cell(r.Module), cell(r.Machine), cell(r.Status),
	}
	if r.Orapid != 0 {
		cells[2] = strconv.Itoa(r.Orapid)
	}
	if p.explain {
		cells = append(cells, string(r.Reason))
	}
	if p.widths == nil {
		p.waiting = append(p.waiting, cells)
		if len(p.waiting) < widthRows {
			return nil
		}
		return p.flush()
	}
	return p.line(cells)
}

// cell is database text made harmless, on one line and not too long.
func cell(s string) string {
	if s == "" {
		return "-"
	}
	s = strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(printable(s))
	if utf8.RuneCountInString(s) <= maxCell {
		return s
	}
	return string([]rune(s)[:maxCell-1]) + "…"
}

// flush fixes the widths and prints what waited.
func (p *textSessions) flush() error {
	p.widths = make([]int, len(p.head))
	for _, cells := range append([][]string{p.head}, p.waiting...) {
		for i, c := range cells {
			p.widths[i] = max(p.widths[i], utf8.RuneCountInString(c))
		}
	}
	waiting := p.waiting
	p.waiting = nil
	if len(waiting) == 0 {
		return nil
	}
	if err := p.line(p.head); err != nil {
		return err
	}
	for _, cells := range waiting {
		if err := p.line(cells); err != nil {
			return err
		}
	}
	return nil
}

func (p *textSessions) line(cells []string) error {
	for i, c := range cells {
		if i > 0 {
			p.w.WriteString("  ")
		}
		p.w.WriteString(c)
		if i < len(cells)-1 {
			for n := utf8.RuneCountInString(c); n < p.widths[i]; n++ {
				p.w.WriteByte(' ')
			}
		}
	}
	return p.w.WriteByte('\n')
}

// end prints the totals: how many of how many, by instance, and what was left
// out.
func (p *textSessions) end(s sessions.Summary) error {
	if p.widths == nil {
		if err := p.flush(); err != nil {
			return err
		}
	}
	if s.Seen > 0 {
		p.w.WriteByte('\n')
	}
	fmt.Fprintf(p.w, "%d of %s selected\n", s.Selected, count(s.Seen, "session"))
	if n := len(p.listing.instances); n > 1 || len(s.ByInstance) > 1 || n == 1 && s.Selected > 0 {
		p.instances(s)
	}
	if text := excludedText(s); text != "" {
		fmt.Fprintf(p.w, "left out: %s", text)
		if !p.explain {
			p.w.WriteString(" (--explain lists them)")
		}
		p.w.WriteByte('\n')
	}
	if p.explain {
		for _, r := range sessions.Reasons() {
			if s.Excluded[r] > 0 {
				fmt.Fprintf(p.w, "  %s: %s\n", r, r.Explain())
			}
		}
	}
	return p.w.Flush()
}

// instances prints the totals by instance; an instance without a selected
// session is named too.
func (p *textSessions) instances(s sessions.Summary) {
	known := map[int]bool{}
	for _, in := range p.listing.instances {
		known[in.InstID] = true
		note := ""
		if in.InstanceName != "" {
			note = fmt.Sprintf(" (%s on %s, %s)", cell(in.InstanceName), cell(in.HostName), cell(in.Version))
		}
		if in.InstID == p.listing.here && len(p.listing.instances) > 1 {
			note += ", connected here"
		}
		fmt.Fprintf(p.w, "  instance %d%s: %d\n", in.InstID, note, s.ByInstance[in.InstID])
	}
	for _, id := range s.Insts() {
		if !known[id] {
			fmt.Fprintf(p.w, "  instance %d: %d\n", id, s.ByInstance[id])
		}
	}
}
