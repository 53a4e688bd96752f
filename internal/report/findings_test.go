package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// tape writes trace records one behind the other.
type tape struct {
	strings.Builder
	tim int64
}

func (p *tape) parsing(cur int, text string) {
	fmt.Fprintf(p, "=====================\nPARSING IN CURSOR #%d len=%d dep=0 uid=9 oct=3 lid=9 tim=%d hv=1 ad='7' sqlid='%013d'\n%s\nEND OF STMT\n", cur, len(text), p.tim, len(text)*100+cur, text)
}

func (p *tape) call(kind string, cur int, c, e, gets, mis, rows int64) {
	p.tim += e
	fmt.Fprintf(p, "%s #%d:c=%d,e=%d,p=0,cr=%d,cu=0,mis=%d,r=%d,dep=0,og=1,plh=5,tim=%d\n", kind, cur, c, e, gets, mis, rows, p.tim)
}

func (p *tape) wait(event string, cur int, ela int64) {
	p.tim += ela
	fmt.Fprintf(p, "WAIT #%d: nam='%s' ela= %d driver id=1 #bytes=1 p3=0 obj#=-1 tim=%d\n", cur, event, ela, p.tim)
}

// TestFindings plays each rule of facts/report-ideal.md 13: it is found, says
// where to look and what it may be worth.
func TestFindings(t *testing.T) {
	client := func(p *tape) { p.wait("SQL*Net message from client", 7, 500) }
	for _, c := range []struct {
		rule string
		play func(p *tape)
	}{
		{"parse-per-execution", func(p *tape) {
			for range 30 {
				p.call("PARSE", 7, 900, 1000, 0, 0, 0)
				p.call("EXEC", 7, 90, 100, 1, 0, 0)
			}
		}},
		{"hard-parse", func(p *tape) {
			for range 6 {
				p.call("PARSE", 7, 900, 1000, 0, 1, 0)
			}
			for range 20 {
				p.call("EXEC", 7, 90, 100, 1, 0, 0)
			}
		}},
		{"miss-on-execute", func(p *tape) {
			for i := range int64(20) {
				p.call("EXEC", 7, 900, 1000, 1, i%2, 0)
			}
		}},
		{"row-by-row-fetch", func(p *tape) {
			p.call("EXEC", 7, 9, 10, 1, 0, 0)
			for range 100 {
				p.call("FETCH", 7, 9, 10, 1, 0, 1)
				client(p)
			}
		}},
		{"empty-fetch", func(p *tape) {
			for range 40 {
				p.call("EXEC", 7, 9, 10, 1, 0, 0)
				p.call("FETCH", 7, 90, 100, 1, 0, 0)
			}
		}},
		{"repeated-errors", func(p *tape) {
			for range 3 {
				p.call("EXEC", 7, 9, 10, 1, 0, 0)
				fmt.Fprintf(p, "ERROR #7:err=1 tim=%d\n", p.tim)
			}
		}},
		{"gets-per-row", func(p *tape) {
			p.call("EXEC", 7, 9, 10, 1, 0, 0)
			p.call("FETCH", 7, 90000, 100000, 200000, 0, 1)
		}},
		{"hard-close", func(p *tape) {
			for range 30 {
				p.call("PARSE", 7, 90, 100, 0, 0, 0)
				fmt.Fprintf(p, "CLOSE #7:c=1,e=2,dep=0,type=0,tim=%d\n", p.tim)
			}
		}},
		{"literals", func(p *tape) {
			for i := range 20 {
				p.parsing(10+i, fmt.Sprintf("select x from t where id = %d", 1000+i))
				p.call("PARSE", 10+i, 90, 100, 0, 1, 0)
			}
		}},
		{"commit-rate", func(p *tape) {
			for range 30 {
				p.call("EXEC", 7, 9, 10, 1, 0, 1)
				fmt.Fprintf(p, "XCTEND rlbk=0, rd_only=0, tim=%d\n", p.tim)
				p.wait("log file sync", 7, 3000)
			}
		}},
		{"lob-round-trips", func(p *tape) {
			for range 30 {
				p.tim += 500
				fmt.Fprintf(p, "LOBREAD: type=TEMPORARY LOB,bytes=1,c=5,e=400,p=0,cr=1,cu=0,tim=%d\n", p.tim)
			}
		}},
		{"lock-wait", func(p *tape) {
			for range 3 {
				p.tim += 30
				fmt.Fprintf(p, "WAIT #7: nam='enq: TX - row lock contention' ela= 30000 name|mode=1415053318 usn<<16 | slot=1 sequence=2 obj#=71 tim=%d\n", p.tim+30000)
				p.call("EXEC", 7, 9, 30040, 1, 0, 1)
			}
		}},
		{"unaccounted", func(p *tape) { // within
			for range 3 {
				p.call("EXEC", 7, 9, 30040, 1, 0, 1)
			}
		}},
		{"unaccounted", func(p *tape) { // between
			for range 3 {
				p.call("EXEC", 7, 9, 10, 1, 0, 1)
				p.tim += 50000
			}
			p.call("EXEC", 7, 9, 10, 1, 0, 1)
		}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := &tape{tim: 1_000_000}
			p.parsing(7, "select y from u where id = :1")
			c.play(p)
			m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
			i := slices.IndexFunc(m.Findings, func(f report.Finding) bool { return f.Rule == c.rule })
			if i < 0 {
				t.Fatalf("not found, only %+v", m.Findings)
			}
			f := m.Findings[i]
			if f.SavingUS <= 0 || len(f.Evidence) == 0 || f.Title == "" || f.Detail == "" {
				t.Errorf("saving %d, evidence %v, title %q, detail %q", f.SavingUS, f.Evidence, f.Title, f.Detail)
			}
			for _, e := range f.Evidence {
				if !strings.HasPrefix(e, "x.trc:L") || strings.HasPrefix(e, "x.trc:L0") {
					t.Errorf("evidence %q is no line", e)
				}
			}
			if f.SavingUS > m.Time.ElapsedUS+f.SavingUS/10 {
				t.Errorf("%d us to be saved of %d", f.SavingUS, m.Time.ElapsedUS)
			}
		})
	}
	// A quiet trace has none.
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	p.call("EXEC", 7, 100, 100, 1, 0, 0)
	p.call("FETCH", 7, 100, 100, 1, 0, 50)
	client(p)
	if m := load(t, map[string]string{"x.trc": p.String()}, report.Options{}); len(m.Findings) != 0 {
		t.Errorf("a quiet trace: %+v", m.Findings)
	}
}

// TestFindingsThatCanBeActedOnComeFirst: a session that was idle without printing
// its wait for the client has long gaps. They are told, behind the locks that
// somebody can do something about, and are no saving.
func TestFindingsThatCanBeActedOnComeFirst(t *testing.T) {
	play := func(client bool) *report.Model {
		p := &tape{tim: 1_000_000}
		p.parsing(7, "update t set x = :1")
		for range 3 {
			if client {
				p.wait("SQL*Net message from client", 7, 500)
			}
			p.tim += 20_000_000
			fmt.Fprintf(p, "WAIT #7: nam='enq: TX - row lock contention' ela= 300000 name|mode=1415053318 usn<<16 | slot=1 sequence=2 obj#=71 tim=%d\n", p.tim+300000)
			p.call("EXEC", 7, 9, 300040, 1, 0, 1)
		}
		return load(t, map[string]string{"x.trc": p.String()}, report.Options{})
	}
	m := play(true)
	var rules []string
	for _, f := range m.Findings {
		rules = append(rules, fmt.Sprintf("%s %v", f.Rule, f.Unexplained))
	}
	if want := []string{"lock-wait false", "unaccounted true"}; !slices.Equal(rules, want) {
		t.Fatalf("findings %v, want %v", rules, want)
	}
	text := asText(t, m)
	for _, want := range []string{"(up to 0.900000 s)", "0.900000 s of it in 0000000001907: update t set x = :1.", "unaccounted for between calls (60.000 s)", "3 gaps of 1 s and more make 60.000 s of it"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the text", want)
		}
	}
	if strings.Contains(text, "no wait for the client") {
		t.Error("waits for the client are in the trace, the finding says that there are none")
	}
	if text := asText(t, play(false)); !strings.Contains(text, "no wait for the client") {
		t.Error("nothing says that idle time cannot be told from lost time")
	}
}

// TestFindingsOfNothing: of a trace that lasts microseconds nothing is worth a
// word, and idle hours do not hide what the working seconds tell.
func TestFindingsOfNothing(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	p.call("EXEC", 7, 1, 1, 1, 0, 0)
	p.tim += 90
	p.call("EXEC", 7, 1, 1, 1, 0, 0)
	if m := load(t, map[string]string{"x.trc": p.String()}, report.Options{}); len(m.Findings) != 0 {
		t.Errorf("of 92 us: %+v", m.Findings)
	}
	p = &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	for range 30 {
		p.call("PARSE", 7, 900, 1000, 0, 0, 0)
		p.call("EXEC", 7, 90, 100, 1, 0, 0)
	}
	p.wait("SQL*Net message from client", 7, 3_600_000_000)
	p.call("EXEC", 7, 90, 100, 1, 0, 0)
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
	if len(m.Findings) != 1 || m.Findings[0].Rule != "parse-per-execution" {
		t.Errorf("an idle hour hides what the rest tells: %+v", m.Findings)
	}
}
