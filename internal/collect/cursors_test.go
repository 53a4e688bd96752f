package collect_test

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/collect"
	"ringtrace/internal/journal"
)

// Only cursors of our own sessions are taken: the sid of one that is gone may
// be another's. A text that fell out of V$SQL stays as far as V$OPEN_CURSOR has
// it. No query reads V$SQL as a whole.
func TestCursorsAreOfTheSameSessions(t *testing.T) {
	var asked []string
	db := fakeDB(t, func(q string) [][]any {
		asked = append(asked, q)
		switch {
		case strings.Contains(q, "open_cursor"):
			return [][]any{
				{"1", "34", "5", "aaaaaaaaaaaaa", "select a"},
				{"1", "34", "99", "bbbbbbbbbbbbb", "of the next session"},
				{"1", "35", "6", "aaaaaaaaaaaaa", "select a"},
				{"1", "35", "6", "ccccccccccccc", "select c beg"},
			}
		case strings.Contains(q, "gv$sql"):
			return [][]any{{"aaaaaaaaaaaaa", "77", "select a from whole"}}
		}
		return nil
	})
	var list []*journal.SessionState
	for sid, serial := range map[int]int{34: 5, 35: 6} {
		list = append(list, &journal.SessionState{Session: journal.Session{InstID: 1, SID: sid, Serial: serial}})
	}
	got, note := collect.Cursors(context.Background(), db, list)
	if note != "" || len(got) != 2 {
		t.Fatalf("%+v %q", got, note)
	}
	if got[0].Text != "select a from whole" || got[0].PlanHash != 77 || len(got[0].Seen) != 2 || got[1].Text != "select c beg" {
		t.Errorf("cursors %+v", got)
	}
	for _, q := range asked {
		if strings.Contains(q, "gv$sql") && !strings.Contains(q, "sql_id in (:1") {
			t.Errorf("reads all of V$SQL: %s", q)
		}
	}
}
