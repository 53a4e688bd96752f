package plan

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ringtrace/internal/quantity"
	"ringtrace/templates"
)

// Step is one thing done to a session: what is sent, how it is proved, how it
// is taken back and what can go wrong. ORADEBUG lines are without the word.
type Step struct {
	Name   string
	Do     []string
	Verify string
	Undo   []string
	Risk   string
}

// Steps returns what is done to each session, in order. generate and enable
// carry out the same ones.
func (p *Plan) Steps() []Step {
	steps := []Step{
		{
			Name: "attach", Do: []string{"setmypid", "setorapid <orapid>"},
			Verify: "the reply names the expected orapid and ospid; the identity query finds the session, alone, on that process",
			Undo:   []string{"setmypid"},
			Risk:   "the process slot was reused: nothing is set unless the proof holds",
		},
		{
			Name: "record", Do: []string{"eventdump session", "eventdump process"},
			Verify: "none of our events is there already",
			Risk:   "each command leaves two marker lines in the session's trace file",
		},
	}
	for _, e := range p.Events {
		switch e.Kind {
		case KindSQLTrace:
			steps = append(steps, Step{
				Name: "sql trace", Do: []string{"session_event " + e.Spec}, Verify: "eventdump session shows sql_trace, newly", Undo: sessionEvents(e.Off), Risk: p.traceRisk(),
			})
		case KindRing:
			var do []string
			if Immediate(e.Spec) {
				do = []string{"session_event " + e.Spec}
			}
			steps = append(steps, Step{
				Name: "ring", Do: do, Verify: "eventdump shows no ring: only its text in the trace file proves it",
				Undo: sessionEvents(e.Off), Risk: "a reconnect in the same process can inherit it (inferred)",
			})
		case KindError:
			steps = append(steps, Step{
				Name: fmt.Sprintf("ORA-%05d", *e.Ora), Do: []string{"session_event " + e.Spec},
				Verify: fmt.Sprintf("eventdump session shows event %d, newly", *e.Ora), Undo: sessionEvents(e.Off),
				Risk: fmt.Sprintf("its undo also removes another owner's event %d", *e.Ora),
			})
		}
	}
	return append(steps, Step{
		Name: "detach", Do: []string{"tracefile_name", "eventdump session", "setmypid"},
		Verify: "the identity query again: ARMED, or MOVED if the session is no longer there",
		Risk:   "what was set in a session that moved is named by the log, not undone by itself",
	})
}

func (p *Plan) traceRisk() string {
	if p.Options.NoRing {
		return "the trace file grows at once and until the undo"
	}
	return fmt.Sprintf("%s of process memory; after a flush the session writes to its file (inferred)", templates.Bytes(p.RingBytes()))
}

func sessionEvents(specs []string) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = "session_event " + s
	}
	return out
}

// Print writes the plan for a person: totals, steps, sessions.
func (p *Plan) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "campaign %s, style %s\n", p.Campaign, p.Style)
	fmt.Fprintf(b, "%s, arming expires %s UTC\n", p.totals(), p.Expires.UTC().Format(oracleTime))
	printSteps(b, p.Steps())
	for i := range p.Instances {
		inst := &p.Instances[i]
		for _, part := range inst.Parts {
			fmt.Fprintf(b, "\n%s  (undo %s)\n", FileName(string(Enable), inst.InstID, part, ".sql"), FileName(string(Disable), inst.InstID, part, ".sql"))
			for blk := range blocks(part, templates.DefaultDefine) {
				fmt.Fprintf(b, "  %d/%d %s %s\n", blk.N, blk.Of, blk.Label, blk.Who)
			}
		}
	}
	return b.Flush()
}

// PrintLive writes a plan that the controller carries out: it has no scripts and
// no expiry, and what was set in a session that moved is taken back at once.
func (p *Plan) PrintLive(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, p.totals())
	steps := p.Steps()
	for i := range steps {
		if strings.HasPrefix(steps[i].Name, "ORA-") {
			steps[i].Risk = "a session in which somebody else has set it is skipped (foreign_event), unless --force: theirs is then set again by the undo"
		}
	}
	last := &steps[len(steps)-1]
	last.Do = []string{"eventdump session", "tracefile_name", "setmypid"}
	last.Verify = "the identity query again, before tracefile_name"
	last.Risk = "a session that has moved meanwhile is failed, and what was set is taken back at once"
	printSteps(b, steps)
	for i := range p.Instances {
		inst := &p.Instances[i]
		fmt.Fprintf(b, "\ninstance %d\n", inst.InstID)
		for _, part := range inst.Parts {
			for blk := range blocks(part, templates.DefaultDefine) {
				fmt.Fprintf(b, "  %s %s\n", blk.Label, blk.Who)
			}
		}
	}
	return b.Flush()
}

func (p *Plan) totals() string {
	return fmt.Sprintf("%s on %s, rings of %s, %s in all", quantity.Count(len(p.Sessions), "session"), quantity.Count(len(p.Instances), "instance"),
		templates.Bytes(p.RingBytes()), templates.Bytes(p.MemoryBytes()))
}

func printSteps(w io.Writer, steps []Step) {
	for i, s := range steps {
		fmt.Fprintf(w, "\n%d. %s\n", i+1, s.Name)
		lines(w, "do", s.Do)
		lines(w, "verify", []string{s.Verify})
		lines(w, "undo", s.Undo)
		lines(w, "risk", []string{s.Risk})
	}
}

func lines(w io.Writer, label string, texts []string) {
	for _, t := range texts {
		fmt.Fprintf(w, "   %-6s %s\n", label, t)
		label = ""
	}
}
