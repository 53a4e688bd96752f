package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes the statements, one a row, times in us (RFC 4180, CRLF).
func (m *Model) WriteCSV(w io.Writer) error {
	c := newCSVWriter(w)
	head := []string{"sql_id", "hash_value", "text_source", "depth", "user", "command"}
	for _, k := range []string{"parse", "exec", "fetch"} {
		for _, f := range []string{"count", "cpu_us", "elapsed_us", "disk", "query", "current", "rows", "misses"} {
			head = append(head, k+"_"+f)
		}
	}
	head = append(head, "elapsed_self_us", "elapsed_inclusive_us", "waits_within_us", "errors", "max_call_us", "file", "line", "text")
	c.row(head...)
	for i := range m.Statements {
		s := &m.Statements[i]
		row := []string{deref(s.SQLID), optional(s.HashValue), s.TextSource, n(s.Depth), optional(s.User), s.Command}
		for _, k := range []Calls{s.Parse, s.Exec, s.Fetch} {
			row = append(row, n(k.Count), n(k.CPUUS), n(k.ElapsedUS), n(k.Disk), n(k.Query), n(k.Current), n(k.Rows), n(k.Misses))
		}
		row = append(row, n(s.ElapsedSelfUS), n(s.InclusiveUS), n(s.WaitsWithinUS), n(s.Errors), n(s.MaxCallUS), s.File, n(s.Line), deref(s.Text))
		c.row(row...)
	}
	return c.flush()
}

func n(v int64) string { return strconv.FormatInt(v, 10) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func optional(v *int64) string {
	if v == nil {
		return ""
	}
	return n(*v)
}

// WriteFolded writes the callers and the self time of each statement in us, one
// stack a line, as flame graph scripts take it.
func (m *Model) WriteFolded(w io.Writer) error {
	if m.Flame == nil {
		return nil
	}
	var walk func(f *Flame, stack string) error
	walk = func(f *Flame, stack string) error {
		if f.SelfUS > 0 && stack != "" {
			if _, err := fmt.Fprintf(w, "%s %d\n", stack, f.SelfUS); err != nil {
				return fmt.Errorf("write folded stacks: %w", err)
			}
		}
		for _, c := range f.Children {
			name := strings.NewReplacer(";", ",", "\n", " ").Replace(clean(c.Name))
			below := name
			if stack != "" {
				below = stack + ";" + name
			}
			if err := walk(c, below); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(m.Flame, "")
}
