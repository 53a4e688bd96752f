package report_test

import (
	"bytes"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestChartSaysWhoseItIs: the chart is one file's; text and page name it, and say
// so where the error is in another.
func TestChartSaysWhoseItIs(t *testing.T) {
	other := strings.ReplaceAll(waitsTrace(), "101.5", "102.7")
	other = other[:strings.Index(other, "ERROR #")]
	busy := waitsTrace()
	busy = busy[:strings.Index(busy, "ERROR #")]
	quiet := strings.ReplaceAll(ringTrace[:strings.Index(ringTrace, "Trace output buffer")], "101.5", "103.9") + "ERROR #1:err=60 tim=1\n"
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{"alone", "of session 101.5 in a.trc", map[string]string{"a.trc": waitsTrace()}},
		{"its own file", "of session 101.5 in b.trc alone", map[string]string{"a.trc": other, "b.trc": waitsTrace()}},
		{"another's", "of session 101.5 in a.trc alone; the error is in another file, z.trc", map[string]string{"a.trc": busy, "z.trc": quiet}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, c.files, report.Options{})
			var b bytes.Buffer
			if err := m.WriteText(&b, 120); err != nil {
				t.Fatal(err)
			}
			if got := strings.Split(between(b.String(), "\nOVER TIME (", "\nFILES\n"), "\n")[2]; got != c.want {
				t.Errorf("text: %q, want %q", got, c.want)
			}
			b.Reset()
			if err := m.WriteHTML(&b); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), ", "+c.want+"</span></h2>") {
				t.Errorf("the page does not say %q", c.want)
			}
		})
	}
}
