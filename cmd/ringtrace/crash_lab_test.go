package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/scenario"
)

// aftermaths is what the world does between a kill and the way out.
func aftermaths() []string { return []string{"nothing", "work", "hang", "logoff", "switch"} }

// aftermathSteps are the scenarios of those that are one.
func aftermathSteps(name string) string {
	all := map[string]string{
		"work":   "[[step]]\ndo = \"work\"\nuser = \"APP\"\n[[step]]\ndo = \"raise\"\nuser = \"APP\"\nsessions = 1\nora = 1555\n",
		"logoff": "[[step]]\ndo = \"churn\"\nuser = \"APP\"\nsessions = 1\n",
		"switch": "[[step]]\ndo = \"switch\"\nuser = \"APP\"\nsessions = 1\n",
	}
	return all[name]
}

// crashLab is a simulated instance in a folder, under one setting of its
// switches, in which the program is killed again and again.
type crashLab struct {
	t         *testing.T
	work, dir string
	env       []string
	keepsRing bool            // trace_buffer_off does not free the ring
	kept      map[string]bool // by trace file: rings that the journal calls off_sent
	stories   int
	kills     int
	pending   int // targets that did not answer, stayed PENDING and were taken back later
	spoil     func(*crashLab)
}

// newCrashLab starts an instance; flip lists the switches that stand the other
// way than by default.
func newCrashLab(t *testing.T, flip ...assume.Entry) *crashLab {
	t.Helper()
	work := t.TempDir()
	l := &crashLab{t: t, work: work, dir: work + "/lab", kept: map[string]bool{}}
	l.env = []string{"HOME=" + work, "XDG_STATE_HOME=" + work + "/state", "RINGTRACE_CONNECT=sim:" + l.dir}
	for _, a := range aftermaths() {
		if text := aftermathSteps(a); text != "" {
			writeAt(t, work+"/"+a+".toml", "name = \""+a+"\"\n"+text)
		}
	}
	up := []string{"ringtrace", "sim", "up", "--dir", l.dir, "--sessions", "5", "--seed", "1", "--idle", "10m"}
	for _, e := range flip {
		setting := string(e.Switch)
		if e.Default {
			setting += ":off"
		}
		l.keepsRing = l.keepsRing || e.Switch == assume.RingOffFrees
		up = append(up, "--assume", setting)
	}
	// No gcc: these runs need sqlplus only, and the client library takes seconds.
	if _, code := program(t, append(slices.Clone(l.env), "PATH="+work), up...); code != 0 {
		t.Fatalf("sim up: %d", code)
	}
	t.Cleanup(func() { program(t, l.env, "ringtrace", "sim", "down", "--dir", l.dir) })
	return l
}

// here runs the program in process, on the wall clock.
func (l *crashLab) here(args ...string) string {
	l.t.Helper()
	var out, talk bytes.Buffer
	if code := run(context.Background(), append([]string{"ringtrace"}, args...), strings.NewReader(""), &out, &talk, l.env, time.Now); code != 0 {
		l.t.Fatalf("%v: %d\n%s", args, code, talk.String())
	}
	return out.String()
}

// truth is what `sim show` says of the sessions.
func (l *crashLab) truth() []scenario.Session {
	l.t.Helper()
	var doc scenario.Truth
	must(l.t, json.Unmarshal([]byte(l.here("sim", "show", "--dir", l.dir, "-o", "json")), &doc))
	if len(doc.Sessions) == 0 {
		l.t.Fatal("sim show lists no sessions")
	}
	return doc.Sessions
}

func sessionName(s *scenario.Session) string {
	return fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID)
}

// targets lists the sessions that `enable --username APP` plans.
func (l *crashLab) targets() map[string]bool {
	l.t.Helper()
	out := map[string]bool{}
	for _, s := range l.truth() {
		if s.Username != nil && *s.Username == "APP" && s.Eligible && s.Alive {
			out[sessionName(&s)] = true
		}
	}
	if len(out) < 2 {
		l.t.Fatalf("only %d targets", len(out))
	}
	return out
}

// crashRun is what disable and campaigns show print of a campaign.
type crashRun struct {
	Campaign string `json:"campaign"`
	Undo     *string
	Sessions []struct {
		InstID    int     `json:"inst_id"`
		SID       int     `json:"sid"`
		Serial    int     `json:"serial"`
		State     string  `json:"state"`
		Reason    *string `json:"reason"`
		Ring      string  `json:"ring"`
		Tracefile *string `json:"tracefile"`
		Orapid    int     `json:"orapid"`
	} `json:"sessions"`
}

// disable is the way out, in a process of its own.
func (l *crashLab) disable(more ...string) (crashRun, int) {
	l.t.Helper()
	out, code := program(l.t, l.env, append([]string{"ringtrace", "disable", "-o", "json"}, more...)...)
	var doc crashRun
	must(l.t, json.Unmarshal([]byte(out), &doc))
	return doc, code
}

// story kills victim ("enable" or "disable") at its k-th boundary, lets the
// aftermath happen, goes the way out, and returns what is wrong then. through
// says that the victim ended before its k-th boundary.
func (l *crashLab) story(victim string, k int, after string) (through bool, wrong []string) {
	l.t.Helper()
	l.stories++
	note := func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) }
	planned := l.targets()
	strangers := func(when string) {
		for _, s := range l.truth() {
			if len(s.Events) > 0 && !planned[sessionName(&s)] {
				note("%s: session %s was not in the plan and has %s", when, sessionName(&s), strings.Join(s.Events, "; "))
			}
		}
	}
	enable := []string{"enable", "--username", "APP", "--ora", "1555,60", "--yes", "--pace", "0"}
	args := append([]string{"ringtrace-killed"}, enable...)
	if victim == "disable" {
		if _, code := program(l.t, l.env, append([]string{"ringtrace"}, enable...)...); code != 0 {
			l.t.Fatalf("enable after the way out: %d", code)
		}
		args = []string{"ringtrace-killed", "disable"}
	}
	_, code := program(l.t, append(slices.Clone(l.env), "KILL_AT="+strconv.Itoa(k)), args...)
	switch code {
	case -1:
		l.kills++
	case 0:
		through = true
	default:
		l.t.Fatalf("%s to be killed at %d ends with %d", victim, k, code)
	}
	strangers("killed")
	if l.spoil != nil {
		l.spoil(l)
	}
	if after == "hang" {
		l.hang(note)
	} else if after != "nothing" {
		l.here("sim", "run", "--dir", l.dir, l.work+"/"+after+".toml")
		strangers(after)
	}
	if _, code := l.disable(); code != 0 {
		note("disable ends with %d", code)
	}
	return through, append(wrong, l.left()...)
}

// hang makes a target that has events deaf, goes the way out, and hears it
// again.
func (l *crashLab) hang(note func(string, ...any)) {
	l.t.Helper()
	deaf := ""
	for _, s := range l.truth() {
		if len(s.Events) > 0 {
			deaf = sessionName(&s)
		}
	}
	if deaf == "" {
		return // nothing is set yet, or any more
	}
	l.here("sim", "fault", "--dir", l.dir, "hang-target="+deaf)
	doc, code := l.disable("--command-timeout", "1s")
	pending := false
	for _, s := range doc.Sessions {
		pending = pending || fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID) == deaf && s.State == "PENDING"
	}
	if !pending || code != 3 || doc.Undo == nil {
		note("disable with %s deaf ends with %d, undo %v: %+v", deaf, code, doc.Undo, doc.Sessions)
	}
	for _, s := range l.truth() {
		if has := len(s.Events) > 0; has != (sessionName(&s) == deaf) {
			note("session %s deaf, and %s has %d events", deaf, sessionName(&s), len(s.Events))
		}
	}
	if open := l.here("campaigns", "list", "-o", "json"); !strings.Contains(open, `"open": true`) {
		note("no campaign is open although %s did not answer", deaf)
	}
	l.here("sim", "fault", "--dir", l.dir, "hang-target=off")
	l.pending++
}

// left lists what is set and should not be. Where trace_buffer_off does not
// free, a ring stays until its process ends; then the journal must call it
// off_sent, which is not proven, and never none or off_proven.
func (l *crashLab) left() (wrong []string) {
	l.t.Helper()
	for _, s := range l.truth() {
		for _, e := range s.Events {
			wrong = append(wrong, "session "+sessionName(&s)+" has "+e)
		}
		if s.Ring == nil {
			continue
		}
		if !l.keepsRing {
			wrong = append(wrong, "session "+sessionName(&s)+" has a ring")
			continue
		}
		if s.Tracefile == nil || s.Orapid == nil {
			l.t.Fatalf("a ring without process: %+v", s)
		}
		if ring := l.recorded(*s.Orapid); ring == "off_sent" {
			l.kept[*s.Tracefile] = true
		} else if !l.kept[*s.Tracefile] {
			wrong = append(wrong, fmt.Sprintf("session %s has a ring, and the journal says %q", sessionName(&s), ring))
		}
	}
	return wrong
}

// recorded is what the newest campaign says of the ring of a process.
func (l *crashLab) recorded(orapid int) (ring string) {
	l.t.Helper()
	var doc crashRun
	id := strings.TrimSuffix(filepath.Base(l.newest()), ".jsonl")
	must(l.t, json.Unmarshal([]byte(l.here("campaigns", "show", "-o", "json", id)), &doc))
	for _, s := range doc.Sessions {
		if s.Orapid == orapid {
			ring = s.Ring
		}
	}
	return ring
}

// newest is the journal that was written last; empty: there is none.
func (l *crashLab) newest() string {
	l.t.Helper()
	all, err := filepath.Glob(l.work + "/state/ringtrace/campaigns/*.jsonl")
	must(l.t, err)
	var name string
	var at time.Time
	for _, f := range all {
		st, err := os.Stat(f)
		must(l.t, err)
		if st.ModTime().After(at) {
			name, at = f, st.ModTime()
		}
	}
	return name
}
