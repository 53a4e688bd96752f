package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// csvWriter writes rows as RFC 4180 has them: they end with CRLF, and what is
// inside a field stays as it is. encoding/csv would drop the CR of SQL text
// and add others to it. Text that is no UTF-8 is made so.
type csvWriter struct{ w *bufio.Writer }

func newCSVWriter(w io.Writer) *csvWriter { return &csvWriter{bufio.NewWriter(w)} }

// row writes one row; flush tells of errors.
func (c *csvWriter) row(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			c.w.WriteByte(',')
		}
		f = strings.ToValidUTF8(f, "\uFFFD")
		if strings.ContainsAny(f, ",\"\r\n") || strings.HasPrefix(f, " ") {
			f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
		}
		c.w.WriteString(f)
	}
	c.w.WriteString("\r\n")
}

func (c *csvWriter) flush() error {
	if err := c.w.Flush(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}
