package release

import (
	"strings"
	"testing"
)

func TestReleases(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"11.2", "12.1", "12.2", "19c", "21c", "23ai"} // CONTRACT: sim up --release
	if len(all) != len(want) {
		t.Fatalf("%d releases, want %d", len(all), len(want))
	}
	for i, r := range all {
		if r.Name != want[i] {
			t.Errorf("release %d is %s, want %s", i, r.Name, want[i])
		}
		if i > 0 && all[i-1].Rank >= r.Rank {
			t.Errorf("%s: rank %d does not follow %d", r.Name, r.Rank, all[i-1].Rank)
		}
		if r.Language().Major == 0 {
			t.Errorf("%s: version %q is none that package oradebug knows", r.Name, r.Version)
		}
		h, err := r.WriteHeader(Header{
			Path: "/d/x.trc", Instance: "ORCL", Orapid: 38, Spid: "52490",
			ProcessLine: "Unix process pid: 52490, image: oracle@h",
		})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(h, "Trace file /d/x.trc\n") || !strings.Contains(h, "\nOracle process number: 38\n") ||
			!strings.Contains(h, "52490") || !strings.HasSuffix(h, "\n\n") {
			t.Errorf("%s: header lacks a part:\n%s", r.Name, h)
		}
	}
}

func TestFind(t *testing.T) {
	for in, want := range map[string]string{"": "19c", "19": "19c", "19c": "19c", "26ai": "23ai", "11.2": "11.2"} {
		r, err := Find(in)
		if err != nil || r.Name != want {
			t.Errorf("Find(%q) = %v, %v; want %s", in, r, err, want)
		}
	}
	if _, err := Find("9i"); err == nil || !strings.Contains(err.Error(), "11.2, 12.1") {
		t.Errorf("Find(9i) = %v, want an error that lists the releases", err)
	}
}

// TestColumnsByRelease: facts/views-and-sqlplus.md 1.1.
func TestColumnsByRelease(t *testing.T) {
	has := func(release, view, column string) bool {
		r, err := Find(release)
		if err != nil {
			t.Fatal(err)
		}
		vs, err := r.Views()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vs {
			if v.Name == view {
				for _, c := range v.Columns {
					if c.Name == column {
						return true
					}
				}
			}
		}
		return false
	}
	for _, c := range []struct {
		view, column string
		from         string
		before       string
	}{
		{"V$PROCESS", "STID", "12.1", "11.2"},
		{"V$SESSION", "CON_ID", "12.1", "11.2"},
		{"V$DIAG_TRACE_FILE_CONTENTS", "PAYLOAD", "12.2", "12.1"},
		{"V$PDBS", "NAME", "12.1", "11.2"},
		{"V$PROCESS", "ATTRIBUTES", "23ai", "21c"},
		{"GV$SESSION", "CON_ID", "12.1", "11.2"},
		{"GV$PDBS", "NAME", "12.1", "11.2"},
		{"DBA_USERS", "ORACLE_MAINTAINED", "12.1", "11.2"},
	} {
		if !has(c.from, c.view, c.column) {
			t.Errorf("%s.%s is missing in %s", c.view, c.column, c.from)
		}
		if has(c.before, c.view, c.column) {
			t.Errorf("%s.%s is there in %s already", c.view, c.column, c.before)
		}
	}
	if !has("11.2", "GV$SESSION", "INST_ID") || !has("11.2", "V$PROCESS", "TRACEFILE") {
		t.Error("11.2 lacks GV$SESSION.INST_ID or V$PROCESS.TRACEFILE")
	}
}
