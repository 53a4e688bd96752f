package instance

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ringtrace/internal/sim/release"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

func testDB(t interface{ Fatal(...any) }, instances, sessions int, seed int64) *Database {
	r, err := release.Find("19c")
	if err != nil {
		t.Fatal(err)
	}
	d := New(Config{Release: r, Instances: instances, Sessions: sessions, Seed: seed, Now: fixedNow})
	d.Quiet(sessions)
	return d
}

// TestQuietShares: the contract's default scenario, for any size.
func TestQuietShares(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 150).Draw(rt, "sessions")
		inst := rapid.IntRange(1, 4).Draw(rt, "instances")
		d := testDB(rt, inst, n, rapid.Int64().Draw(rt, "seed"))
		by, never, eligible := map[string]int{}, map[string]int{}, 0
		for _, in := range d.Instances {
			pids, sids := map[int]bool{}, map[int]bool{}
			for _, p := range in.Processes() {
				if pids[p.Orapid] {
					rt.Fatalf("orapid %d is there twice", p.Orapid)
				}
				pids[p.Orapid] = true
			}
			for _, s := range in.Sessions() {
				if sids[s.SID] || s.Serial == 0 {
					rt.Fatalf("sid %d is there twice or has no serial", s.SID)
				}
				sids[s.SID] = true
				if s.Type != "USER" {
					continue
				}
				if s.Eligible {
					eligible++
					by[s.Username]++
					if s.Server != "DEDICATED" || s.Proc == nil || len(s.Proc.sessions) != 1 {
						rt.Fatalf("an eligible session of %s is %s with %v", s.Username, s.Server, s.Proc)
					}
				} else {
					never[s.Username]++
				}
				if !s.Events.Empty() {
					rt.Fatal("somebody is traced")
				}
			}
		}
		if eligible != n || by["APP"] != n*60/100 || by["BATCH"] != n*20/100 || by["REPORT"] != n*10/100 {
			rt.Fatalf("of %d sessions: %v", n, by)
		}
		if want := map[string]int{"WEBSHARED": 1, "LEGACY": 1, "DSS": 1, "SCHED": 1}; !reflect.DeepEqual(never, want) {
			rt.Fatalf("never-targets %v, want %v", never, want)
		}
	})
}

// describe lists everything that identifies the content.
func describe(d *Database) []string {
	out := []string{fmt.Sprint(d.DBID)}
	for _, in := range d.Instances {
		out = append(out, fmt.Sprint(in.Name, in.StartupTime))
		for _, p := range in.Processes() {
			out = append(out, fmt.Sprint(p.Orapid, p.Serial, p.Spid, p.Image(), p.TracePath()))
		}
		for _, s := range in.Sessions() {
			out = append(out, fmt.Sprint(s.SID, s.Serial, s.Username, s.Module, s.Machine, s.LogonTime, s.SQLID))
		}
	}
	return out
}

func TestSameSeedSameContent(t *testing.T) {
	a, b := describe(testDB(t, 2, 60, 7)), describe(testDB(t, 2, 60, 7))
	if !reflect.DeepEqual(a, b) {
		t.Error("two databases of one seed differ")
	}
	if reflect.DeepEqual(a, describe(testDB(t, 2, 60, 8))) {
		t.Error("two seeds give the same database")
	}
}

// TestSlotsAreReused: orapid and sid come back at once, with other serials
// (facts/views-and-sqlplus.md 2.3).
func TestSlotsAreReused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := testDB(rt, 1, 10, 3)
		in := d.Instances[0]
		type inc struct{ slot, serial int }
		seenP, seenS := map[inc]bool{}, map[inc]bool{}
		var open []*Session
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(rt, "leave") {
				i := rapid.IntRange(0, len(open)-1).Draw(rt, "who")
				s := open[i]
				open = append(open[:i], open[i+1:]...)
				pid, sid := s.Proc.Orapid, s.SID
				d.Logoff(s)
				n, err := d.Logon(in, Logon{User: "APP"})
				if err != nil {
					rt.Fatal(err)
				}
				if n.Proc.Orapid > pid || n.SID != sid {
					rt.Fatalf("slots %d/%d were free, the next logon got %d/%d", pid, sid, n.Proc.Orapid, n.SID)
				}
				open = append(open, n)
			} else {
				s, err := d.Logon(in, Logon{User: "APP"})
				if err != nil {
					rt.Fatal(err)
				}
				open = append(open, s)
			}
			s := open[len(open)-1]
			p, q := inc{s.Proc.Orapid, s.Proc.Serial}, inc{s.SID, s.Serial}
			if seenP[p] || seenS[q] {
				rt.Fatalf("incarnation %v or %v came back", p, q)
			}
			seenP[p], seenS[q] = true, true
		}
	})
}
