package control_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/control"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/oradebug"
)

// errKilled is the panic that stands for SIGKILL: nothing after it runs.
var errKilled = errors.New("killed")

// errReplyLost is what a command that was carried out, and whose answer did not
// come in time, is to the caller.
var errReplyLost = fmt.Errorf("the answer is lost: %w", context.DeadlineExceeded)

// meddler does something to the world before the n-th command of a
// conversation, and may kill the run. A judge looks after every command.
type meddler struct {
	control.Conversation
	w       *world
	count   *int
	at      map[int]func(*instance.Session) error
	current *int // orapid of the last setorapid
	judge   *judge
}

func (m *meddler) Do(ctx context.Context, command string) ([]string, error) {
	*m.count++
	if text, ok := strings.CutPrefix(command, "oradebug setorapid "); ok {
		*m.current, _ = strconv.Atoi(text)
	}
	if do := m.at[*m.count]; do != nil {
		var s *instance.Session
		m.w.db.Locked(func() {
			if p := m.w.db.Instances[0].Process(*m.current); p != nil {
				s = p.Session()
			}
		})
		err := do(s)
		if errors.Is(err, errReplyLost) {
			_, _ = m.Conversation.Do(ctx, command) // nobody hears the answer
		}
		if err != nil {
			return nil, err
		}
	}
	lines, err := m.Conversation.Do(ctx, command)
	if m.judge != nil {
		m.judge.look(fmt.Sprintf("command %d, %s", *m.count, command))
	}
	return lines, err
}

// meddle makes every conversation of the world one that is meddled with.
func (w *world) meddle(at map[int]func(*instance.Session) error) *int {
	count, current := new(int), new(int)
	w.wrap = func(c control.Conversation) control.Conversation {
		return &meddler{Conversation: c, w: w, count: count, at: at, current: current, judge: w.judge}
	}
	return count
}

func ref(s *instance.Session) string { return fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.Inst.ID) }

// setForeign sets somebody else's event in a session.
func (w *world) setForeign(s *instance.Session, text string) {
	spec, err := oradebug.ParseSpec(text)
	if err != nil {
		w.t.Fatal(err)
	}
	w.db.Locked(func() { s.Proc.Set(instance.OfSession, spec) })
}

// troubles are what can come before any command: every fault of the simulator
// that is the database's, the two that SQL*Plus's become once they have reached
// the conversation ("lost", "answer-lost"), somebody else's event, and SIGKILL.
func troubles() []string {
	out := []string{"kill", "lost", "answer-lost", "foreign", "logoff", "second-session"}
	for _, k := range fault.Sorted() {
		if k != fault.SqlplusMissing && !strings.HasPrefix(string(k), "sqlplus-") && k != fault.NotOpen && k != fault.NoPrivilege && k != fault.LostContact {
			out = append(out, string(k))
		}
	}
	return out
}

// makeTrouble returns what trouble does to the session that is attached.
func (w *world) makeTrouble(kind string, j *judge) func(*instance.Session) error {
	return func(s *instance.Session) error {
		switch kind {
		case "kill":
			panic(errKilled)
		case "lost":
			return errors.New("ORA-03113: end-of-file on communication channel")
		case "answer-lost":
			return errReplyLost
		}
		if s == nil || s.Username == "SYS" {
			return nil
		}
		switch kind {
		case "logoff":
			w.db.Logoff(s)
			return nil
		case "second-session":
			w.db.AddSession(s, instance.Logon{User: "STRANGER", Program: "autotrace"})
			return nil
		case "foreign":
			const text = "60 trace name errorstack level 2"
			w.setForeign(s, text)
			j.tolerate(s, text)
			return nil
		}
		f := fault.Fault{Kind: fault.Kind(kind)}
		switch fault.Kinds()[f.Kind] {
		case "session":
			f.Value = ref(s)
		case "duration":
			f.Value = "-1h"
		case "size":
			f.Value = "64k"
		}
		p := s.Proc
		if err := w.db.Fault(f); err != nil && !nothingThere(err) {
			w.t.Errorf("%s: %v", kind, err)
		}
		if f.Kind == fault.SwitchUser && !w.db.Assume.On(assume.EventsOfSession) {
			j.handOn(s, p)
		}
		return nil
	}
}

// wake makes every hung process well, takes every fault back, and logs the
// second sessions off.
func (w *world) wake() {
	for _, k := range []fault.Kind{fault.HangTarget, fault.OradebugDisabled, fault.HeapViolation, fault.DiskFull, fault.DelayedGone, fault.DelayedReuse} {
		if err := w.db.Fault(fault.Fault{Kind: k, Off: true}); err != nil {
			w.t.Error(err)
		}
	}
	for _, in := range w.db.Instances {
		var second []*instance.Session
		w.db.Locked(func() {
			for _, s := range in.Sessions() {
				if s.Program == "autotrace" {
					second = append(second, s)
				}
			}
		})
		for _, s := range second {
			w.db.Logoff(s)
		}
	}
}

// killedBy runs f and reports whether it was killed.
func killedBy(f func()) (killed bool) {
	defer func() {
		if p := recover(); p != nil {
			if p != errKilled {
				panic(p)
			}
			killed = true
		}
	}()
	f()
	return false
}

// nothingThere reports a fault that finds nothing to befall: an earlier one has
// ended the session, or its process.
func nothingThere(err error) bool {
	for _, text := range []string{"no trace file yet", "there is no session", "has no process"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}
