package drill

import (
	"context"
	"fmt"
	"strings"

	"ringtrace/internal/control"
	"ringtrace/oradebug"
)

// impossible is a process number that no instance has, so that an attach to it
// fails and hits nobody.
const impossible = "setorapid 2000000000"

func keepsTarget(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, "session_event 942 errorstack(0)"); err != nil {
		return "", err
	}
	r, err := s.try(ctx, impossible, "eventdump session")
	if err != nil {
		return "", err
	}
	switch {
	case len(r) != 2 || r[0].Kind != oradebug.ReplyFailed:
		return "", errShows
	case r[1].Kind == oradebug.ReplyEvents && about(r[1].Events, "942") > 0:
		return Yes, nil
	case r[1].Kind == oradebug.ReplyFailed:
		return No, nil
	}
	return "", errShows
}

// own sends commands to B's own process and returns the last answer.
func (s *subject) own(ctx context.Context, commands ...string) (oradebug.Reply, error) {
	r, err := s.x.b.Own(ctx, commands...)
	if err != nil {
		return oradebug.Reply{}, err
	}
	last := r[len(r)-1]
	s.note("oradebug %s\n%s", commands[len(commands)-1], strings.Join(last.Lines, "\n"))
	return last, nil
}

// dead ends A and waits until its slot is free.
func (s *subject) dead(ctx context.Context) error {
	s.end(ctx)
	return s.x.gone(ctx, s.target)
}

// refusal reads which of two errors an attach to something dead is.
func (s *subject) refusal(ctx context.Context, command string, code int) (string, error) {
	if err := s.dead(ctx); err != nil {
		return "", err
	}
	r, err := s.own(ctx, command)
	if err != nil {
		return "", err
	}
	if r.Kind == oradebug.ReplyAttached { // somebody took the slot; nothing was sent there
		_, err := s.own(ctx, "setmypid")
		if err == nil {
			err = errShows
		}
		return "", err
	}
	if r.Kind != oradebug.ReplyFailed {
		return "", errShows
	}
	return yesNo(r.HasError(code)), nil
}

func deadSlot(ctx context.Context, _ *bench, s *subject) (string, error) {
	return s.refusal(ctx, fmt.Sprintf("setorapid %d", s.target.Process.Orapid), 72)
}

func unknownOspid(ctx context.Context, _ *bench, s *subject) (string, error) {
	return s.refusal(ctx, "setospid "+s.target.Process.Ospid, 75)
}

func extraArguments(ctx context.Context, _ *bench, s *subject) (string, error) {
	r, err := s.own(ctx, "setmypid surplus")
	if err != nil {
		return "", err
	}
	if r.Kind == oradebug.ReplyFailed && !r.HasError(73) {
		return "", errShows
	}
	return yesNo(r.HasError(73)), nil
}

func sysdbaOnly(ctx context.Context, x *bench, s *subject) (string, error) {
	if !x.Ordinary {
		return "", fmt.Errorf("the scratch session is SYSDBA's own: %w", errShows)
	}
	lines, err := s.a.Do(ctx, "oradebug setmypid")
	if err != nil {
		return "", err
	}
	s.note("oradebug setmypid\n%s", strings.Join(lines, "\n"))
	return yesNo(strings.Contains(strings.Join(lines, "\n"), "ORA-01031")), nil
}

func setTracefileID(ctx context.Context, _ *bench, s *subject) (string, error) {
	r, err := s.try(ctx, "settracefileid RTDRILL")
	if err != nil {
		return "", err
	}
	if r[0].Kind == oradebug.ReplyFailed && !r[0].HasError(32522) {
		return "", errShows
	}
	return yesNo(r[0].HasError(32522)), nil
}

func successLine(ctx context.Context, _ *bench, s *subject) (string, error) {
	r, err := s.own(ctx, "setmypid")
	if err != nil {
		return "", err
	}
	if r.Kind == oradebug.ReplyFailed {
		return "", errShows
	}
	return yesNo(strings.TrimSpace(strings.Join(r.Lines, "")) != ""), nil
}

// tracefileName asks a conversation that has written no trace yet.
func tracefileName(ctx context.Context, x *bench, s *subject) (string, error) {
	b := control.NewConsole(x.Timeout, x.Dial)
	defer b.Close() //nolint:errcheck // nothing is lost
	r, err := b.Own(ctx, "tracefile_name")
	if err != nil {
		return "", err
	}
	last := r[len(r)-1]
	s.note("oradebug tracefile_name\n%s", strings.Join(last.Lines, "\n"))
	switch last.Kind {
	case oradebug.ReplyTracefile:
		return Yes, nil
	case oradebug.ReplyProcessed, oradebug.ReplyEmpty:
		return No, nil
	}
	return "", errShows
}

// script runs lines in a SQL*Plus of its own.
func (s *subject) script(ctx context.Context, lines ...string) (string, error) {
	if s.x.Script == nil {
		return "", fmt.Errorf("no SQL*Plus of its own to run a script in: %w", errShows)
	}
	out, err := s.x.Script(ctx, lines)
	s.note("%s\n→ %s", strings.Join(lines, "\n"), out)
	return out, err
}

func hasLine(out, want string) bool {
	for _, l := range strings.Split(out, "\n") {
		if strings.TrimSpace(l) == want {
			return true
		}
	}
	return false
}

func feedbackOff(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known("success-line") != Yes {
		return "", fmt.Errorf("there is no such line with feedback on either: %w", errShows)
	}
	out, err := s.script(ctx, "set feedback off", "prompt RT BEGIN", "oradebug setmypid", "prompt RT END")
	if err != nil {
		return "", err
	}
	_, rest, ok := strings.Cut(out, "RT BEGIN")
	between, _, ok2 := strings.Cut(rest, "RT END")
	if !ok || !ok2 {
		return "", errShows
	}
	return yesNo(strings.TrimSpace(between) != ""), nil
}

func whenever(ctx context.Context, _ *bench, s *subject) (string, error) {
	out, err := s.script(ctx, "whenever sqlerror exit failure", "prompt RT BEGIN", "oradebug "+impossible, "prompt RT END")
	if err != nil {
		return "", err
	}
	if !hasLine(out, "RT BEGIN") || !strings.Contains(out, "ORA-") {
		return "", errShows
	}
	return yesNo(hasLine(out, "RT END")), nil
}

func undefined(ctx context.Context, _ *bench, s *subject) (string, error) {
	out, err := s.script(ctx, "set define on", "prompt RT BEGIN", "prompt &ringtrace_drill_undefined", "prompt RT NEXT", "prompt RT END")
	if err != nil {
		return "", err
	}
	if !hasLine(out, "RT BEGIN") {
		return "", errShows
	}
	return yesNo(!hasLine(out, "RT NEXT")), nil
}
