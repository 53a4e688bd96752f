package lint

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Files made to cost time or memory take neither: what is measured grows with
// the size, not with its square, and variables that hold variables stay small.
func TestHostileFilesAreCheap(t *testing.T) {
	doubling := &strings.Builder{}
	for i := 1; i < 2000; i++ {
		fmt.Fprintf(doubling, "define a%d=&a%d&a%d\n", i, i-1, i-1)
	}
	files := map[string]string{
		"one line of variables":     "prompt " + strings.Repeat("&a", 500_000),
		"variables that double":     "define a0=xxxxxxxx\n" + doubling.String() + "prompt &a1999\noradebug &a1999 x\n",
		"a variable that grows":     "define a=xx\n" + strings.Repeat("define a=&a.&a\n", 100) + "oradebug &a x\n",
		"long values many times":    "define a=" + strings.Repeat("x", 4000) + "\noradebug " + strings.Repeat("&a ", 100_000) + "\n",
		"slashes":                   strings.Repeat("/\n", 500_000),
		"nested brackets":           "oradebug session_event 942 " + strings.Repeat("(", 100_000) + "\n",
		"colons":                    "oradebug session_event " + strings.Repeat(":", 1_000_000) + "\n",
		"one long line":             "oradebug " + strings.Repeat("x", 10_000_000),
		"continuation without end":  strings.Repeat("oradebug setmypid -\n", 200_000),
		"here-documents in a shell": "#!/bin/sh\n" + strings.Repeat("sqlplus / as sysdba <<EOF\n", 100_000),
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			res := Check("x.sql", []byte(text), Options{})
			if d := time.Since(start); d > 20*time.Second { // quadratic ones took minutes
				t.Errorf("took %s", d)
			}
			if n := len(res.Findings); n > maxFindings+1 {
				t.Errorf("%d findings are kept", n)
			}
		})
	}
}

// Beyond the bound the count and the worst severity are kept.
func TestFindingsBeyondTheBound(t *testing.T) {
	const n = maxFindings
	text := strings.Repeat("oradebug setmypid\n", 1) + strings.Repeat("prompt &x\n", n+10) + "oradebug bogus\nprompt &x\n"
	res := Check("x.sql", []byte(text), Options{})
	if len(res.Findings) != n+1 {
		t.Fatalf("%d findings", len(res.Findings))
	}
	last := res.Findings[n]
	if last.Rule != "RT001" || last.Severity != Error || !strings.Contains(last.Message, "12 more findings") {
		t.Errorf("last finding %+v", last)
	}
	if s := Summarize([]Result{res}); !s.Reaches(Error) {
		t.Errorf("summary %+v hides the error", s)
	}
}

// Columns count characters, also where findings come one behind the other.
func TestColumnsOfOneLine(t *testing.T) {
	res := Check("x.sql", []byte("prompt é &a é &b\nprompt &c\n"), Options{})
	var got []string
	for _, f := range res.Findings {
		got = append(got, fmt.Sprintf("%d:%d", f.Line, f.Column))
	}
	if want := "1:10 1:15 2:8"; !strings.Contains(strings.Join(got, " "), want) {
		t.Errorf("columns %v, want %s", got, want)
	}
}
