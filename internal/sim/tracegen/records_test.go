package tracegen

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// written is the trace of a session that works at 02:05:07.
func written(t *testing.T, rel string, trace string) string {
	t.Helper()
	r, err := release.Find(rel)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 3, 4, 2, 5, 7, 0, time.UTC) }
	db := instance.New(instance.Config{Release: r, Sessions: 10, Seed: 1, Now: now, ErrorText: func(int) string { return "simulated" }})
	db.Quiet(10)
	g := New(db, 1)
	text := ""
	for _, s := range db.Instances[0].Sessions() {
		if !s.Eligible {
			continue
		}
		arm(t, db, s, "session_event "+trace)
		g.Work(s, 60)
		data, err := db.Store.ReadFile(s.Proc.TracePath())
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	return text
}

var (
	statRecord = regexp.MustCompile(`(?m)^STAT #(\d+) id=(\d+) cnt=\d+ pid=(\d+) .*\(cr=(\d+) .*time=(\d+)`)
	callRecord = regexp.MustCompile(`(?m)^(?:EXEC|FETCH) #(\d+):.*,cr=(\d+),`)
)

// What a plan line took holds what its children took, and none read more than the
// calls did (facts/trace-format.md 8).
func TestPlanLinesHoldTheirChildren(t *testing.T) {
	type line struct{ pid, cr, took int }
	for _, rel := range []string{"11.2", "19c", "23ai"} {
		text := written(t, rel, "sql_trace wait=true, bind=true, plan_stat=all_executions")
		most := map[string]int{} // consistent reads of the calls, by cursor
		for _, m := range callRecord.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[2])
			most[m[1]] += n
		}
		plans, deep := 0, 0
		var plan []line
		check := func() {
			for id, l := range plan {
				cr, took := 0, 0
				for _, child := range plan[id+1:] {
					if child.pid == id+1 {
						cr, took = max(cr, child.cr), took+child.took
					}
				}
				if l.took < took || l.cr < cr {
					t.Errorf("%s: line %d took %d us and read %d, its children %d and %d", rel, id+1, l.took, l.cr, took, cr)
				}
			}
		}
		for _, m := range statRecord.FindAllStringSubmatch(text, -1) {
			id, _ := strconv.Atoi(m[2])
			pid, _ := strconv.Atoi(m[3])
			cr, _ := strconv.Atoi(m[4])
			took, _ := strconv.Atoi(m[5])
			if id == 1 {
				check()
				plan = nil
				plans++
			}
			if plan = append(plan, line{pid, cr, took}); len(plan) != id || pid >= id || cr > most[m[1]] {
				t.Errorf("%s: %s, the calls read %d", rel, m[0], most[m[1]])
			}
			deep = max(deep, id)
		}
		check()
		if plans < 20 || deep < 3 {
			t.Errorf("%s: %d plans of up to %d lines: nothing was shown", rel, plans, deep)
		}
	}
}

// A date among the binds has no leading zeros (facts/trace-format.md 7).
func TestDateBinds(t *testing.T) {
	text := written(t, "19c", "sql_trace wait=true, bind=true")
	dates := regexp.MustCompile(`(?m)oacdty=12 .*\n.*\n.*\n  value=(.*)$`).FindAllStringSubmatch(text, -1)
	if len(dates) == 0 {
		t.Fatal("no date was bound")
	}
	for _, m := range dates {
		if m[1] != `"3/4/2026 2:5:7"` {
			t.Errorf("value=%s", m[1])
		}
	}
	if got := dateBind(time.Date(2017, 6, 26, 9, 58, 26, 0, time.UTC)); got != `"6/26/2017 9:58:26"` {
		t.Errorf("the example of the facts is %s", got)
	}
}
