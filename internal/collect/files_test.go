package collect_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/journal"
)

func TestOnlyHeaderAndMarkersIsNoTraceText(t *testing.T) {
	w := newWorld(t)
	w.put("a_1.trc", header("/a_1.trc", "SHOP1", "db1")+session(10, 100)+markers+"Oradebug command 'eventdump session' console output: \nsql_trace wait=true\n942 trace name errorstack\n\n"+markers)
	w.put("b_2.trc", header("/b_2.trc", "SHOP1", "db1")+session(11, 110)+markers+calls)
	w.put("b_2.trm", "map")
	w.put("a_1.trm", "map")
	w.arm(1, 10, 100, "1", w.path("a_1.trc"))
	w.arm(1, 11, 110, "2", w.path("b_2.trc"))
	w.finish(1, 12, 120, "3", "", journal.Skipped)
	w.arm(1, 13, 130, "4", w.path("c_4.trc"))
	w.arm(1, 14, 140, "", "")
	c := w.collect()
	c.wantRow(t, 10, "a_1.trc", bundle.Skipped, "no trace text")
	c.wantRow(t, 11, "b_2.trc", bundle.Collected)
	c.wantRow(t, 11, "b_2.trm", bundle.Collected)
	c.wantRow(t, 12, "", bundle.Skipped, "never armed")
	c.wantRow(t, 13, "c_4.trc", bundle.Missing, "not there")
	c.wantRow(t, 14, "", bundle.Missing, "no trace file is known")
	if _, ok := c.files["traces/1/a_1.trc"]; ok {
		t.Error("the skipped file is in the bundle")
	}
	if s := c.Summary; s.Sessions != 5 || s.Collected != 2 || s.Skipped != 2 || s.Missing != 2 || s.Files != 1 {
		t.Errorf("summary %+v", s)
	}
}

// An old and a new process with the same pid wrote to one file.
func TestTextIsAttributed(t *testing.T) {
	w := newWorld(t)
	old := "*** 2026-11-01T03:05:00.000000+00:00\n*** SESSION ID:(10.100) 2026-11-01T03:05:00.000000+00:00\n" + calls
	ring := "Trace output buffer of 4096 bytes wrapped 3 times\n" + calls + session(11, 110) + "----- Error Stack Dump -----\nORA-00942: x\n"
	w.put("a_1.trc", old+session(12, 120)+calls+ring)
	w.put("b_2.trc", old)
	w.put("c_3.trc", session(77, 1)+calls)
	w.put("d_4.trc", calls) // names nobody
	w.arm(1, 11, 110, "1", w.path("a_1.trc"))
	w.arm(1, 12, 120, "1", w.path("a_1.trc"))
	w.arm(1, 10, 100, "2", w.path("b_2.trc"))
	w.arm(1, 13, 130, "3", w.path("c_3.trc"))
	w.arm(1, 14, 140, "4", w.path("d_4.trc"))
	c := w.collect()
	c.wantRow(t, 11, "a_1.trc", bundle.Collected)
	c.wantRow(t, 12, "a_1.trc", bundle.Collected)
	c.wantRow(t, 10, "b_2.trc", bundle.Skipped, "no trace text of this session")
	c.wantRow(t, 13, "c_3.trc", bundle.Skipped, "no trace text of this session", "77.1")
	c.wantRow(t, 14, "d_4.trc", bundle.Collected)
	n := int64(len(calls))
	if got := *c.row(12, "a_1.trc").Text; got != n {
		t.Errorf("12.120 has %d bytes of text, want %d: the ring is another session's", got, n)
	}
	if got := *c.row(11, "a_1.trc").Text; got <= n {
		t.Errorf("11.110 has %d bytes of text, want those of its ring too", got)
	}
}

func TestOddNamesGrowthAndTruncation(t *testing.T) {
	w := newWorld(t)
	odd := "SHOP1 ora\n_5\xff_5.trc"
	text := session(10, 100) + calls
	w.put(odd, text)
	grow := w.put("g_6.trc", text)
	cut := w.put("t_7.trc", text+strings.Repeat(calls, 20000))
	w.arm(1, 10, 100, "5", w.path(odd))
	w.arm(1, 11, 110, "6", grow)
	w.arm(1, 12, 120, "7", cut)
	w.put("g_6.trc", session(11, 110)+calls)
	w.put("t_7.trc", session(12, 120)+strings.Repeat(calls, 20000))
	packing := false
	w.opt.Progress = func(p collect.Progress) {
		switch {
		case p.Doing == "pack" && !packing:
			packing = true
			f, err := os.OpenFile(grow, os.O_APPEND|os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteString(calls)
			must(t, errors.Join(err, f.Close()))
		case packing && p.File == cut: // while it is being read
			must(t, os.Truncate(cut, 10))
		}
	}
	c := w.collect()
	c.wantRow(t, 10, ".trc", bundle.Collected)
	if f := c.row(10, ""); f.Name == nil || strings.Contains(*f.Name, "\n") || f.Name != nil && strings.Contains(*f.Name, "\xff") {
		t.Errorf("the name in the bundle is %q", *f.Name)
	}
	c.wantBytes(t, "1/g_6.trc", session(11, 110)+calls+calls)
	c.wantRow(t, 12, "t_7.trc", bundle.Partial, "became shorter")
}

func TestIncidentFilesAreFollowedInsideTheADROnly(t *testing.T) {
	w := newWorld(t)
	incident := filepath.Join(w.home, "incident/incdir_9/x_1_i9.trc")
	must(t, os.MkdirAll(filepath.Dir(incident), 0o700))
	must(t, os.WriteFile(incident, []byte("Dump file "+incident+"\n*** "+stamp+"\n----- dump -----\n"), 0o600))
	w.put("x_1.trc", session(10, 100)+strings.Repeat(calls, 6000)+"Incident 9 created, dump file: "+incident+"\nORA-00600: x\nIncident 10 created, dump file: /etc/passwd.trc\n")
	w.arm(1, 10, 100, "1", w.path("x_1.trc"))
	c := w.collect()
	c.wantRow(t, 10, "x_1_i9.trc", bundle.Collected)
	c.wantRow(t, 10, "x_1.trc", bundle.Collected, "/etc/passwd.trc, which is not in its ADR home")
}

// The alert log names an incident file that the trace does not.
func TestAlertLogLeadsToIncidentFiles(t *testing.T) {
	w := newWorld(t)
	trace := w.put("x_1.trc", session(10, 100)+calls)
	incident := filepath.Join(w.home, "incident/incdir_9/x_1_i9.trc")
	must(t, os.MkdirAll(filepath.Dir(incident), 0o700))
	must(t, os.WriteFile(incident, []byte("Dump file "+incident+"\n*** "+stamp+"\n----- dump -----\n"), 0o600))
	alert := stamp + "\nErrors in file " + trace + "  (incident=9) (PDBNAME=CDB$ROOT):\nORA-00600: x\nIncident details in: " + incident + "\nIncident details in: /etc/shadow.trc\n"
	w.arm(1, 10, 100, "1", trace)
	for _, onDisk := range []bool{true, false} {
		w.opt.Database = nil
		if onDisk {
			w.put("alert_SHOP1.log", alert)
		} else {
			must(t, os.Remove(w.path("alert_SHOP1.log")))
			w.opt.Database = &collect.Database{Alerts: collect.ParseAlert(alert)}
		}
		c := w.collect()
		c.wantRow(t, 10, "x_1_i9.trc", bundle.Collected)
		if len(c.Files) != 2 {
			t.Errorf("%d rows, want the trace and its incident file", len(c.Files))
		}
	}
}

func TestLimits(t *testing.T) {
	w := newWorld(t)
	dump := "----- Error Stack Dump -----\nORA-00942: x\n"
	w.put("a_1.trc", session(10, 100)+calls)
	w.put("b_2.trc", session(11, 110)+calls+dump)
	w.arm(1, 10, 100, "1", w.path("a_1.trc"))
	w.arm(1, 11, 110, "2", w.path("b_2.trc"))
	w.opt.OnlyFired = true
	c := w.collect()
	c.wantRow(t, 10, "", bundle.Skipped, "did not fire")
	c.wantRow(t, 11, "", bundle.Collected)
	if c.Summary.Fired != 1 {
		t.Errorf("%d sessions fired, want the one with an error stack", c.Summary.Fired)
	}
	w.opt.OnlyFired = false
	must(t, os.Chtimes(w.path("a_1.trc"), armedAt, armedAt))
	w.opt.Since = armedAt.Add(time.Minute)
	c = w.collect()
	c.wantRow(t, 10, "", bundle.Skipped, "not changed since 2026-11-30T03:01:00Z")
	c.wantRow(t, 11, "", bundle.Collected)
	w.opt.Since, w.opt.Until = time.Time{}, armedAt
	c = w.collect()
	c.wantRow(t, 10, "", bundle.Skipped, "begun after 2026-11-30T03:00:00Z")
	w.opt.Until, w.opt.MaxBytes = time.Time{}, int64(len(session(10, 100)+calls)+5)
	c = w.collect()
	c.wantRow(t, 10, "", bundle.Collected)
	c.wantRow(t, 11, "", bundle.Partial, "--max-bytes")
	if c.Summary.Bytes != w.opt.MaxBytes {
		t.Errorf("%d bytes of traces, want %d", c.Summary.Bytes, w.opt.MaxBytes)
	}
}

// The same campaign gives the same bytes.
func TestSameInputSameBytes(t *testing.T) {
	w := newWorld(t)
	for _, n := range []string{"a_1.trc", "b_2.trc", "c_3.trc"} {
		w.put(n, session(10, 100)+calls)
		w.arm(1, 10, 100, "1", w.path(n))
	}
	w.opt.Documents = []collect.Document{{Name: "journal.jsonl", Data: []byte("{}\n")}, {Name: "clock.json", Data: []byte("null\n")}}
	if !bytes.Equal(w.collect().raw, w.collect().raw) {
		t.Error("two runs over the same files differ")
	}
}

func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	w.put("a_1.trc", session(10, 100)+calls)
	w.arm(1, 10, 100, "1", w.path("a_1.trc"))
	w.opt.Campaign = w.campaign()
	ctx, stop := context.WithCancel(context.Background())
	w.opt.Progress = func(p collect.Progress) {
		if p.Doing == "pack" {
			stop()
		}
	}
	if _, err := collect.Run(ctx, &bytes.Buffer{}, w.opt); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run ended with %v", err)
	}
}

func TestRemove(t *testing.T) {
	w := newWorld(t)
	a, b := w.put("a_1.trc", session(10, 100)+calls), w.put("b_2.trc", session(11, 110)+calls)
	alert := w.put("alert_SHOP1.log", "x")
	w.arm(1, 10, 100, "1", a)
	w.arm(1, 11, 110, "2", b)
	c := w.collect()
	if len(c.result.Originals) != 2 || !c.result.Originals[0].Open {
		t.Fatalf("originals %+v: both sessions are armed", c.result.Originals)
	}
	list := c.result.Originals
	removed, err := collect.Remove(context.Background(), list, collect.Procs{Root: "/proc"})
	must(t, err)
	for _, r := range removed {
		if r.Removed || !strings.Contains(r.Note, "disable first") {
			t.Errorf("a file of an armed session: %+v", r)
		}
	}
	list[0].Open, list[1].Open = false, false
	f, err := os.OpenFile(b, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("more")
	must(t, errors.Join(err, f.Close()))
	held, err := os.Open(a)
	must(t, err)
	defer held.Close()
	list = append(list, collect.Original{Path: alert, Bytes: 1})
	removed, err = collect.Remove(context.Background(), list, collect.Procs{Root: "/proc"})
	must(t, err)
	if !removed[0].Removed || removed[1].Removed || removed[2].Removed {
		t.Errorf("removed %+v, want the unchanged trace alone", removed)
	}
	if runtime.GOOS == "linux" && !strings.Contains(removed[0].Note, "close_trace") {
		t.Errorf("a file that is held open: note %q", removed[0].Note)
	}
	for path, want := range map[string]bool{a: false, b: true, alert: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}
