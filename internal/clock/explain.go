package clock

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"ringtrace/internal/exit"
	"ringtrace/internal/stats"
)

// Pasted is a pg_test_timing output that somebody pasted, and what it means.
type Pasted struct {
	Layout    string   `json:"layout"` // which versions print like this
	UnitNS    int64    `json:"unit_ns"`
	AverageNS *float64 `json:"average_ns"`
	Loops     uint64   `json:"loops"`
	TypicalNS *float64 `json:"typical_ns"` // of one reading
	Estimator string   `json:"estimator"`
	Rows      []Row    `json:"histogram"`
	Backwards *float64 `json:"backwards_ns"` // nil: no warp reported; as printed, in ns
	Source    *string  `json:"clock_source"`
	Coarse    bool     `json:"coarse"` // resolution too coarse: TypicalNS cannot be told
	Grade     Grade    `json:"grade"`
	Advice    []string `json:"advice"`
	// Others are the further clock sources that 19 measures one after the other.
	Others     []*Pasted `json:"other_sources,omitempty"`
	exact      []stats.Group
	warpNoUnit bool
}

// Row is a line of the pasted histogram.
type Row struct {
	Edge  int64  `json:"edge"` // below this (µs layouts), or up to it (ns layout)
	Count uint64 `json:"count"`
}

// Layouts by version (facts/clock-and-overhead.md A).
const (
	layout92   = "PostgreSQL 9.2"
	layout9x   = "PostgreSQL 9.x"
	layout1018 = "PostgreSQL 10 to 18"
	layout19   = "PostgreSQL 19"
)

var (
	averageLine = regexp.MustCompile(`(?i)(?:Per|Average) loop time including overhead:\s*([0-9.,]+)\s*(nsec|ns)`)
	warpLine    = regexp.MustCompile(`(?i)Time warp:\s*(-?[0-9]+)\s*(ns|us|ms|microseconds)?`)
	sourceLine  = regexp.MustCompile(`^\s*(?:System clock source|Fast clock source|Clock source|Timing clock source):\s*(.+?)\s*$`)
)

// ReadPasted reads an output of pg_test_timing of any version; name is for
// errors. Windows line ends and decimal commas are fine, lines around it too.
func ReadPasted(name string, r io.Reader) (*Pasted, error) {
	first := &Pasted{Advice: []string{}, Rows: []Row{}}
	p := first
	in, section, line := bufio.NewScanner(decoded(io.LimitReader(r, 16<<20))), "", 0
	in.Buffer(make([]byte, 4096), 1<<20)
	for in.Scan() {
		line++
		text := strings.TrimSpace(in.Text())
		low := strings.ToLower(text)
		if m := averageLine.FindStringSubmatch(text); m != nil {
			if p.AverageNS != nil {
				return nil, exit.Errorf(exit.Failed, "give one output at a time", "%s:%d: a second output begins here", name, line)
			}
			avg, err := decimal(m[1])
			if err != nil {
				return nil, badNumber(name, line, m[1])
			}
			p.AverageNS = &avg
			if m[2] == "nsec" {
				p.Layout = layout9x
			}
			continue
		}
		if m := warpLine.FindStringSubmatch(text); m != nil {
			p.warp(m[1], m[2])
			continue
		}
		if m := sourceLine.FindStringSubmatch(text); m != nil {
			if p.Source != nil && p.AverageNS != nil && len(p.Rows) > 0 {
				p, section = &Pasted{Advice: []string{}, Rows: []Row{}}, ""
				first.Others = append(first.Others, p)
			}
			if p.Source == nil {
				p.Source = &m[1]
			}
			continue
		}
		switch {
		case strings.HasPrefix(low, "<= ns"):
			section, p.Layout, p.UnitNS = "bins", layout19, 1
			continue
		case strings.HasPrefix(low, "< usec:"):
			section, p.Layout, p.UnitNS = "count first", layout92, 1000
			continue
		case strings.HasPrefix(low, "< usec"), strings.HasPrefix(low, "< us"):
			section, p.UnitNS = "percent first", 1000
			if p.Layout == "" || strings.HasPrefix(low, "< us ") {
				p.Layout = layout1018
			}
			continue
		case strings.HasPrefix(low, "observed timing durations"):
			section = "observed head"
			continue
		case section == "observed head" && strings.HasPrefix(low, "ns"):
			section = "observed"
			continue
		}
		if section != "" && text != "" && text[0] >= '0' && text[0] <= '9' {
			if err := p.row(section, text); err != nil {
				return nil, exit.Errorf(exit.Failed, "paste the output as pg_test_timing printed it", "%s:%d: %w", name, line, err)
			}
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, exit.Errorf(exit.Failed, "give the text that pg_test_timing printed", "%s:%d: a line of more than 1 MB is no output of pg_test_timing", name, line+1)
	} else if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if last := len(first.Others) - 1; last >= 0 && len(p.Rows) == 0 && p.Backwards == nil {
		first.Others = first.Others[:last] // only its name
	}
	if len(first.Rows) == 0 && first.Backwards == nil {
		return nil, exit.Errorf(exit.Failed, "make one with: pg_test_timing > FILE, or measure this host with: ringtrace timing",
			"%s: no histogram of pg_test_timing in %d lines", name, line)
	}
	for _, p := range append([]*Pasted{first}, first.Others...) {
		p.conclude()
	}
	return first, nil
}

// decoded reads UTF-16 with a byte order mark, as PowerShell's > writes it, and
// anything else as it is.
func decoded(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	mark, err := b.Peek(2)
	if err != nil {
		return b
	}
	var order binary.ByteOrder
	switch {
	case mark[0] == 0xff && mark[1] == 0xfe:
		order = binary.LittleEndian
	case mark[0] == 0xfe && mark[1] == 0xff:
		order = binary.BigEndian
	default:
		return b
	}
	raw, err := io.ReadAll(b)
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	text := strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
	if err != nil {
		return io.MultiReader(strings.NewReader(text), failingReader{err})
	}
	return strings.NewReader(text)
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

func badNumber(name string, line int, text string) error {
	return exit.Errorf(exit.Failed, "paste the output as pg_test_timing printed it", "%s:%d: %q is no number", name, line, text)
}

// decimal reads a number with a point or, from some locales, a comma.
func decimal(s string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
}

// row reads a line of numbers. The order of the columns hangs on the version.
func (p *Pasted) row(section, text string) error {
	f := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, ":", " "), "%", " "))
	at := map[string]int{"bins": 3, "observed": 3, "percent first": 2, "count first": 1}[section]
	if len(f) <= at {
		return fmt.Errorf("%d columns, expected %d", len(f), at+1)
	}
	edge, err := strconv.ParseInt(f[0], 10, 64)
	if err != nil || edge < 0 {
		return fmt.Errorf("%q is no duration", f[0])
	}
	count, err := strconv.ParseUint(f[at], 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no count", f[at])
	}
	if section == "observed" {
		p.exact = append(p.exact, stats.Group{Low: float64(edge) - 0.5, High: float64(edge) + 0.5, Count: count})
		return nil
	}
	if p.Loops+count < p.Loops {
		return fmt.Errorf("the counts do not fit 64 bits")
	}
	p.Rows = append(p.Rows, Row{edge, count})
	p.Loops += count
	return nil
}

func (p *Pasted) warp(number, unit string) {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return
	}
	// Early minors of 10 print microseconds and call them ms; without a unit it
	// is microseconds too.
	switch unit {
	case "ns":
	default:
		n *= 1000
	}
	p.warpNoUnit = unit == "ms"
	p.Backwards = &n
}

// below returns the count of a row, whatever the order of rows.
func (p *Pasted) below(edge int64) (n uint64) {
	for _, r := range p.Rows {
		if r.Edge == edge {
			n += r.Count
		}
	}
	return n
}
