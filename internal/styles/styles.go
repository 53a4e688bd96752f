package styles

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// Handles reports whether the style is one of this package's.
func Handles(style string) bool {
	switch style {
	case plan.StyleGenerator, plan.StyleAlterSession, plan.StyleLogonTrigger:
		return true
	}
	return false
}

// Bundle is the scripts of one style for all instances, and the plan behind
// them, which names no session.
type Bundle struct {
	Plan    *plan.Plan
	Scripts []Script
}

// Script is one script.
type Script struct {
	Name     string
	Template string
	Undo     bool
	Model    *Model
}

// Model is what these templates see: the facts of a part (plan.Script, without
// blocks), and what the style adds.
type Model struct {
	*plan.Script

	UndoName string // name of the undo script

	// Statements are the event texts for ALTER SESSION SET EVENTS, in order.
	Statements []string

	// For scripts that find sessions themselves:

	Cap        int      // no more sessions than this
	Where      string   // the selector as a condition, empty for none
	Dropped    []string // flags that an undo leaves out, because their values change
	Maintained []string // literals of the Oracle-maintained users, some a line
	Dictionary bool     // DBA_USERS.ORACLE_MAINTAINED exists (12.1+)
	Containers bool     // V$CONTAINERS is needed, for --pdb
	Lines      []string // arms of the CASE that prints a block, as expressions
	RunBase    string   // name of the written script, without time and extension
	RunDefine  string   // its substitution character, another one than ours

	// For triggers:

	Triggers []Trigger
	Filter   string // further conditions on the session that logs on
}

// Trigger is one trigger on one schema.
type Trigger struct {
	Name    string // RT_20261130T124726Z_3F9AC1_1
	Schema  string // quoted identifier
	Literal string // the schema as a string expression
	Comment string // the schema, fit for a comment
}

// New makes the scripts. req.Sessions is used for users and instances only, and
// may be incomplete: it is what matched now, if anybody looked.
func New(req plan.Request, sel *sessions.Selector) (*Bundle, error) {
	if err := req.Options.Validate(); err != nil {
		return nil, err
	}
	for _, t := range sel.Terms {
		if !utf8.ValidString(t.Value) {
			return nil, exit.Errorf(exit.Usage, "give it in UTF-8", "--%s %q is not UTF-8, and a script could not ask for it", t.Field.Flag(), t.Value)
		}
	}
	found := req.Sessions
	instances, err := instancesOf(req, sel)
	if err != nil {
		return nil, err
	}
	req.Sessions = nil
	p := &plan.Plan{Request: req, Events: plan.Events(req.Options)}
	if req.Style != plan.StyleGenerator {
		p.Events = sessionEvents(req.Options)
	}
	b := &Bundle{Plan: p}
	for i := range instances {
		inst, err := plan.InstanceFacts(instances, instances[i].InstID)
		if err != nil {
			return nil, err
		}
		p.Instances = append(p.Instances, plan.InstancePlan{Instance: inst})
	}
	for i := range p.Instances {
		inst := &p.Instances[i]
		for _, undo := range []bool{false, true} {
			s, err := b.script(inst, sel, found, undo)
			if err != nil {
				return nil, err
			}
			b.Scripts = append(b.Scripts, s)
		}
	}
	return b, nil
}

// instancesOf are the instances of the sessions found; with none, those that
// are known or selected, or instance 1.
func instancesOf(req plan.Request, sel *sessions.Selector) ([]sessions.Instance, error) {
	var ids []int
	for i := range req.Sessions {
		ids = append(ids, req.Sessions[i].InstID)
	}
	if len(ids) == 0 {
		for _, t := range sel.Insts {
			if !t.Negate {
				ids = append(ids, t.InstID)
			}
		}
	}
	if len(ids) == 0 {
		for _, i := range req.Instances {
			ids = append(ids, i.InstID)
		}
	}
	if len(ids) == 0 {
		ids = []int{1}
	}
	slices.Sort(ids)
	var out []sessions.Instance
	for _, id := range slices.Compact(ids) {
		inst := sessions.Instance{InstID: id}
		for _, known := range req.Instances {
			if known.InstID == id {
				inst = known
			}
		}
		out = append(out, inst)
	}
	return out, nil
}

// sessionEvents are the events as a session sets them for itself: the ring by
// an immediate event of its own, which is what ALTER SESSION is known to take
// (facts/oradebug.md 4), and sql_trace without the action.
func sessionEvents(o plan.Options) []plan.Event {
	events := plan.Events(o)
	bare := o
	bare.NoRing = true
	for i := range events {
		switch events[i].Kind {
		case plan.KindSQLTrace:
			events[i].Spec = plan.Events(bare)[0].Spec
		case plan.KindRing:
			events[i].Spec = fmt.Sprintf("immediate trace name trace_buffer_on level %d", o.Ring)
		}
	}
	// The ring first: a trace that starts without it goes to the disk.
	slices.SortStableFunc(events, func(a, b plan.Event) int { return rank(a.Kind) - rank(b.Kind) })
	return events
}

func rank(k plan.Kind) int {
	return slices.Index([]plan.Kind{plan.KindRing, plan.KindSQLTrace, plan.KindError}, k)
}

func (b *Bundle) script(inst *plan.InstancePlan, sel *sessions.Selector, found []sessions.Session, undo bool) (Script, error) {
	style := b.Plan.Style
	kind, template := plan.Enable, strings.ReplaceAll(style, "-", "_")
	name, undoName := FileName(style, inst.InstID, false), FileName(style, inst.InstID, true)
	if undo {
		kind, template, name = plan.Disable, template+"_undo", undoName
	}
	m := &Model{Script: b.Plan.Script(inst, plan.Part{K: 1, Of: 1}, kind), UndoName: undoName, Cap: b.Plan.MaxSessions}
	m.File, m.EnableFile, m.UndoFile, m.CollectFile = name, FileName(style, inst.InstID, false), undoName, ""
	m.LogBase = strings.TrimSuffix(name, ".sql")
	if style != plan.StyleGenerator || !undo {
		// Nothing here is about sessions that a restart ends.
		m.Instance.Startup = ""
	}
	m.NotChecked = slices.DeleteFunc(m.NotChecked, func(s string) bool { return strings.HasPrefix(s, "startup") })
	var err error
	switch style {
	case plan.StyleGenerator:
		err = m.generator(sel, b.Plan.Events, inst, undo)
	case plan.StyleAlterSession:
		m.NotChecked = nil // it can be run anywhere
		m.Statements = statements(b.Plan.Events, undo)
	case plan.StyleLogonTrigger:
		err = m.trigger(b.Plan, sel, found, inst, undo)
	}
	return Script{Name: name, Template: template, Undo: undo, Model: m}, err
}

// FileName is <style>_<inst>.sql, or <style>_undo_<inst>.sql.
func FileName(style string, instID int, undo bool) string {
	if undo {
		style += "_undo"
	}
	return fmt.Sprintf("%s_%d.sql", style, instID)
}

// statements are the texts of ALTER SESSION SET EVENTS that arm or disarm.
func statements(events []plan.Event, undo bool) []string {
	if undo {
		off, ring, _ := plan.OffLines(events)
		return append(off, ring...)
	}
	var out []string
	for _, e := range events {
		out = append(out, e.Spec)
	}
	return out
}

// generator fills in what a script needs that finds its sessions itself.
func (m *Model) generator(sel *sessions.Selector, events []plan.Event, inst *plan.InstancePlan, undo bool) error {
	m.RunBase = fmt.Sprintf("generated_%d", inst.InstID)
	d := otherDefine(m.Define)
	m.RunDefine = d
	block := armBlock(plan.SetLines(events), d)
	use := *sel
	if undo {
		m.RunBase = fmt.Sprintf("generated_undo_%d", inst.InstID)
		block = disarmBlock(events, d)
		use, m.Dropped = lasting(sel)
	}
	m.selection(&use, inst)
	m.Lines = expressions(block)
	return nil
}

func (m *Model) selection(sel *sessions.Selector, inst *plan.InstancePlan) {
	d := m.Define[0]
	m.Where = condition(sel, "i.instance_number", "c.name", d)
	for _, t := range sel.Terms {
		m.Containers = m.Containers || t.Field == sessions.FieldPDB
	}
	m.Dictionary = inst.Version != "" && plan.AtLeast(inst.Version, 12, 1)
	var users []string
	for _, u := range sessions.MaintainedUsers() {
		users = append(users, literal(u, d))
	}
	for chunk := range slices.Chunk(users, 8) {
		m.Maintained = append(m.Maintained, strings.Join(chunk, ", "))
	}
}

// lasting leaves out of a selector what can change while a session lives: an
// undo must find the sessions that matched earlier.
func lasting(sel *sessions.Selector) (sessions.Selector, []string) {
	out := *sel
	out.Terms = nil
	var dropped []string
	for _, t := range sel.Terms {
		switch t.Field {
		case sessions.FieldModule, sessions.FieldAction, sessions.FieldClientID, sessions.FieldClientInfo, sessions.FieldSQLID, sessions.FieldStatus, sessions.FieldPDB:
			if flag := "--" + t.Field.Flag(); !slices.Contains(dropped, flag) {
				dropped = append(dropped, flag)
			}
		default:
			out.Terms = append(out.Terms, t)
		}
	}
	return out, dropped
}

// trigger fills in the triggers, or what their undo looks for.
func (m *Model) trigger(p *plan.Plan, sel *sessions.Selector, found []sessions.Session, inst *plan.InstancePlan, undo bool) error {
	users, err := schemas(sel, found)
	if err != nil {
		return err
	}
	d := m.Define[0]
	for i, u := range users {
		q, err := quoted(u)
		if err != nil {
			return err
		}
		m.Triggers = append(m.Triggers, Trigger{
			Name: triggerName(p.Campaign, inst.InstID, i+1), Schema: q, Literal: literal(u, d), Comment: templates.Comment(d, 64, u),
		})
	}
	m.Statements = statements(p.Events, undo)
	if undo {
		m.RunBase = fmt.Sprintf("generated_undo_%d", inst.InstID)
		own := sessions.Selector{}
		for _, u := range users {
			own.Terms = append(own.Terms, sessions.Term{Field: sessions.FieldUsername, Value: u})
		}
		m.selection(&own, inst)
		m.RunDefine = otherDefine(m.Define)
		m.Lines = expressions(disarmBlock(p.Events, m.RunDefine))
		return nil
	}
	rest := sessions.Selector{Like: sel.Like, IgnoreCase: sel.IgnoreCase}
	for _, t := range sel.Terms {
		if t.Field != sessions.FieldUsername {
			rest.Terms = append(rest.Terms, t)
		}
	}
	m.Filter = condition(&rest, "1", "null", d)
	return nil
}

// schemas are the users whose sessions to come are meant.
func schemas(sel *sessions.Selector, found []sessions.Session) ([]string, error) {
	for _, t := range sel.Terms {
		switch t.Field {
		case sessions.FieldUsername, sessions.FieldService, sessions.FieldProgram, sessions.FieldMachine, sessions.FieldOSUser:
		case sessions.FieldPDB:
			return nil, exit.Errorf(exit.Usage, "leave it out, and run the script in that container", "--pdb does not fit style logon-trigger")
		default:
			return nil, exit.Errorf(exit.Usage, "select by --username, --service, --program, --machine or --osuser", "--%s is not known when a session logs on", t.Field.Flag())
		}
	}
	if len(sel.SIDs) > 0 {
		return nil, exit.Errorf(exit.Usage, "select by --username", "--sid does not fit style logon-trigger, which is for sessions to come")
	}
	var users []string
	exact := !sel.Like && !sel.IgnoreCase
	for _, t := range sel.Terms {
		if t.Field == sessions.FieldUsername && !t.Negate && exact {
			users = append(users, t.Value)
		}
	}
	if len(users) == 0 {
		for i := range found {
			users = append(users, found[i].Username)
		}
	}
	slices.Sort(users)
	users = slices.DeleteFunc(slices.Compact(users), func(u string) bool { return u == "" })
	if len(users) == 0 {
		return nil, exit.Errorf(exit.Usage, "name the schema as it is spelt: --username APP", "style logon-trigger needs a user to wait for")
	}
	for _, u := range users {
		if sessions.MaintainedUser(u) {
			return nil, exit.Errorf(exit.Usage, "name an application's schema", "user %s comes with the database; no trigger is made for it", u)
		}
	}
	return users, nil
}

// triggerName makes a name of at most 30 bytes, the limit before 12.2.
func triggerName(campaign string, instID, n int) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, campaign)
	tail := fmt.Sprintf("_%d_%d", instID, n)
	return "RT_" + clean[:min(len(clean), 30-len("RT_")-len(tail))] + tail
}
