package sessions

import (
	"bufio"
	"io"
	"strings"
	"time"
)

// CSVWriter writes an inventory as RFC 4180 CSV: UTF-8, CRLF, quotes where
// needed, nothing changed and nothing lost. What is not known is an empty
// field.
type CSVWriter struct {
	w       *bufio.Writer
	reasons bool
}

// writeBuffer is how much of a listing waits, in bytes: when a query fails
// within it, nothing half is printed.
const writeBuffer = 1 << 20

// NewCSVWriter writes the heading; with reasons, the columns selected and
// reason stand behind the inventory's own.
func NewCSVWriter(w io.Writer, reasons bool) *CSVWriter {
	c := &CSVWriter{w: bufio.NewWriterSize(w, writeBuffer), reasons: reasons}
	for i, name := range columnNames {
		c.field(i, name)
	}
	if reasons {
		c.field(1, colSelected.String())
		c.field(1, colReason.String())
	}
	c.end()
	return c
}

// Write writes one row. The error may be an earlier one.
func (c *CSVWriter) Write(r *Row) error {
	for i := range colWritten {
		c.field(int(i), r.csvText(i))
	}
	if c.reasons {
		selected := "false"
		if r.Selected {
			selected = "true"
		}
		c.field(1, selected)
		c.field(1, string(r.Reason))
	}
	return c.end()
}

// Flush writes what is buffered.
func (c *CSVWriter) Flush() error { return c.w.Flush() }

// csvText is a column's value as text, empty when not known.
func (r *Row) csvText(c column) string {
	if p := r.numberOf(c); p != nil {
		if *p == 0 {
			return ""
		}
		return itoa(*p)
	}
	if c == colLogonTime {
		return timeText(r.LogonTime)
	}
	return *r.textOf(c)
}

// timeText is RFC 3339 with the zone, empty for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func (c *CSVWriter) field(i int, v string) {
	if i > 0 {
		c.w.WriteByte(',')
	}
	if !needsQuotes(v) {
		c.w.WriteString(v)
		return
	}
	c.w.WriteByte('"')
	c.w.WriteString(strings.ReplaceAll(v, `"`, `""`))
	c.w.WriteByte('"')
}

func needsQuotes(v string) bool {
	if v == "" {
		return false
	}
	return strings.ContainsAny(v, "\",;\t\r\n\x00") || v[0] == ' ' || v[len(v)-1] == ' '
}

// end ends the line. bufio.Writer keeps the first error, so this one is enough.
func (c *CSVWriter) end() error {
	_, err := c.w.WriteString("\r\n")
	return err
}
