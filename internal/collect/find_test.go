package collect_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
)

// V$PROCESS knows of a file that the journal does not (an identifier was set
// later): both are taken. A later process in the same slot is not ours. A
// session of which no path is known is looked for in the folder of its ADR, by
// the pid; V$DIAG_INFO may be all that names that folder.
func TestWhatTheDatabaseAndTheADRName(t *testing.T) {
	w := newWorld(t)
	w.put("SHOP1_ora_1.trc", session(10, 100)+calls)
	w.put("SHOP1_ora_1_later.trc", session(10, 100)+calls)
	w.put("SHOP1_ora_999.trc", session(11, 111)+calls)
	w.put("SHOP1_ora_555.trc", session(12, 120)+calls)
	w.put("SHOP1_ora_5550.trc", session(12, 120)+calls)
	w.arm(1, 10, 100, "1", w.path("SHOP1_ora_1.trc"))
	w.arm(1, 11, 110, "2", w.path("SHOP1_ora_2.trc"))
	w.arm(1, 12, 120, "555", "")
	db := fakeDB(t, func(q string) [][]any {
		switch {
		case strings.Contains(q, "gv$process"):
			return [][]any{
				{"1", "11", "1", "1", w.path("SHOP1_ora_1_later.trc")},
				{"1", "12", "2", "999", w.path("SHOP1_ora_999.trc")}, // another incarnation of slot 12
			}
		case strings.Contains(q, "gv$diag_info"):
			return [][]any{{"1", w.home}}
		}
		return nil
	})
	var err error
	w.opt.Database, err = collect.AskDatabase(context.Background(), db, armedAt)
	must(t, err)
	c := w.collect()
	c.wantRow(t, 10, "SHOP1_ora_1.trc", bundle.Collected)
	c.wantRow(t, 10, "SHOP1_ora_1_later.trc", bundle.Collected)
	if by := c.row(10, "SHOP1_ora_1_later.trc").FoundBy; !slices.Contains(by, "v$process") {
		t.Errorf("found by %v", by)
	}
	c.wantRow(t, 11, "", bundle.Missing, "not there")
	if c.row(11, "SHOP1_ora_999.trc") != nil {
		t.Error("the file of a later process in the slot was taken")
	}
	c.wantRow(t, 12, "SHOP1_ora_555.trc", bundle.Collected)
	if by := c.row(12, "").FoundBy; !slices.Contains(by, "adr") {
		t.Errorf("found by %v", by)
	}
	if c.row(12, "SHOP1_ora_5550.trc") != nil {
		t.Error("the file of another pid was taken")
	}
}

// A trace that was removed under its process and made anew, and two processes
// that had the same pid one after the other, are one file, of which each
// session has its part; nothing of it is dropped.
func TestRecreatedFileAndReusedPid(t *testing.T) {
	w := newWorld(t)
	text := header("/a.trc", "SHOP1", "db1") + "*** TRACE FILE RECREATED AFTER BEING REMOVED ***\n\n" + session(10, 100) + calls +
		header("/a.trc", "SHOP1", "db1") + session(20, 200) + calls + calls
	w.put("SHOP1_ora_1.trc", text)
	w.arm(1, 10, 100, "1", w.path("SHOP1_ora_1.trc"))
	w.arm(1, 20, 200, "1", w.path("SHOP1_ora_1.trc"))
	c := w.collect()
	c.wantBytes(t, "1/SHOP1_ora_1.trc", text)
	a, b := *c.row(10, "").Text, *c.row(20, "").Text
	if a != int64(len(calls)) || b != int64(2*len(calls)) {
		t.Errorf("%d and %d bytes of text, want %d and %d", a, b, len(calls), 2*len(calls))
	}
}

// The alert log is asked from the campaign's begin on; a line of details that
// comes as a row of its own belongs to its incident
// (facts/views-and-sqlplus.md 5).
func TestAlertRowsOfAnIncident(t *testing.T) {
	asked := ""
	db := fakeDB(t, func(q string) [][]any {
		if !strings.Contains(q, "v$diag_alert_ext") {
			return nil
		}
		asked = q
		return [][]any{
			{"Errors in file /u/trace/S_ora_1.trc  (incident=48974) (PDBNAME=PDB):\nORA-00700: soft internal error\n"},
			{"Errors in file /u/trace/S_ora_2.trc  (incident=7):\nORA-00600: x\nIncident details in: /u/incident/incdir_7/S_ora_2_i7.trc\n"},
			{"Incident details in: /u/incident/incdir_48974/S_ora_1_i48974.trc\n"},
			{"Incident details in: /u/incident/incdir_9/S_ora_3_i9.trc\n"},
		}
	})
	d, err := collect.AskDatabase(context.Background(), db, armedAt)
	must(t, err)
	if !strings.Contains(asked, "originating_timestamp") {
		t.Errorf("the whole log was asked for: %s", asked)
	}
	want := []string{"/u/incident/incdir_48974/S_ora_1_i48974.trc", "/u/incident/incdir_7/S_ora_2_i7.trc"}
	if len(d.Alerts) != 2 {
		t.Fatalf("%d groups", len(d.Alerts))
	}
	for i, g := range d.Alerts {
		if len(g.Details) != 1 || g.Details[0] != want[i] {
			t.Errorf("group %d has %v, want %s", i, g.Details, want[i])
		}
	}
}

// Without the grant that the alert log's view needs the note names it
// (facts/views-and-sqlplus.md 3.1).
func TestNoteNamesTheGrantOfTheAlertLog(t *testing.T) {
	d, err := collect.AskDatabase(context.Background(), refusing{fakeDB(t, func(string) [][]any { return nil }), "v$diag_alert_ext"}, armedAt)
	must(t, err)
	if len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "grant select on sys.v_$diag_alert_ext") {
		t.Errorf("notes %q", d.Notes)
	}
}

// refusing has no grant on one view.
type refusing struct {
	*sql.DB
	view string
}

func (r refusing) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if strings.Contains(query, r.view) {
		return nil, errors.New("ORA-00942: table or view does not exist")
	}
	return r.DB.QueryContext(ctx, query, args...)
}
