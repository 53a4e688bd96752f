// Package debugger answers ORADEBUG commands: it keeps the current target of
// one SQL*Plus session and does in the target what each command does, with
// the answers and errors of facts/oradebug.md 2.
package debugger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/oradebug"
)

// Debugger is the ORADEBUG state of one SQL*Plus session.
type Debugger struct {
	db     *instance.Database
	self   *instance.Session
	target *instance.Process

	// Wait is called while a target does not answer; it returns when the
	// caller gives up. nil: give up at once, as after the time-out of
	// `_ksdxdocmd_default_timeout_ms` (30 s, facts/oradebug.md 2.6).
	Wait func(ctx context.Context, p *instance.Process) error
}

// New returns the debugger of a connection. It has no target yet.
func New(db *instance.Database, self *instance.Session) *Debugger {
	return &Debugger{db: db, self: self}
}

// Reply is what a command printed and changed.
type Reply struct {
	Lines   []string
	Failed  bool     // an ORA- error
	Changed []string // what is different now, for `rehearse`
	Target  *instance.Session
}

// Target returns the selected process, or nil.
func (g *Debugger) Target() *instance.Process { return g.target }

type oraError struct{ lines []string }

func (e *oraError) Error() string { return strings.Join(e.lines, "\n") }

func ora(code int, format string, args ...any) error {
	return &oraError{[]string{fmt.Sprintf("ORA-%05d: ", code) + fmt.Sprintf(format, args...)}}
}

// Do runs one command; text is what follows the word ORADEBUG.
func (g *Debugger) Do(ctx context.Context, text string) Reply {
	lines, changed, err := g.do(ctx, text)
	var oe *oraError
	if errors.As(err, &oe) {
		return Reply{Lines: oe.lines, Failed: true, Changed: changed}
	}
	if err != nil {
		return Reply{Lines: []string{err.Error()}, Failed: true, Changed: changed}
	}
	r := Reply{Lines: lines, Changed: changed}
	if g.target != nil {
		g.db.Locked(func() { r.Target = g.target.Session() })
	}
	return r
}

// processed is the answer of commands without output of their own.
func (g *Debugger) processed() []string {
	if g.db.Assume.On(assume.SuccessLine) {
		return []string{"Statement processed."}
	}
	return nil
}

func (g *Debugger) do(ctx context.Context, text string) ([]string, []string, error) {
	server := ""
	g.db.Locked(func() { server = g.self.Server })
	if !g.self.Sysdba && g.db.Assume.On(assume.SysdbaOnly1031) {
		return nil, nil, ora(1031, "insufficient privileges")
	}
	if server != "DEDICATED" {
		return nil, nil, ora(88, "command cannot be executed by shared server")
	}
	c, err := oradebug.ParseCommandFor("oradebug "+text, g.db.Release.Language())
	var ce *oradebug.CommandError
	if errors.As(err, &ce) && (ce.ORA == 70 || ce.ORA == 73 && (g.db.Assume.On(assume.ExtraArguments73) || len(c.Args) == 0)) {
		return nil, nil, ora(ce.ORA, "%s", ce.Message)
	}
	if _, off := g.db.Faults.Get(fault.OradebugDisabled); off {
		return nil, nil, ora(32519, "insufficient privileges to execute ORADEBUG command: %s", c.Word)
	}
	cmd, known := commands()[c.Word]
	if !known {
		return nil, nil, fmt.Errorf("simulator: ORADEBUG %s exists in Oracle, but it is not simulated; nothing was done", c.Word)
	}
	if !cmd.needsTarget {
		return cmd.run(g, ctx, c)
	}
	if g.target == nil {
		return nil, nil, ora(74, "no process has been specified")
	}
	if errors.As(err, &ce) {
		return nil, nil, parseFailure(ce)
	}
	return g.inTarget(ctx, cmd, c, text)
}

// parseFailure gives Oracle's lines for a command that does not parse: an
// event error is a pair of lines (facts/oradebug.md 0 fact 4).
func parseFailure(ce *oradebug.CommandError) error {
	var se *oradebug.SpecError
	if errors.As(ce, &se) {
		return &oraError{se.Lines()}
	}
	return ora(ce.ORA, "%s", ce.Message)
}

// inTarget runs a command in the target: the target's trace gets a marker
// before and after (facts/oradebug.md 2.5).
func (g *Debugger) inTarget(ctx context.Context, cmd command, c oradebug.Command, text string) (lines, changed []string, err error) {
	p := g.target
	alive, hung := false, false
	g.db.Locked(func() { alive, hung = p.Alive(), p.Hung() })
	if !alive {
		return nil, nil, ora(72, `process "%s" is not active`, gone(p))
	}
	body := func() {
		own := p == g.self.Proc
		typed := strings.TrimRight(strings.TrimSpace(text), "; ")
		p.MarkBefore(typed, g.self.Proc, own)
		lines, changed, err = cmd.run(g, ctx, c)
		p.MarkAfter(typed, own, lines)
	}
	if hung {
		if g.Wait != nil {
			if werr := g.Wait(ctx, p); werr != nil {
				g.db.Locked(func() { p.Later(body) }) // it stays posted
				return nil, nil, ora(1013, "user requested cancel of current operation")
			}
			g.db.Locked(func() { hung = p.Hung() })
		}
		if hung {
			g.db.Locked(func() { p.Later(body) })
			return nil, nil, ora(32516, "cannot wait for process '%s' to finish executing ORADEBUG command '%s'; wait time exceeds %d ms", p.ProcessLine(), c.Word, 30000)
		}
	}
	g.db.Locked(body)
	return lines, changed, err
}

// gone is the descriptor of a dead process (facts/oradebug.md 2.2, ORA-00072).
func gone(p *instance.Process) string {
	return "Unix process pid: " + p.Spid + ", image: <none>"
}
