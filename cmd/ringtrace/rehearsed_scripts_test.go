package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rehearsal is what these tests read of `rehearse -o json`.
type rehearsal struct {
	Lines []struct {
		Line    int    `json:"line"`
		Command string `json:"command"`
		Answer  string `json:"answer"`
		OK      bool   `json:"ok"`
	} `json:"lines"`
	LeftOn  []any `json:"left_on"`
	Summary struct {
		Armed  int `json:"armed"`
		LeftOn int `json:"left_on"`
	} `json:"summary"`
}

// rehearse plays scripts on the simulated instance that -c sim: shows.
func rehearse(t *testing.T, files ...string) rehearsal {
	t.Helper()
	o := runProgram(nil, append([]string{"rehearse", "-c", "sim:?seed=7&sessions=20", "-o", "json"}, files...)...)
	if o.code != 0 {
		t.Fatalf("rehearse %v: exit %d\n%s", files, o.code, o.stderr)
	}
	var r rehearsal
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// spooled is what a rehearsed script printed, as a spool file holds it.
func (r rehearsal) spooled() string {
	var b strings.Builder
	for _, l := range r.Lines {
		b.WriteString(l.Answer + "\n")
	}
	return b.String()
}

func generateForSim(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	o := runProgram(nil, append([]string{"generate", "-c", "sim:?seed=7&sessions=20", "--username", "APP", "--ora", "1555", "--out", dir}, args...)...)
	if o.code != 0 {
		t.Fatalf("generate: exit %d\n%s", o.code, o.stderr)
	}
	return dir
}

// The whole way of a script that another team runs: generate, run, import its
// log, run the undo, import that.
func TestImportOfWhatTheScriptsPrint(t *testing.T) {
	dir := generateForSim(t)
	state := t.TempDir()
	enable := rehearse(t, filepath.Join(dir, "enable_1.sql"))
	if enable.Summary.LeftOn == 0 {
		t.Fatal("the script armed nobody")
	}
	importLog := func(name, text string) (armed, disarmed, selected int, closed bool) {
		t.Helper()
		log := filepath.Join(dir, name)
		if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := runProgram(nil, "--state-dir", state, "-o", "json", "campaigns", "import", filepath.Join(dir, "manifest.json"), log)
		if o.code != 0 {
			t.Fatalf("import %s: exit %d\n%s", name, o.code, o.stderr)
		}
		var doc struct {
			Closed  bool `json:"closed"`
			Summary struct {
				Selected, Armed, Disarmed int
			} `json:"summary"`
		}
		if err := json.Unmarshal([]byte(o.stdout), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Summary.Armed, doc.Summary.Disarmed, doc.Summary.Selected, doc.Closed
	}
	armed, _, selected, closed := importLog("enable.log", enable.spooled())
	if armed != enable.Summary.LeftOn || armed != selected || closed {
		t.Errorf("%d of %d sessions imported as armed, the simulator has %d; closed %v", armed, selected, enable.Summary.LeftOn, closed)
	}
	both := rehearse(t, filepath.Join(dir, "enable_1.sql"), filepath.Join(dir, "disable_1.sql"))
	if both.Summary.LeftOn != 0 {
		t.Fatalf("%d sessions left on", both.Summary.LeftOn)
	}
	text := both.spooled()
	_, disarmed, _, closed := importLog("disable.log", text[strings.Index(text, "ringtrace: log of disable_1.sql"):])
	if disarmed != selected || !closed {
		t.Errorf("%d of %d sessions imported as disarmed, closed %v", disarmed, selected, closed)
	}
}

// What a generator writes arms every session, its undo disarms every session,
// and the linter has nothing to say about either.
func TestGeneratorsWriteScriptsThatWork(t *testing.T) {
	dir := generateForSim(t, "--style", "generator")
	written := map[string]string{}
	for script, head := range map[string]string{"generator_1.sql": "-- enable script, written", "generator_undo_1.sql": "-- disable script, written"} {
		r := rehearse(t, filepath.Join(dir, script))
		for _, l := range r.Lines {
			if !l.OK {
				t.Errorf("%s:%d: %s\n%s", script, l.Line, l.Command, l.Answer)
			}
		}
		text := r.spooled()
		from, to := strings.Index(text, head), strings.LastIndex(text, "ringtrace: wrote")
		if from < 0 || to < from {
			t.Fatalf("%s wrote no script:\n%s", script, text)
		}
		path := filepath.Join(dir, "written_by_"+script)
		if err := os.WriteFile(path, []byte(text[from:to]), 0o600); err != nil {
			t.Fatal(err)
		}
		if o := runProgram(nil, "lint", "--fail-on", "info", path); o.code != 0 {
			t.Errorf("lint of what %s wrote: exit %d\n%s", script, o.code, o.stdout)
		}
		written[script] = path
	}
	guarded := rehearse(t, filepath.Join(generateForSim(t), "enable_1.sql"))
	on := rehearse(t, written["generator_1.sql"])
	if on.Summary.LeftOn != guarded.Summary.LeftOn || on.Summary.LeftOn == 0 {
		t.Errorf("%d sessions armed, the guarded script arms %d", on.Summary.LeftOn, guarded.Summary.LeftOn)
	}
	if off := rehearse(t, written["generator_1.sql"], written["generator_undo_1.sql"]); off.Summary.LeftOn != 0 {
		t.Errorf("%d sessions left on", off.Summary.LeftOn)
	}
}
