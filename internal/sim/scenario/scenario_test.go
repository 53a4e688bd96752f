package scenario

import (
	"context"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
	"ringtrace/internal/sim/tracegen"
	"ringtrace/oradebug"
)

func build(t *testing.T) *instance.Database {
	t.Helper()
	r, err := release.Find("19c")
	if err != nil {
		t.Fatal(err)
	}
	db := instance.New(instance.Config{
		Release: r, Sessions: 20, Seed: 1, Now: func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) },
		ErrorText: func(int) string { return "simulated" },
	})
	db.Quiet(20)
	return db
}

// TestBuiltins carries out every scenario that comes with the program, with
// every target armed.
func TestBuiltins(t *testing.T) {
	if len(Names()) < 7 {
		t.Fatalf("only %v", Names())
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			sc, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if sc.Name != name || sc.About == "" {
				t.Errorf("name %q, about %q", sc.Name, sc.About)
			}
			db := build(t)
			spec, err := oradebug.ParseSpec("sql_trace wait=true, bind=true trace_buffer_on(20000):1 trace name errorstack level 1:60 trace name errorstack level 1:1555 trace name errorstack level 1")
			if err != nil {
				t.Fatal(err)
			}
			db.Locked(func() {
				for _, s := range db.Instances[0].Sessions() {
					if s.Eligible {
						s.Proc.Set(instance.OfSession, spec)
					}
				}
			})
			if err := Run(context.Background(), db, tracegen.New(db, 1), sc); err != nil {
				t.Fatal(err)
			}
			wrapped, fired := false, false
			for _, s := range Show(db).Sessions {
				wrapped = wrapped || s.Ring != nil && s.Ring.Wraps > 0
				fired = fired || s.TraceBytes > 2000
			}
			switch name {
			case "hog":
				if !wrapped {
					t.Error("no ring wrapped")
				}
			case "deadlock", "snapshot-too-old", "unique-violations":
				if !fired {
					t.Error("no error fired")
				}
			case "quiet", "idle":
				if fired || wrapped {
					t.Error("something happened")
				}
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"[[step]]\ndo = 'dance'":                      "step 1: do = \"dance\"; there are work",
		"[[step]]\ndo = 'raise'":                      "step 1: raise needs ora",
		"[[step]]\ndo = 'work'\nsessions = -1":        "a count is negative",
		"[[step]]\ndo = 'sleep'\npause = 'long'":      "no duration such as 10s",
		"[[step]]\ndo = 'work'\nstatments = 5":        "unknown key step.statments",
		"[[step]]\ndo = 'connect'":                    "connect needs user",
		"[[step]]\ndo = 'fault'":                      "there is no fault",
		"[[step]]\ndo = 'fault'\nfault='trace-limit'": "no size",
		"[[step]]\ndo = 'work'\nfault='disk-full'":    "belongs to do",
		"name = ": "x.toml: ",
		"[[step]]\ndo = 'work'\nsessions = 'many'\n": "x.toml: ",
	} {
		if _, err := Parse("x.toml", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
	if _, err := Load("nowhere"); err == nil || !strings.Contains(err.Error(), "the scenarios are deadlock dying hog") {
		t.Errorf("Load(nowhere) = %v", err)
	}
}

// TestShow: what the contract promises of sim show.
func TestShow(t *testing.T) {
	db := build(t)
	users, eligible := 0, 0
	for _, s := range Show(db).Sessions {
		if s.Events == nil {
			t.Errorf("events of %d is null", s.SID)
		}
		if s.Username == nil {
			continue
		}
		users++
		if s.Eligible {
			eligible++
			if !s.Alive || s.Orapid == nil || s.Tracefile == nil || s.Ring != nil || s.SQLTrace || s.TraceBytes != 0 {
				t.Errorf("a quiet session: %+v", s)
			}
		}
		if *s.Username == "LEGACY" && (s.Alive || s.Orapid != nil || s.Status != "KILLED") {
			t.Errorf("the killed session: %+v", s)
		}
	}
	if users != 24 || eligible != 20 {
		t.Errorf("%d users, %d eligible; want 24 and 20", users, eligible)
	}
}

// TestFaultStep: a scenario orders faults; those of a session go to its
// targets.
func TestFaultStep(t *testing.T) {
	db := build(t)
	sc, err := Parse("x.toml", "name='x'\n[[step]]\ndo='fault'\nfault='disk-full'\n[[step]]\ndo='fault'\nfault='end-process'\nuser='BATCH'\nsessions=2\n")
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, s := range Show(db).Sessions {
			if s.Username != nil && *s.Username == "BATCH" {
				n++
			}
		}
		return n
	}
	before := count()
	if err := Run(context.Background(), db, tracegen.New(db, 1), sc); err != nil {
		t.Fatal(err)
	}
	if _, on := db.Faults.Get(fault.DiskFull); !on {
		t.Error("the disk is not full")
	}
	if after := count(); before-after != 2 {
		t.Errorf("%d BATCH sessions before, %d after; want two fewer", before, after)
	}
}
