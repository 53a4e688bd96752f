package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// scenarios are the aftermaths that are one, and how the pool is filled again.
func scenarios() map[string]string {
	return map[string]string{
		"work":   "[[step]]\ndo = \"work\"\nuser = \"APP\"\n[[step]]\ndo = \"raise\"\nuser = \"APP\"\nsessions = 1\nora = 1555\n",
		"logoff": "[[step]]\ndo = \"churn\"\nuser = \"APP\"\nsessions = 1\n",
		"switch": "[[step]]\ndo = \"switch\"\nuser = \"APP\"\nsessions = 1\n",
		"file":   "[[step]]\ndo = \"raise\"\nuser = \"APP\"\nora = 1555\n",
		"refill": "[[step]]\ndo = \"connect\"\nuser = \"APP\"\n",
	}
}

// theirs is somebody else's event, in one of the planned sessions and in one that
// is not: whatever happens, it stays.
const theirs = "1555 trace name errorstack level 1"

// crashLab is a simulated instance in a folder, under one setting of its
// switches, in which the program is killed again and again.
type crashLab struct {
	t         *testing.T
	work, dir string
	env       []string
	bug       string          // planted in enable, see between
	meddle    string          // N:FAULT before the victim's n-th ORADEBUG line
	keepsRing bool            // trace_buffer_off does not free the ring
	kept      map[string]bool // by trace file: rings that the journal calls off_sent
	foreign   map[string]bool // sessions that have theirs
	want      int             // targets
	alone     bool            // nobody else sets events
	stories   int
	kills     int
	pending   int // targets that did not answer, stayed PENDING and were taken back later
	spoil     func(*crashLab)
}

// newCrashLab starts an instance; flip lists the switches that stand the other
// way than by default. Where that is more than one, there are two targets, else
// three: one more would make the same boundaries again.
func newCrashLab(t *testing.T, flip ...assume.Entry) *crashLab {
	t.Helper()
	work := t.TempDir()
	l := &crashLab{t: t, work: work, dir: work + "/lab", kept: map[string]bool{}, foreign: map[string]bool{}, want: 3}
	sessions := "6"
	if len(flip) > 1 {
		l.want, sessions = 2, "4"
	}
	l.env = []string{"HOME=" + work, "XDG_STATE_HOME=" + work + "/state", "RINGTRACE_CONNECT=sim:" + l.dir}
	for name, text := range scenarios() {
		writeAt(t, work+"/"+name+".toml", "name = \""+name+"\"\n"+text)
	}
	up := []string{"sim", "up", "--dir", l.dir, "--sessions", sessions, "--seed", "1", "--idle", "10m"}
	for _, e := range flip {
		setting := string(e.Switch)
		if e.Default {
			setting += ":off"
		}
		l.keepsRing = l.keepsRing || e.Switch == assume.RingOffFrees
		up = append(up, "--assume", setting)
	}
	// No gcc: these runs need sqlplus only, and the client library takes seconds.
	if _, code := l.child([]string{"PATH=" + work}, "ringtrace", up...); code != 0 {
		t.Fatalf("sim up: %d", code)
	}
	t.Cleanup(func() { l.child(nil, "ringtrace", "sim", "down", "--dir", l.dir) })
	return l
}

// killed is the code of a program that SIGKILL ended.
const killed = -1

// child runs a command of this test binary, and says what it printed and its
// code.
func (l *crashLab) child(env []string, name string, args ...string) (stdout string, code int) {
	l.t.Helper()
	path, err := exec.LookPath(name)
	must(l.t, err)
	cmd := exec.Command(path, args...)
	cmd.Env = append(append(os.Environ(), l.env...), env...)
	if args[0] == "sim" {
		cmd.Env = append(cmd.Env, "GOGC=400", "GOMAXPROCS=1") // one of many on few cores
	} else {
		// It lives for a tenth of a second, and when it is killed sqlplus's folder stays.
		cmd.Env = append(cmd.Env, "GOGC=off", "TMPDIR="+l.work)
	}
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if reallyKilled(err) {
		return string(out), killed
	}
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		if exited.ExitCode() != 3 {
			l.t.Logf("%s %s: %s %s", name, strings.Join(args, " "), exited, strings.TrimSpace(talk.String()))
		}
		return string(out), exited.ExitCode()
	}
	must(l.t, err)
	return string(out), 0
}

// here runs the program in process, on the wall clock.
func (l *crashLab) here(args ...string) string {
	l.t.Helper()
	out, talk, code := l.run(args...)
	if code != 0 {
		l.t.Fatalf("%v: %d\n%s", args, code, talk)
	}
	return out
}

// run is the program from its start, without a process of its own: what it knows
// of the runs before is on disk.
func (l *crashLab) run(args ...string) (stdout, stderr string, code int) {
	var out, talk bytes.Buffer
	env := append([]string{"PATH=" + os.Getenv("PATH")}, l.env...)
	code = run(context.Background(), append([]string{"ringtrace"}, args...), strings.NewReader(""), &out, &talk, env, time.Now)
	return out.String(), talk.String(), code
}

// truth is what `sim show` says of the sessions that are alive.
func (l *crashLab) truth() (alive []scenario.Session) {
	l.t.Helper()
	var doc scenario.Truth
	must(l.t, json.Unmarshal([]byte(l.here("sim", "show", "--dir", l.dir, "-o", "json")), &doc))
	for i := range doc.Sessions {
		if doc.Sessions[i].Alive {
			alive = append(alive, doc.Sessions[i])
		}
	}
	if len(alive) == 0 {
		l.t.Fatal("sim show lists no sessions")
	}
	return alive
}

func sessionName(s *scenario.Session) string {
	return fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID)
}

func ofUser(s *scenario.Session, name string) bool {
	return s.Username != nil && *s.Username == name && s.Eligible
}

// ours are the events of a session that are not somebody else's.
func (l *crashLab) ours(s *scenario.Session) (out []string) {
	for _, e := range s.Events {
		if e != theirs || !l.foreign[sessionName(s)] {
			out = append(out, e)
		}
	}
	return out
}

// targets lists the sessions that `enable --username APP` plans, with their trace
// files, which tell processes apart. One of them, and one other session if there is one,
// have somebody else's event.
func (l *crashLab) targets() map[string]string {
	l.t.Helper()
	for {
		out := map[string]string{}
		var last, other *scenario.Session
		mine, others := 0, 0
		all := l.truth()
		for i := range all {
			s := &all[i]
			has := l.foreign[sessionName(s)]
			switch {
			case ofUser(s, "APP"):
				out[sessionName(s)] = *s.Tracefile
				last = s
				mine += boolInt(has)
			case ofUser(s, "BATCH"):
				other = s
				others += boolInt(has)
			}
		}
		switch {
		case len(out) < l.want:
			l.here("sim", "run", "--dir", l.dir, l.work+"/refill.toml")
		case l.alone:
			return out
		case mine == 0:
			l.setTheirs(last)
		case others == 0 && other != nil:
			l.setTheirs(other)
		default:
			return out
		}
	}
}

// setTheirs is somebody else at work.
func (l *crashLab) setTheirs(s *scenario.Session) {
	l.t.Helper()
	program := l.dir + "/oracle_home/bin/sqlplus"
	if _, err := os.Stat(program + ".real"); err == nil {
		program += ".real"
	}
	cmd := exec.Command(program, "-S", "-L", "/ as sysdba")
	cmd.Env = append(os.Environ(), "ORACLE_SID=ORCL", "ORACLE_HOME="+l.dir+"/oracle_home")
	cmd.Stdin = strings.NewReader(fmt.Sprintf("oradebug setorapid %d\noradebug session_event %s\noradebug eventdump session\nexit\n", *s.Orapid, theirs))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), theirs) {
		l.t.Fatalf("somebody else's sqlplus: %v\n%s", err, out)
	}
	l.foreign[sessionName(s)] = true
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

// disable is the way out.
func (l *crashLab) disable(more ...string) (crashRun, int) {
	l.t.Helper()
	out, talk, code := l.run(append([]string{"disable", "-o", "json"}, more...)...)
	if code != 0 && code != 3 {
		l.t.Logf("disable: %d %s", code, talk)
	}
	var doc crashRun
	if out != "" {
		must(l.t, json.Unmarshal([]byte(out), &doc))
	}
	return doc, code
}

// story kills victim ("enable" or "disable") at its k-th boundary, lets the
// aftermath happen, goes the way out, and returns what is wrong then. through
// says that the victim ended before its k-th boundary.
func (l *crashLab) story(victim string, k int, after string) (through bool, wrong []string) {
	l.t.Helper()
	l.stories++
	note := func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) }
	l.forget()
	planned := l.targets()
	files := map[string]bool{}
	for _, f := range planned {
		files[f] = true
	}
	// Another session may have come into a planned process between its proof and an
	// event: the way out takes that back.
	strangers := func(when string) {
		for _, s := range l.truth() {
			if ours := l.ours(&s); len(ours) > 0 && planned[sessionName(&s)] == "" && !(l.meddle != "" && files[*s.Tracefile]) {
				note("%s: session %s was not in the plan and has %s", when, sessionName(&s), strings.Join(ours, "; "))
			}
		}
	}
	enable := []string{"enable", "--username", "APP", "--ora", "1555,60", "--yes", "--pace", "0"}
	trouble := []string{"MEDDLE=" + l.meddle, "KILL_AT=" + strconv.Itoa(k), "PLANTED="}
	args := enable
	if victim == "disable" {
		// 3: the session with somebody else's event is left out.
		if _, talk, code := l.run(enable...); code != 3 {
			note("enable after the way out ends with %d: %s", code, talk)
			return true, wrong
		}
		args = []string{"disable"}
	} else {
		trouble = append(trouble, "PLANTED="+l.bug)
	}
	_, code := l.child(trouble, "ringtrace-killed", args...)
	switch {
	case code == killed:
		l.kills++
	case code == 0 || code == 3 || code == 1 && l.meddle != "":
		through = true
	default:
		note("%s to be killed at %d ends with %d", victim, k, code)
		return true, wrong
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

// forget removes the journals of the stories that are told: every one is closed,
// and reading them would take longer than the rest.
func (l *crashLab) forget() {
	l.t.Helper()
	old, err := filepath.Glob(l.work + "/state/ringtrace/campaigns/*.jsonl")
	must(l.t, err)
	for _, f := range old {
		must(l.t, os.Remove(f))
	}
}

// hang makes a target that has events deaf, goes the way out, and hears it
// again.
func (l *crashLab) hang(note func(string, ...any)) {
	l.t.Helper()
	deaf := ""
	for _, s := range l.truth() {
		if len(l.ours(&s)) > 0 {
			deaf = sessionName(&s)
		}
	}
	if deaf == "" {
		return // nothing is set yet, or any more
	}
	l.here("sim", "fault", "--dir", l.dir, "hang-target="+deaf)
	doc, code := l.disable("--command-timeout", "2s")
	pending := false
	for _, s := range doc.Sessions {
		pending = pending || fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID) == deaf && s.State == "PENDING"
	}
	if !pending || code != 3 || doc.Undo == nil {
		note("disable with %s deaf ends with %d, undo %v: %+v", deaf, code, doc.Undo, doc.Sessions)
	}
	for _, s := range l.truth() {
		if has := len(l.ours(&s)) > 0; has != (sessionName(&s) == deaf) {
			note("session %s deaf, and %s has %v", deaf, sessionName(&s), l.ours(&s))
		}
	}
	if open := l.here("campaigns", "list", "-o", "json"); !strings.Contains(open, `"open": true`) {
		note("no campaign is open although %s did not answer", deaf)
	}
	l.here("sim", "fault", "--dir", l.dir, "hang-target=off")
	l.pending++
}

// left lists what is set and should not be, and what should be and is not. Where
// trace_buffer_off does not free, a ring stays until its process ends; then the
// journal must call it off_sent, which is not proven, and never none or off_proven.
func (l *crashLab) left() (wrong []string) {
	l.t.Helper()
	for _, s := range l.truth() {
		for _, e := range l.ours(&s) {
			wrong = append(wrong, "session "+sessionName(&s)+" has "+e)
		}
		if l.foreign[sessionName(&s)] && !slices.Contains(s.Events, theirs) {
			wrong = append(wrong, "somebody else's event is gone from session "+sessionName(&s))
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
