package instance

import (
	"fmt"
	"strings"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/event"
	"ringtrace/oradebug"
)

// Scope says whose table an event goes into.
type Scope int

// The scopes of ORADEBUG SESSION_EVENT and EVENT.
const (
	OfSession Scope = iota
	OfProcess
)

// Set carries out an event text in process p: ORADEBUG EVENT and
// SESSION_EVENT do this in their target. It must run under the lock.
func (p *Process) Set(scope Scope, spec oradebug.Spec) {
	d := p.Inst.db
	for _, e := range spec.Events {
		if e.Immediate {
			p.immediate(e)
			continue
		}
		s := p.Session()
		table := &p.Events
		if scope == OfSession && s != nil {
			table = &s.Events
		}
		was := table.SQLTrace().On
		table.Apply(e, d.Assume)
		if tr := table.SQLTrace(); tr.On && e.ID.Name == "sql_trace" && len(tr.Actions) > 0 {
			if d.Assume.On(assume.RingOnAtSet) {
				p.runAll(s, tr.Actions, 0)
			}
			if s != nil {
				s.ringActionsDone = d.Assume.On(assume.RingOnAtSet)
			}
		} else if s != nil && !was {
			s.ringActionsDone = true
		}
	}
	d.version++
}

// immediate runs the actions of an `immediate …` event.
func (p *Process) immediate(e oradebug.Event) {
	for i := range e.Actions {
		p.run(p.Session(), event.Action(&e.Actions[i]), 0)
	}
}

// SQLTrace is the trace state that the process works under: the session's
// events first, then the process's (facts/oradebug.md 3.7), then
// DBMS_MONITOR. Under the lock.
func (p *Process) SQLTrace() event.Trace {
	if s := p.Session(); s != nil {
		if tr := s.Events.SQLTrace(); tr.On {
			return tr
		}
		if s.MonitorOn {
			return event.Trace{On: true, Waits: s.MonitorWaits, Binds: s.MonitorBinds}
		}
	}
	return p.Events.SQLTrace()
}

// Raise signals an error in the session: events that watch it fire, the
// session's own first. It returns the names of the actions that ran.
func (d *Database) Raise(s *Session, ora int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.raise(s, ora)
}

func (d *Database) raise(s *Session, ora int) []string {
	p := s.Proc
	if p == nil || p.dead {
		return nil
	}
	dos := s.Events.Post(ora, d.Assume)
	if !s.Events.Watches(ora) {
		dos = p.Events.Post(ora, d.Assume)
	}
	p.runAll(s, dos, ora)
	names := make([]string, len(dos))
	for i := range dos {
		names[i] = dos[i].Name
	}
	return names
}

func (p *Process) runAll(s *Session, dos []event.Do, ora int) {
	for _, do := range dos {
		p.run(s, do, ora)
	}
}

// Dump is ORADEBUG DUMP name level. Under the lock.
func (p *Process) Dump(name string, level int) {
	p.run(p.Session(), event.Do{Name: strings.ToLower(name), Level: level}, 0)
}

// run carries out one action in the process.
func (p *Process) run(s *Session, do event.Do, ora int) {
	d := p.Inst.db
	switch do.Name {
	case "trace_buffer_on":
		p.ringOn(do.Level)
	case "trace_buffer_off":
		p.ringOff()
	case "errorstack":
		if d.Assume.On(assume.ErrorstackFlushes) {
			p.flushRing()
		}
		p.write(p.dumpHead() + p.errorstack(s, do.Level, ora))
		if ora != 0 && d.Assume.On(assume.AlertOnErrorstack) {
			p.Inst.Alert(fmt.Sprintf("Errors in file %s:\nORA-%05d: %s", p.TracePath(), ora, d.errorText(ora)))
		}
	case "incident":
		p.makeIncident(do.Label, ora)
	case "eventdump":
		p.write(strings.Join(append(p.EventLines(do.Group), ""), "\n"))
	case "crash":
		d.die(p)
	case "context":
		// Hands the level to the code that tests the event: nothing is dumped.
	default:
		p.write(p.stamps() + dumpText(do))
	}
	d.version++
}

// dumpHead is the time stamp that a dump always stands behind
// (facts/oradebug.md 4).
func (p *Process) dumpHead() string {
	if head := p.stamps(); head != "" {
		return head
	}
	p.file.stamp = p.traceClock()
	return "\n*** " + p.stampText(p.file.stamp) + "\n"
}

// EventLines is what eventdump prints for a group. Under the lock.
func (p *Process) EventLines(group string) []string {
	switch strings.ToLower(group) {
	case "session":
		if s := p.Session(); s != nil {
			return s.Events.Lines()
		}
	case "process":
		return p.Events.Lines()
	}
	return nil
}
