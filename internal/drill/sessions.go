package drill

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ringtrace/internal/control"
)

// switched gives A's process another session and proves that one.
func (s *subject) switched(ctx context.Context) error {
	if s.x.Switch == nil {
		return fmt.Errorf("SQL*Plus cannot give a process another session: %w", errShows)
	}
	if err := s.x.Switch(s.a); err != nil {
		return err
	}
	was := s.target
	if err := s.identify(ctx); err != nil {
		return err
	}
	if !was.Process.Same(s.target.Process) {
		return fmt.Errorf("it is in another process now: %w", errShows)
	}
	return nil
}

func ringOfProcess(ctx context.Context, x *bench, s *subject) (string, error) {
	wrote, err := s.atEnd(ctx, "another session in the process", func() error { return s.switched(ctx) })
	if err != nil {
		return "", err
	}
	if wrote {
		return No, nil
	}
	text, err := s.grownBy(ctx, off)
	return yesNo(held(x, text)), err
}

func eventsOfSession(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, "session_event 942 errorstack(0)"); err != nil {
		return "", err
	}
	if err := s.switched(ctx); err != nil {
		return "", err
	}
	lines, err := s.events(ctx)
	return yesNo(about(lines, "942") == 0), err
}

func lostAtExit(ctx context.Context, _ *bench, s *subject) (string, error) {
	wrote, err := s.atEnd(ctx, "logoff", func() error {
		s.end(ctx)
		return s.x.gone(ctx, s.target)
	})
	return yesNo(!wrote), err
}

func killed(ctx context.Context, _ *bench, s *subject) (string, error) {
	wrote, err := s.atEnd(ctx, "KILL SESSION", func() error {
		k := s.target.Key
		lines, err := s.x.query(ctx, fmt.Sprintf("alter system kill session '%d,%d' immediate", k.SID, k.Serial))
		if err == nil && strings.Contains(strings.Join(lines, "\n"), "ORA-") {
			err = fmt.Errorf("kill session: %s", strings.Join(lines, " "))
		}
		if err == nil {
			err = s.x.gone(ctx, s.target)
		}
		return err
	})
	switch {
	case err != nil:
		return "", err
	case wrote:
		return "what it holds is written", nil
	}
	return "what it holds is lost", nil
}

// gone waits until a process is not there any more: a logoff takes a moment.
func (x *bench) gone(ctx context.Context, t control.Target) error {
	for range 100 { // PMON may have to come round first
		n, err := x.processes(ctx, t)
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		if err := x.Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("process %d does not end", t.Process.Orapid)
}

func (x *bench) processes(ctx context.Context, t control.Target) (int, error) {
	lines, err := x.query(ctx, fmt.Sprintf("select 'processes ' || count(*) from v$process where pid = %d", t.Process.Orapid))
	if err != nil {
		return 0, err
	}
	n := -1
	for _, l := range lines {
		if _, err := fmt.Sscanf(strings.TrimSpace(l), "processes %d", &n); err == nil {
			return n, nil
		}
	}
	return 0, fmt.Errorf("V$PROCESS answers %q", lines)
}
