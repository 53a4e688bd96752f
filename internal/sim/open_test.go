package sim

import (
	"context"
	"strings"
	"testing"
	"time"

	"ringtrace/sessions"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

// TestFinderOnTheSimulator runs the product's own statements on every
// release, alone and as RAC, and counts what the contract promises.
func TestFinderOnTheSimulator(t *testing.T) {
	for _, rel := range []string{"11.2", "12.1", "12.2", "19c", "21c", "23ai"} {
		for _, inst := range []string{"1", "3"} {
			t.Run(rel+"/"+inst, func(t *testing.T) {
				spec, err := ParseSpec("?release=" + rel + "&instances=" + inst + "&sessions=40")
				if err != nil {
					t.Fatal(err)
				}
				db, _, err := Open(context.Background(), spec, fixedNow)
				if err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := db.Close(); err != nil {
						t.Error(err)
					}
				}()
				f, err := sessions.Open(context.Background(), db)
				if err != nil {
					t.Fatal(err)
				}
				inv, err := f.Inventory(context.Background(), &sessions.Selector{AllApp: true})
				if err != nil {
					t.Fatal(err)
				}
				reasons := map[sessions.Reason]int{}
				for _, r := range inv.Rows {
					reasons[r.Reason]++
					if r.Selected && (r.Orapid == 0 || r.ProcessSerial == 0 || r.Ospid == "" || r.Tracefile == "" || r.LogonTime.IsZero()) {
						t.Errorf("a selected row lacks its identity: %+v", r.Session)
					}
				}
				want := map[sessions.Reason]int{"matched": 40, "own_session": 1, "killed": 1, "px_slave": 1, "job_slave": 1}
				for k, n := range want {
					if reasons[k] != n {
						t.Errorf("%d rows are %s, want %d (all: %v)", reasons[k], k, n, reasons)
					}
				}
				if reasons["not_dedicated"]+reasons["shared_process"] != 1 {
					t.Errorf("the shared session: %v", reasons)
				}
				if len(inv.Instances) != len(inst)*int(inst[0]-'0') || inv.Instances[0].Version == "" {
					t.Errorf("instances: %+v", inv.Instances)
				}
			})
		}
	}
}

func TestParseSpecRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"?release=9i":      "not simulated",
		"?sessions=-1":     "no number from 0",
		"?seed=x":          "no whole number",
		"?colour=red":      "unknown key",
		"?assume=nonsense": "no assumption",
		"?instances=12":    "no number from 1 to 9",
		"?windows=maybe":   "neither on nor off",
	} {
		if _, err := ParseSpec(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseSpec(%s) = %v, want %q in it", in, err, want)
		}
	}
	for value, want := range map[string]bool{"": true, "=1": true, "=on": true, "=true": true, "=0": false, "=off": false} {
		if s, err := ParseSpec("?windows" + value + "&threaded" + value); err != nil || s.Windows != want || s.Threaded != want {
			t.Errorf("windows%s: %v, %v, %v", value, s.Windows, s.Threaded, err)
		}
	}
	s, err := ParseSpec("")
	if err != nil || s.Sessions != DefaultSessions || s.Seed != 1 {
		t.Errorf("ParseSpec() = %+v, %v", s, err)
	}
}
