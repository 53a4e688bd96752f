package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestProblemS12_ClientsInTheReport: the users of a connection pool hop between
// its sessions; text, page and JSON sum up what was done for each.
func TestProblemS12_ClientsInTheReport(t *testing.T) {
	var s strings.Builder
	s.WriteString("Trace file /u01/db1_ora_7.trc\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\n\n")
	client := func(id string) {
		fmt.Fprintf(&s, "*** CLIENT ID:(%s) 2026-03-01T10:00:00.000000+01:00\n", id)
	}
	exec := func(e, tim int64) {
		fmt.Fprintf(&s, "EXEC #5:c=1,e=%d,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=5,tim=%d\n", e, tim)
	}
	for i := range int64(3) {
		fmt.Fprintf(&s, "*** SESSION ID:(%d.1) 2026-03-01T10:00:00.000000+01:00\n", 101+i)
		client("u1")
		exec(1000, 10_000*(i+1))
		exec(1000, 10_000*(i+1)+1500)
		client("u2")
		exec(1000, 10_000*(i+1)+4000)
	}
	m := load(t, map[string]string{"x.trc": s.String()}, report.Options{})
	want := []report.ClientSum{{ClientID: "u1", Sessions: 3, Executions: 6, ElapsedUS: 6000}, {ClientID: "u2", Sessions: 3, Executions: 3, ElapsedUS: 3000}}
	if fmt.Sprint(m.Clients) != fmt.Sprint(want) {
		t.Fatalf("clients %+v, want %+v", m.Clients, want)
	}
	txt := asText(t, m)
	for _, w := range []string{"CLIENTS (client identifier", "0.006000 6 3 u1 / - / -", "0.003000 3 3 u2 / - / -", "SESSIONS", "101.1 0.005000 0.003000"} {
		if !strings.Contains(txt, w) {
			t.Errorf("the text lacks %q:\n%s", w, txt[strings.Index(txt, "LONGEST"):])
		}
	}
	if h := page(t, m); !strings.Contains(h, `id="clients"`) || !strings.Contains(h, "<td>u2</td>") {
		t.Error("the page has no clients")
	}
	one := load(t, map[string]string{"x.trc": unzoned}, report.Options{})
	if txt := asText(t, one); strings.Contains(txt, "CLIENTS") || strings.Contains(txt, "SESSIONS") {
		t.Error("one session of one client needs neither table")
	}
}
