package watch_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ringtrace/internal/control"
	"ringtrace/internal/watch"
)

func TestTable(t *testing.T) {
	at := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	user, file, ora, why := "APP", "/u01/x_ora_1.trc", 1555, "gone"
	s := &control.SessionDoc{InstID: 1, SID: 41, Serial: 7, Username: &user, Tracefile: &file}
	tab := &watch.Table{Stop: "ringtrace disable --campaign w1", Until: ", until 19:00", Rows: 2}
	tab.Add(watch.Line{At: at, Kind: watch.LineArmed, Session: s}, &watch.Totals{Watched: 1, Armed: 1})
	tab.Add(watch.Line{At: at.Add(time.Minute), Kind: watch.LineFired, Session: s, Ora: &ora}, &watch.Totals{Watched: 1, Armed: 1, Hits: 1, ByOra: map[int]int{1555: 1}})
	tab.Add(watch.Line{At: at.Add(2 * time.Minute), Kind: watch.LineLeft, Session: s, Reason: &why}, &watch.Totals{Armed: 1, Left: 1, Hits: 1, ByOra: map[int]int{1555: 1}})
	got := strings.Join(tab.Render("w1", at.Add(3*time.Minute), 200), "\n")
	want := `campaign  w1
watching  0 sessions armed, 0 pending; since 2026-03-14T15:00:00Z (3m0s), until 19:00
hits      1: ORA-01555 1
so far    1 armed, 1 left
stop it   Ctrl-C leaves them armed; this, in another terminal, takes them back:
  ringtrace disable --campaign w1

15:01:00Z  fired     ORA-01555  41,7,@1  APP  /u01/x_ora_1.trc
15:02:00Z  left      41,7,@1  APP  gone`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	tab.Add(watch.Line{At: at, Kind: watch.LineError, Session: s, Reason: &why}, &watch.Totals{Watched: 1, Errors: 1})
	if got := strings.Join(tab.Render("w1", at, 200), "\n"); !strings.Contains(got, "watching  1 session armed, 0 pending") || !strings.Contains(got, "so far    0 armed, 1 error\n") {
		t.Errorf("one of each:\n%s", got)
	}
	// The way back is whole on a terminal of 80 columns, for a local database.
	tab.Stop = "ringtrace disable -c '/ as sysdba' --campaign 20261130T201050Z-ab7d62"
	if got := tab.Render("w1", at, 80); got[5] != "  "+tab.Stop || len(got[4]) > 80 {
		t.Errorf("on 80 columns: %q", got)
	}
	for _, l := range tab.Render("w1", at, 20) {
		if utf8.RuneCountInString(l) > 20 {
			t.Errorf("%q is longer than 20", l)
		}
	}
}
