package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ringtrace/internal/estimate"
	"ringtrace/internal/sim/instance"
	"ringtrace/sessions"
)

// shortLine is the line that generate and enable print.
var shortLine = regexp.MustCompile(`(?m)^ringtrace: by their activity since logon the rings hold about ([0-9.]+) (s|min|h|days) \(the busiest session ([0-9.]+) (s|min|h|days)\); tracing costs ([0-9.]+) to ([0-9.]+) % of a CPU; more: ringtrace estimate(?: -c .*)?$`)

// told is what a short line says, in seconds and percent.
type told struct{ held, busiest, low, high float64 }

func readShort(text string) (told, error) {
	m := shortLine.FindAllStringSubmatch(text, -1)
	if len(m) != 1 {
		return told{}, fmt.Errorf("%d short lines in:\n%s", len(m), text)
	}
	unit := map[string]float64{"s": 1, "min": 60, "h": 3600, "days": 86400}
	n := func(i int) float64 { v, _ := strconv.ParseFloat(m[0][i], 64); return v } // the expression matched digits
	return told{n(1) * unit[m[0][2]], n(3) * unit[m[0][4]], n(5), n(6)}, nil
}

// cmdShortform demands that the short line in a file says what the one record
// in a folder holds, reckoned here anew, of so many sessions with such rings:
//
//	shortform FILE DIR SESSIONS RING
func cmdShortform(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: shortform FILE DIR SESSIONS RING")
	}
	line, err := readShort(ts.ReadFile(args[0]))
	ts.Check(err)
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[1]), "*.json"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%d records in %s", len(files), args[1])
	}
	var doc struct {
		Ring     float64 `json:"ring_bytes"`
		Basis    string  `json:"basis"`
		Sessions []struct {
			Lines   float64  `json:"lines_per_s"`
			Bytes   float64  `json:"bytes_per_s"`
			History *float64 `json:"ring_history_s"`
		} `json:"sessions"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(files[0])), &doc))
	if want := args[2] + " " + args[3] + " since_logon"; fmt.Sprintf("%d %.0f %s", len(doc.Sessions), doc.Ring, doc.Basis) != want {
		ts.Fatalf("the record has %d sessions, rings of %.0f, basis %s; want %s", len(doc.Sessions), doc.Ring, doc.Basis, want)
	}
	var held []float64
	lines := 0.0
	for _, s := range doc.Sessions {
		if s.History == nil || math.Abs(*s.History-doc.Ring/s.Bytes) > 1e-6**s.History {
			ts.Fatalf("a ring of %v holds %v s at %v bytes a second", doc.Ring, s.History, s.Bytes)
		}
		held = append(held, *s.History)
		lines += s.Lines
	}
	slices.Sort(held)
	// Two runs are seconds apart, and the age of a session is a minute: 5 %.
	want := told{held[len(held)/2], held[0], lines * 1.2e-6 * 100, lines * 15.7e-6 * 100}
	for _, x := range [][2]float64{{line.held, want.held}, {line.busiest, want.busiest}, {line.low, want.low}, {line.high, want.high}} {
		if !(math.Abs(x[0]/x[1]-1) < 0.05) {
			ts.Fatalf("the line says %+v, the record %+v", line, want)
		}
	}
}

// cmdUnpack unpacks a zip file: unpack FILE DIR.
func cmdUnpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack FILE DIR")
	}
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	for _, f := range z.File {
		to := filepath.Join(ts.MkAbs(args[1]), filepath.FromSlash(f.Name))
		ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		in, err := f.Open()
		ts.Check(err)
		data, err := io.ReadAll(in)
		ts.Check(err)
		ts.Check(in.Close())
		ts.Check(os.WriteFile(to, data, 0o600))
	}
}

// TestShortEstimateAgainstTheDisk: the line that enable and generate print,
// beside what a session that logged on and was traced from then on has really
// written. Both are averages since logon.
func TestShortEstimateAgainstTheDisk(t *testing.T) {
	w := newWorld(t, "19c", "APP", 3)
	self, err := w.d.Logon(w.d.Instances[0], instance.Logon{User: "APP", Program: "JDBC Thin Client", Machine: "appsrv01"})
	must(t, err)
	w.s = self
	w.debug("session_event sql_trace wait=true, bind=true")
	before := w.onDisk() // the file's header
	for range 120 {
		w.work.Work(w.s, 30)
		w.d.Advance(5 * time.Second)
	}
	wrote, age := float64(w.onDisk()-before), w.d.Now().Sub(self.LogonTime).Seconds()

	row := w.row()
	row.LogonTime = self.LogonTime
	snap := w.snapshot(estimate.NewReader(w.db, []sessions.Session{row}))
	const ring = 1 << 19
	r := estimate.SinceLogon(snap, []sessions.Session{row}, estimate.Options{Release: 19, Waits: true, Binds: true, Ring: ring}, estimate.PublishedCost())
	line, err := readShort("ringtrace: " + r.Short())
	must(t, err)
	want := ring / (wrote / age)
	t.Logf("%q; the disk says %.0f s", r.Short(), want)
	// Without V$SQL statements are taken as typical, which is rougher than what
	// ringtrace estimate does.
	if off := line.held/want - 1; math.Abs(off) > 0.25 {
		t.Errorf("the line says %v s, the disk %.1f s: %+.0f %%", line.held, want, 100*off)
	}
}
