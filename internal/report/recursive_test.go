package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// sysTrace has two statements that make SYS run one of its own, the first another
// one besides, and one that has no caller in the trace. SYS runs things below its
// own, too.
func sysTrace() string {
	tim := 1_000_000
	var b strings.Builder
	parse := func(cursor, depth, user int, text string) {
		tim += 10
		fmt.Fprintf(&b, "=====================\nPARSING IN CURSOR #%d len=%d dep=%d uid=%d oct=3 lid=%d tim=%d hv=%d ad='7f' sqlid='%s'\n%s\nEND OF STMT\n",
			cursor, len(text), depth, user, user, tim, tracefile.HashOf([]byte(text)), tracefile.SQLIDOf([]byte(text)), text)
	}
	exec := func(cursor, depth, elapsed, gets int) {
		tim += 200
		fmt.Fprintf(&b, "EXEC #%d:c=10,e=%d,p=0,cr=%d,cu=0,mis=0,r=1,dep=%d,og=1,plh=1,tim=%d\n", cursor, elapsed, gets, depth, tim)
	}
	parse(7, 1, 0, "select orphan from sys.x")
	exec(7, 1, 50, 7)
	parse(1, 0, 90, "select a from t1")
	tim += 500 // nothing before belongs to what follows
	parse(3, 1, 0, "select dict from obj$")
	parse(4, 2, 0, "select seg from seg$")
	exec(4, 2, 20, 3)
	exec(3, 1, 250, 5)
	exec(3, 1, 100, 5)
	exec(1, 0, 900, 20)
	parse(2, 0, 90, "select b from t2")
	exec(3, 1, 40, 4)
	exec(2, 0, 300, 9)
	return strings.SplitAfter(ringTrace, "action: pay")[0][:strings.Index(ringTrace, "Trace output buffer")] + b.String()
}

// TestRecursiveSYS: what SYS ran is one row for each caller, nothing is lost, and
// JSON has the statements one by one.
func TestRecursiveSYS(t *testing.T) {
	m := load(t, map[string]string{"a.trc": sysTrace()}, report.Options{})
	dict, seg, orphan := tracefile.SQLIDOf([]byte("select dict from obj$")), tracefile.SQLIDOf([]byte("select seg from seg$")), tracefile.SQLIDOf([]byte("select orphan from sys.x"))
	want := map[string][]any{
		tracefile.SQLIDOf([]byte("select a from t1")): {int64(3), int64(350), int64(10), dict + " " + seg},
		tracefile.SQLIDOf([]byte("select b from t2")): {int64(1), int64(40), int64(4), dict},
		"": {int64(1), int64(50), int64(7), orphan},
	}
	if len(m.Recursive) != len(want) {
		t.Fatalf("%d rows: %+v", len(m.Recursive), m.Recursive)
	}
	for _, r := range m.Recursive {
		w := want[strings.TrimPrefix(text(r.Parent), "(null)")]
		if w == nil {
			t.Errorf("row below %s", text(r.Parent))
			continue
		}
		equal(t, "executions", r.Exec.Count, w[0].(int64))
		equal(t, "self", r.SelfUS, w[1].(int64))
		equal(t, "gets", r.Exec.Query, w[2].(int64))
		equal(t, "statements", strings.Join(r.Statements, " "), w[3].(string))
	}
	var all, folded report.Calls
	for _, s := range m.Statements {
		if s.User != nil && *s.User == 0 {
			all.Count, all.ElapsedUS, all.Query = all.Count+s.Exec.Count, all.ElapsedUS+s.Exec.ElapsedUS, all.Query+s.Exec.Query
		}
	}
	for _, r := range m.Recursive {
		folded.Count, folded.ElapsedUS, folded.Query = folded.Count+r.Exec.Count, folded.ElapsedUS+r.Exec.ElapsedUS, folded.Query+r.Exec.Query
	}
	equal(t, "sum of the rows", folded, all)

	var b bytes.Buffer
	if err := m.WriteText(&b, 120); err != nil {
		t.Fatal(err)
	}
	ranking := between(b.String(), "\nSTATEMENTS (", "\nTOTALS")
	equal(t, "rows of SYS", strings.Count(ranking, " - (SYS) "), 3)
	if strings.Contains(ranking, "\n  2 "+dict) || !strings.Contains(b.String(), "SYS ran below it: 2 statements, 3 executions, 0.000350 s") {
		t.Errorf("text:\n%s", b.String())
	}
	b.Reset()
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	equal(t, "rows of SYS in the page", strings.Count(page, `<tr class="sys">`), 3)
	for _, a := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+a[1]+`"`) {
			t.Errorf("a link to %s leads nowhere", a[1])
		}
	}
	b.Reset()
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Statements []struct {
			SQLID string `json:"sql_id"`
		} `json:"statements"`
		Recursive []struct{} `json:"recursive_sys"`
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	equal(t, "statements in JSON", len(doc.Statements), 5)
	equal(t, "rows in JSON", len(doc.Recursive), 3)

	m = load(t, map[string]string{"a.trc": sysTrace()}, report.Options{Recursive: true})
	b.Reset()
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if ranking := between(b.String(), "\nSTATEMENTS (", "\nTOTALS"); strings.Contains(ranking, "(SYS)") || !strings.Contains(ranking, dict) {
		t.Errorf("--recursive:\n%s", ranking)
	}
	m = load(t, map[string]string{"a.trc": sysTrace()}, report.Options{SQL: []string{dict}})
	b.Reset()
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\nSTATEMENT 2  "+dict) && !strings.Contains(b.String(), "\nSTATEMENT 1  "+dict) {
		t.Errorf("--sql of a statement of SYS:\n%s", b.String())
	}
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}
