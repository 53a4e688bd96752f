package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// historyOf is the trace of a session that runs one statement n times, a second
// apart from start on, and fails the last time if it should.
func historyOf(sid, start, n int, fails bool) string {
	p := &tape{tim: int64(start) * 1_000_000}
	at := fmt.Sprintf("2026-03-01T10:00:%02d.000000+01:00", start)
	fmt.Fprintf(p, "Trace file /u01/db1_ora_%d.trc\nInstance name: db1\n\n*** %s\n*** SESSION ID:(%d.7) %s\n\n", sid, at, sid, at)
	p.parsing(7, "update t set n=n where id=:1")
	for i := range n {
		fmt.Fprintf(p, "BINDS #7:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05\n  value=%d\n", sid*100+i)
		p.call("EXEC", 7, 90, 1_000_000, 1, 0, 1)
	}
	if fails {
		fmt.Fprintf(p, "ERROR #7:err=60 tim=%d\n", p.tim)
	}
	return p.String()
}

// TestExecutionsOfSeveralSessions: the executions of the failing statement are in
// the order of time, say of which session each is, and hold the failing one however
// busy others were afterwards.
func TestExecutionsOfSeveralSessions(t *testing.T) {
	m := load(t, map[string]string{"a.trc": historyOf(2, 10, 3, true), "b.trc": historyOf(1, 1, 40, false)}, report.Options{ORA: []int64{60}})
	equal(t, "executions", len(m.History), 20)
	failed := -1
	for i := range m.History {
		if m.History[i].ORA == 60 {
			failed = i
		}
		if i > 0 && *m.History[i].At < *m.History[i-1].At {
			t.Errorf("%s comes behind %s", *m.History[i].At, *m.History[i-1].At)
		}
	}
	if failed != 12 { // ten of the other session and two of its own had begun by then
		t.Fatalf("the failing execution is number %d of\n%+v", failed, m.History)
	}
	var txt, page strings.Builder
	if err := m.WriteText(&txt, 80); err != nil {
		t.Fatal(err)
	}
	list := between(txt.String(), "EXECUTIONS OF THE FAILING", "FAILURES")
	for _, want := range []string{"[2.7] L34 ", "[1.7] L"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is missing in\n%s", want, list)
		}
	}
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	equal(t, "a column for the session", strings.Contains(page.String(), "<table><tr><th>session</th><th class=\"n\">line</th><th>outcome</th>"), true)

	m = load(t, map[string]string{"a.trc": historyOf(2, 10, 3, true)}, report.Options{})
	equal(t, "of one session", len(m.History), 3)
	equal(t, "none for one", m.HistoryOf().Sessions, false)
}
