package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringtrace/internal/oraerr"
	"ringtrace/tracefile"
)

// choose picks the error that the report is about: the earliest that brought a
// dump, because its ring was flushed for it and what came later is mostly its
// consequence; without a dump the latest, for which somebody fetched the trace.
// What a bundle's campaign caught goes before what only stands in the same files.
// Failures lists the others.
func (b *builder) choose() int {
	best := -1
	for i, e := range b.errs {
		if !b.wanted(e) {
			continue
		}
		if best < 0 || b.better(i, best) {
			best = i
		}
	}
	return best
}

// better reports whether a later listed error tells more than another.
func (b *builder) better(i, j int) bool {
	if x, y := b.m.Errors[i].Apart == "", b.m.Errors[j].Apart == ""; x != y {
		return x
	}
	e, o := b.errs[i], b.errs[j]
	if (e.Dump != nil) != (o.Dump != nil) {
		return e.Dump != nil
	}
	timed := e.HasWall && o.HasWall
	if e.Dump != nil {
		return timed && e.Wall < o.Wall
	}
	return !timed || e.Wall >= o.Wall
}

// wanted applies --error and --sql.
func (b *builder) wanted(e *tracefile.ErrorInfo) bool {
	if len(b.opt.ORA) > 0 && !slices.Contains(b.opt.ORA, e.ORA) {
		return false
	}
	if len(b.opt.SQL) > 0 {
		return b.chosen(e.Statement)
	}
	return true
}

func (b *builder) verdict() {
	i := b.choose()
	if i < 0 {
		return
	}
	e, o := b.errs[i], &b.m.Errors[i]
	v := &Verdict{
		ORA: e.ORA, Message: str(b.hide.message(e.Message)), At: o.At, File: o.File, Line: e.Line, Source: e.Source,
		Session: o.Session, SessionInfo: []Pair{}, SQLSource: e.SQLSource, TextSource: string(tracefile.TextNone),
		Execution: e.Ordinal, Depth: e.Depth, Binds: o.Binds, BindLine: e.BindLine, PLSQL: []string{}, Frames: []string{},
		Stack: []string{}, InFlight: []Flight{}, Before: []Row{}, Sides: []DeadlockSide{}, ErrorIndex: i, Apart: o.Apart, DumpFile: o.DumpFile, DumpLine: o.DumpLine,
	}
	if v.Message == nil {
		v.Meaning = str(meaning(int(e.ORA)))
	}
	if e.Session != nil {
		if !e.Stamped {
			v.AccuracyUS = e.Session.Clock.Accuracy
		}
		v.SessionInfo = b.sessionInfo(e.Session)
		v.InFlight = b.flights(e.Session)
		if tx := &e.OpenTx; tx.Execs > 0 {
			v.Transaction = &OpenTx{Line: tx.Line, Executions: tx.Execs, Rows: tx.Rows, Statements: []string{}, Changed: []int64{}}
			for i, st := range tx.Statement {
				if s := b.names[st]; s != nil {
					v.Transaction.Statements = append(v.Transaction.Statements, s.Name)
					v.Transaction.Changed = append(v.Transaction.Changed, tx.Changed[i])
				}
			}
		}
	}
	if st := b.names[e.Statement]; st != nil {
		v.SQLID, v.Text, v.TextSource, v.Inferred, v.Statement = st.SQLID, st.Text, st.TextSource, st.Inferred, st.Number
		v.Name = st.Name
		v.PlanHash = e.Statement.PlanHash
		if e.Statement.Text != "" && len(e.Binds) > 0 && !b.opt.Redact.Binds {
			v.WithValues = str(b.hide.sql(tracefile.Substitute(e.Statement.Text, e.Binds)))
		}
	}
	if d := e.Dump; d != nil {
		for _, l := range d.Stack {
			v.Stack = append(v.Stack, b.oraLine(l.Code, l.Text))
		}
		for _, f := range d.PLSQL {
			v.PLSQL = append(v.PLSQL, valid(fmt.Sprintf("%s, line %d", f.Unit, f.Line)))
		}
		for _, f := range d.Frames {
			v.Frames = append(v.Frames, valid(f))
		}
	}
	for _, c := range b.errCount {
		v.Others += c
	}
	v.Others--
	b.m.Verdict = v
}

// meaning is Oracle's usual text of an error; what it has places for is not known.
func meaning(ora int) string {
	s := oraerr.Text(ora)
	for strings.Contains(s, ", [%s]") {
		s = strings.Replace(s, ", [%s]", "", 1)
	}
	return strings.ReplaceAll(s, "%s", "…")
}

// Head is the first line of text and page: the error and what it says.
func (v *Verdict) Head() string {
	head := oraName(v.ORA)
	if v.ORA == 0 {
		head = "ERROR of unknown number (its line is damaged)"
	}
	switch {
	case v.Message != nil:
		head += ": " + *v.Message
	case v.Meaning != nil:
		head += " (" + *v.Meaning + ")"
	}
	return head
}

func (b *builder) oraLine(code int64, text string) string {
	if text == "" {
		return oraName(code)
	}
	return valid(fmt.Sprintf("%s: %s", oraName(code), b.hide.message(text)))
}

func (b *builder) sessionInfo(s *tracefile.Session) []Pair {
	var out []Pair
	add := func(name, v string) {
		if v != "" {
			out = append(out, Pair{name, valid(v)})
		}
	}
	add("session", s.SID)
	if s.PID != 0 {
		add("pid", strconv.FormatInt(s.PID, 10))
	}
	if s.File != nil {
		add("instance", b.hide.name(s.File.Instance))
		add("host", b.hide.name(s.File.Host))
		add("release", s.File.Release)
	}
	add("service", b.hide.name(s.Service))
	add("module", b.hide.name(s.Module))
	add("action", b.hide.name(s.Action))
	add("client id", b.hide.name(s.ClientID))
	add("driver", s.Driver)
	add("container", b.hide.name(s.Container))
	return out
}

func (b *builder) flights(s *tracefile.Session) []Flight {
	out := []Flight{}
	for _, f := range s.InFlight {
		what := "call whose line never came"
		if st := b.names[f.Statement]; st != nil {
			what = st.Name + " was being executed (bind values read)"
		} else if f.Statement != nil && f.Statement.Cursor != 0 {
			what = fmt.Sprintf("#%d was being executed (bind values read)", f.Statement.Cursor)
		}
		out = append(out, Flight{f.Depth, what, f.Elapsed, f.Children, f.Line})
	}
	return out
}
