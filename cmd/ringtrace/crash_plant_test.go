package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/scenario"
)

// betweenMain stands between the program and the simulated SQL*Plus. Before the
// n-th ORADEBUG line, the first SETORAPID being the first, it does MEDDLE=n:FAULT to the session that is attached; and
// it falsifies what PLANTED says, so that the program behaves as if it had that
// bug. LAB is the instance's folder, REAL its SQL*Plus.
func betweenMain() {
	signal.Notify(make(chan os.Signal, 8), os.Interrupt) // it is for the child, which gets it too
	cmd := exec.Command(os.Getenv("REAL"), os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	b := &between{lab: os.Getenv("LAB"), bug: os.Getenv("PLANTED")}
	at, kind, _ := strings.Cut(os.Getenv("MEDDLE"), ":")
	b.at, _ = strconv.Atoi(at) // none: 0
	b.kind = kind
	r := bufio.NewReader(os.Stdin)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			if _, werr := io.WriteString(in, b.line(strings.TrimSuffix(line, "\n"))+"\n"); werr != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	_ = in.Close() // the child sees the end
	var x *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &x) {
		os.Exit(x.ExitCode())
	}
	os.Exit(0)
}

type between struct {
	lab, bug, kind string
	at, n          int
	orapid         int
	dumps, proofs  int // since the last attach
}

// line returns what goes to SQL*Plus for a line.
func (b *between) line(text string) string {
	command, debug := strings.CutPrefix(text, "oradebug ")
	if debug {
		if id, ok := strings.CutPrefix(command, "setorapid "); ok {
			b.orapid, _ = strconv.Atoi(id) // it is the program's own
			b.dumps, b.proofs = 0, 0
		}
		if b.orapid > 0 {
			b.n++
		}
		if b.n == b.at {
			b.meddle()
		}
		if command == "eventdump session" {
			if b.dumps++; b.dumps == 1 && b.bug == "no pre-dump" {
				return "oradebug flush" // answers as an empty dump does
			}
		}
		return text
	}
	if strings.HasPrefix(text, "select 'ringtrace identity ") {
		if b.proofs++; b.proofs > 1 && b.bug == "no identity re-check" {
			return "select 'ringtrace identity 1 1 1' from dual"
		}
	}
	return text
}

// meddle does the fault to the session of the attached process, if it is one of
// the application's.
func (b *between) meddle() {
	out, err := exec.Command("ringtrace", "sim", "show", "--dir", b.lab, "-o", "json").Output()
	var doc scenario.Truth
	if err == nil {
		err = json.Unmarshal(out, &doc)
	}
	for i := range doc.Sessions {
		s := &doc.Sessions[i]
		if s.Orapid != nil && *s.Orapid == b.orapid && s.Username != nil && *s.Username == "APP" {
			err = errors.Join(err, exec.Command("ringtrace", "sim", "fault", "--dir", b.lab, b.kind+"="+sessionName(s)).Run())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "meddle:", err)
	}
}

// between puts betweenMain in front of the lab's SQL*Plus.
func (l *crashLab) between() {
	l.t.Helper()
	path, err := exec.LookPath("ringtrace-killed")
	must(l.t, err)
	real := l.dir + "/oracle_home/bin/sqlplus"
	must(l.t, os.Rename(real, real+".real"))
	must(l.t, os.WriteFile(real, []byte("#!/bin/sh\nBETWEEN=1 LAB='"+l.dir+"' REAL='"+real+".real' exec '"+path+"' \"$@\"\n"), 0o700)) //nolint:gosec // a program
}

// meddlings are what can happen between two steps of a run that is killed later.
func meddlings() []fault.Kind {
	return []fault.Kind{fault.ReuseProcess, fault.SwitchUser, fault.EndProcess, fault.KillSession}
}

// TestKilledAfterTrouble: before some command of a run the attached session's
// process is taken by another one, or ends, and later the run is killed. The
// draws follow RINGTRACE_SEED; RINGTRACE_CRASH=one or all tells 250 of them.
func TestKilledAfterTrouble(t *testing.T) {
	n := 8
	if os.Getenv("RINGTRACE_CRASH") != "" {
		n = 250
	}
	seed := crashSeed()
	y := newCrashTally(t, n, "stories with trouble before the kill")
	inLabs(t, n, func(t *testing.T, next func() (int, bool)) {
		l := newCrashLab(t)
		l.between()
		for i, ok := next(); ok; i, ok = next() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			kinds := meddlings()
			l.meddle = fmt.Sprintf("%d:%s", 2+r.IntN(30), kinds[r.IntN(len(kinds))])
			victim, k := []string{"enable", "disable"}[r.IntN(2)], 3+r.IntN(14)
			quick := []string{"nothing", "work", "logoff", "switch"}
			after := quick[r.IntN(len(quick))]
			name := fmt.Sprintf("seed %d, story %d: %s, %s, killed at %d, then %s", seed, i, l.meddle, victim, k, after)
			_, wrong := l.story(victim, k, after)
			y.add(l, name, wrong)
			y.finished()
		}
	})
	y.end(fmt.Sprintf("seed %d", seed))
}

// TestKilledWithABug plants bugs between the program and SQL*Plus, and demands
// that the stories find them. A missing fsync cannot be seen by SIGKILL, because
// the kernel keeps what was written: TestKilledAndJournalLost takes it away.
func TestKilledWithABug(t *testing.T) {
	for bug, c := range map[string]struct {
		meddle string
		from   int // the boundary; before, nothing that the bug does has been recorded
	}{
		"no pre-dump":          {"", 12},
		"no identity re-check": {"4:" + string(fault.SwitchUser), 8},
	} {
		t.Run(strings.ReplaceAll(bug, " ", "_"), func(t *testing.T) {
			t.Parallel()
			l := newCrashLab(t)
			l.between()
			l.bug, l.meddle = bug, c.meddle
			for k := c.from; ; k++ {
				through, wrong := l.story("enable", k, "nothing")
				if len(wrong) > 0 {
					t.Logf("found: enable killed at %d: %s", k, wrong[0])
					return
				}
				if through {
					t.Fatal("no story noticed it")
				}
			}
		})
	}
}

// TestBetweenHarmsNothing: the stories of TestKilledWithABug without a bug.
func TestBetweenHarmsNothing(t *testing.T) {
	for _, meddle := range []string{"", "4:" + string(fault.SwitchUser)} {
		l := newCrashLab(t)
		l.between()
		l.meddle = meddle
		for _, k := range []int{6, 10} {
			if _, wrong := l.story("enable", k, "nothing"); len(wrong) > 0 {
				t.Errorf("meddle %q, killed at %d: %s", meddle, k, strings.Join(wrong, "; "))
			}
		}
	}
}

// reallyKilled says whether err is a death by SIGKILL.
func reallyKilled(err error) bool {
	var x *exec.ExitError
	if !errors.As(err, &x) {
		return false
	}
	st, ok := x.Sys().(syscall.WaitStatus)
	return ok && st.Signaled() && st.Signal() == syscall.SIGKILL
}
