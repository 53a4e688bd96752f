package debugger

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// command is one ORADEBUG command. run of a command that needs a target runs
// under the database's lock.
type command struct {
	needsTarget bool
	run         func(*Debugger, context.Context, oradebug.Command) (lines, changed []string, err error)
}

func commands() map[string]command {
	return map[string]command{
		"HELP":        {false, (*Debugger).help},
		"DOC":         {false, (*Debugger).doc},
		"DUMPLIST":    {false, (*Debugger).dumplist},
		"SETMYPID":    {false, (*Debugger).setmypid},
		"SETORAPID":   {false, (*Debugger).setorapid},
		"SETOSPID":    {false, (*Debugger).setospid},
		"SETORAPNAME": {false, (*Debugger).setorapname},
		"SETINST":     {false, (*Debugger).silent},
		"RELEASE":     {false, (*Debugger).silent},
		"WAKEUP":      {false, (*Debugger).silent},
		"-G":          {false, (*Debugger).cluster},
		"-R":          {false, (*Debugger).cluster},

		"EVENT":          {true, (*Debugger).event},
		"SESSION_EVENT":  {true, (*Debugger).event},
		"EVENTDUMP":      {true, (*Debugger).eventdump},
		"DUMP":           {true, (*Debugger).dump},
		"FLUSH":          {true, (*Debugger).flush},
		"CLOSE_TRACE":    {true, (*Debugger).closeTrace},
		"TRACEFILE_NAME": {true, (*Debugger).tracefileName},
		"SETTRACEFILEID": {true, (*Debugger).setTracefileID},
		"UNLIMIT":        {true, (*Debugger).unlimit},
		"SHORT_STACK":    {true, (*Debugger).shortStack},
		"CURRENT_SQL":    {true, (*Debugger).currentSQL},
		"SUSPEND":        {true, (*Debugger).suspend},
		"RESUME":         {false, (*Debugger).resume},
		"PROCSTAT":       {true, (*Debugger).silent},
		"HANGANALYZE":    {false, (*Debugger).silent},
	}
}

func (g *Debugger) silent(context.Context, oradebug.Command) (lines, changed []string, err error) {
	return g.processed(), nil, nil
}

func (g *Debugger) help(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	word := ""
	if len(c.Args) > 0 {
		word = strings.ToUpper(c.Args[0])
	}
	for _, k := range catalog.Commands() {
		if word == "" || k.Name == word {
			lines = append(lines, strings.TrimRight(fmt.Sprintf("%-14s %s", k.Name, k.Args), " "))
		}
	}
	if len(lines) == 0 {
		return nil, nil, ora(70, "command %s is not valid", c.Args[0])
	}
	return lines, nil, nil
}

// doc prints the heading that is known; the texts behind it are Oracle's own
// (facts/oradebug.md 2.1).
func (g *Debugger) doc(context.Context, oradebug.Command) (lines, changed []string, err error) {
	return []string{"", "Internal Documentation", "**********************", "", "  EVENT                           Help on events (syntax, event list, ...)", "  COMPONENT       [<comp_name>]   List all components or describe <comp_name>", ""}, nil, nil
}

func (g *Debugger) dumplist(context.Context, oradebug.Command) (lines, changed []string, err error) {
	for _, k := range catalog.Dumps() {
		lines = append(lines, k.Name)
	}
	return lines, nil, nil
}

func (g *Debugger) setmypid(context.Context, oradebug.Command) (lines, changed []string, err error) {
	g.target = g.self.Proc
	return g.processed(), nil, nil
}

func (g *Debugger) fail(err error) ([]string, []string, error) {
	if !g.db.Assume.On(assume.AttachKeepsTarget) {
		g.target = nil
	}
	return nil, nil, err
}

func (g *Debugger) attach(p *instance.Process) ([]string, []string, error) {
	g.target = p
	return []string{fmt.Sprintf("Oracle pid: %d, %s", p.Orapid, p.ProcessLine())}, nil, nil
}

func (g *Debugger) setorapid(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	in := g.self.Inst
	n, convErr := strconv.Atoi(c.Args[0])
	if convErr != nil || n < 1 || n > in.MaxProcs {
		return g.fail(ora(71, "process number must be between 1 and %d", in.MaxProcs))
	}
	g.db.Attaching(in, n)
	var p *instance.Process
	g.db.Locked(func() { p = in.Process(n) })
	if p == nil {
		if !g.db.Assume.On(assume.DeadSlot72) {
			return g.fail(ora(75, `process "%s" not found in this instance`, c.Args[0]))
		}
		return g.fail(ora(72, `process "%s" is not active`, c.Args[0]))
	}
	return g.attach(p)
}

func (g *Debugger) setospid(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	var found []*instance.Process
	g.db.Locked(func() {
		for _, p := range g.self.Inst.Processes() {
			if p.Spid == c.Args[0] && (len(c.Args) < 2 || p.Stid == c.Args[1]) {
				found = append(found, p)
			}
		}
	})
	if len(found) == 0 {
		if !g.db.Assume.On(assume.UnknownOspid75) {
			return g.fail(ora(72, `process "Unix process pid: %s, image: <none>" is not active`, c.Args[0]))
		}
		return g.fail(ora(75, `process "%s" not found in this instance`, c.Args[0]))
	}
	return g.attach(found[0])
}

func (g *Debugger) setorapname(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	var p *instance.Process
	g.db.Locked(func() { p = g.self.Inst.ByName(strings.ToUpper(c.Args[0])) })
	if p == nil {
		return g.fail(ora(75, `process "%s" not found in this instance`, c.Args[0]))
	}
	return g.attach(p)
}

// cluster is -G and -R: the command runs once on every instance, in the
// session that listens there. Only commands without a target of their own
// make sense.
func (g *Debugger) cluster(ctx context.Context, c oradebug.Command) (lines, changed []string, err error) {
	if c.Inner == nil {
		return nil, nil, ora(73, "command %s takes between 2 and 255 argument(s)", c.Word)
	}
	switch c.Inner.Word {
	case "SETMYPID", "SETORAPID", "SETOSPID", "SETORAPNAME":
		return nil, nil, ora(87, "command cannot be executed on remote instance")
	}
	for _, f := range strings.Fields(strings.Trim(c.Instances, `"`)) {
		if n, convErr := strconv.Atoi(f); convErr == nil && g.db.Instance(n) == nil {
			return nil, nil, ora(89, "invalid instance number in ORADEBUG command")
		}
	}
	return g.processed(), nil, nil
}

func (g *Debugger) event(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	scope, name := instance.OfSession, "session"
	if c.Word == "EVENT" {
		scope, name = instance.OfProcess, "process"
	}
	p := g.target
	if c.Spec == nil {
		return nil, nil, ora(49163, "Event string must begin with a valid event name/number")
	}
	before, ringBefore := p.EventLines(name), ringText(p)
	p.Set(scope, *c.Spec)
	changed = diff(name, before, p.EventLines(name))
	if r := ringText(p); r != ringBefore {
		changed = append(changed, r)
	}
	return g.processed(), changed, nil
}

func ringText(p *instance.Process) string {
	if size, _, _, ok := p.Ring(); ok {
		return fmt.Sprintf("ring: %d bytes", size)
	}
	return "ring: released"
}

// diff says which lines of a table came and went.
func diff(name string, before, after []string) []string {
	var out []string
	missing := func(from, in []string, sign string) {
		left := append([]string(nil), in...)
		for _, l := range from {
			found := false
			for i, x := range left {
				if x == l {
					left = append(left[:i], left[i+1:]...)
					found = true
					break
				}
			}
			if !found {
				out = append(out, name+": "+sign+l)
			}
		}
	}
	missing(after, before, "+")
	missing(before, after, "-")
	return out
}

func (g *Debugger) eventdump(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	lines = g.target.EventLines(c.Args[0])
	if len(lines) == 0 {
		return g.processed(), nil, nil
	}
	return lines, nil, nil
}

func (g *Debugger) dump(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	level := 0
	if c.Dump != nil && c.Dump.Level != "" {
		if level, err = strconv.Atoi(c.Dump.Level); err != nil {
			return nil, nil, ora(73, "command %s takes between 2 and 3 argument(s)", c.Word)
		}
	}
	if c.Dump == nil {
		return nil, nil, ora(76, "dump %s not found", c.Rest)
	}
	before := ringText(g.target)
	g.target.Dump(c.Dump.Name, level)
	if r := ringText(g.target); r != before {
		changed = append(changed, r)
	}
	return g.processed(), changed, nil
}

func (g *Debugger) flush(context.Context, oradebug.Command) (lines, changed []string, err error) {
	return g.processed(), nil, nil
}

func (g *Debugger) closeTrace(context.Context, oradebug.Command) (lines, changed []string, err error) {
	g.target.CloseTrace()
	return g.processed(), nil, nil
}

func (g *Debugger) tracefileName(context.Context, oradebug.Command) (lines, changed []string, err error) {
	if !g.target.TraceExists() && !g.db.Assume.On(assume.TraceFileByName) {
		return g.processed(), nil, nil
	}
	return []string{g.target.TracePath()}, nil, nil
}

func (g *Debugger) setTracefileID(_ context.Context, c oradebug.Command) (lines, changed []string, err error) {
	g.target.Identifier = c.Args[0]
	changed = []string{"tracefile_identifier: " + c.Args[0]}
	_, on := g.db.Faults.Get(fault.HeapViolation)
	if g.target != g.self.Proc && (on || g.db.Assume.On(assume.SetidRemote32522)) {
		return nil, changed, ora(32522, "restricted heap violation while executing ORADEBUG command: [kghalo bad heap ds] [0x0133BED74] [0x060172100]")
	}
	return g.processed(), changed, nil
}

func (g *Debugger) unlimit(context.Context, oradebug.Command) (lines, changed []string, err error) {
	g.target.Unlimit = true
	return g.processed(), []string{"trace file size: unlimited"}, nil
}

func (g *Debugger) shortStack(context.Context, oradebug.Command) (lines, changed []string, err error) {
	return []string{"ksedsts()+426<-ksdxfstk()+58<-ksdxcb()+872<-sspuser()+223<-__sighandler()<-read()+14<-nttfprd()+354<-nsbasic_brc()+399<-nioqrc()+438<-opikndf2()+999<-opitsk()+811<-opiino()+931<-main()+250"}, nil, nil
}

func (g *Debugger) currentSQL(context.Context, oradebug.Command) (lines, changed []string, err error) {
	if s := g.target.Session(); s != nil && s.SQLText != "" && s.Status == "ACTIVE" {
		return strings.Split(s.SQLText, "\n"), nil, nil
	}
	return nil, nil, ora(85, "current call does not exist")
}

// suspend stops the target. A process that suspends itself would hang for
// good (facts/oradebug.md 1.2); the simulator refuses that.
func (g *Debugger) suspend(context.Context, oradebug.Command) (lines, changed []string, err error) {
	if g.target == g.self.Proc {
		return nil, nil, fmt.Errorf("simulator: SUSPEND of the own process would hang this session for good; nothing was done")
	}
	g.target.Suspend()
	return g.processed(), []string{"process suspended"}, nil
}

func (g *Debugger) resume(context.Context, oradebug.Command) (lines, changed []string, err error) {
	if g.target == nil {
		return nil, nil, ora(74, "no process has been specified")
	}
	g.db.Hang(g.target, false)
	return g.processed(), []string{"process resumed"}, nil
}
