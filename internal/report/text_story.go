package report

import (
	"fmt"
	"strings"
)

func (p *printer) story() {
	rows, earlier := p.m.told()
	if len(rows) == 0 {
		return
	}
	end := "the end"
	if p.m.Verdict != nil {
		end = "the error"
	}
	what := "seconds before " + end
	if p.m.TailUS > 0 {
		what = fmt.Sprintf("the last %s before %s", thinkSpan(p.m.TailUS), end)
	}
	if p.m.bySQL {
		what += "; selected statements only"
	}
	p.title("STORY (" + what + ")")
	own := p.m.ownBefore(rows, earlier)
	if w := p.m.unshown(int64(earlier - len(own))); w != "" {
		p.f("  … %s not shown; see them with --tail 0\n", w)
	}
	sessions := p.m.sessionCount() > 1
	for _, i := range own {
		p.row(&rows[i], sessions)
	}
	for i := range rows[earlier:] {
		p.row(&rows[earlier+i], sessions)
	}
}

func (p *printer) row(r *Row, sessions bool) {
	off := strings.Repeat(" ", 12)
	if r.OffsetS != nil {
		off = fmt.Sprintf("%+12.6f", *r.OffsetS)
	}
	mark := " "
	if r.Failing {
		mark = ">"
	}
	who := ""
	if sessions {
		who = "[" + r.Session + "] "
	}
	indent := strings.Repeat("  ", int(min(max(r.Depth, 0), 8)))
	var what string
	switch r.Kind {
	case "execution":
		what = fmt.Sprintf("%s %s", verb(r), r.What)
	case "wait":
		what = fmt.Sprintf("… %s %s", r.LongestWait, span(r.ElapsedUS))
	case "oradebug": // below, by the room there is
	case "gap":
		what = fmt.Sprintf("… %s, of which the trace tells nothing", span(r.ElapsedUS))
	case "lob":
		what = "LOB " + r.What + " " + span(r.ElapsedUS)
	default:
		what = r.What
	}
	if r.Fold > 1 && r.Kind != "oradebug" {
		what = fmt.Sprintf("x %d  ", r.Fold) + what
	}
	line := fmt.Sprintf("%s%s %sL%d", mark, off, who, r.Line)
	room := p.width - len([]rune(line)) - 2
	if r.Kind == "oradebug" {
		what = "ORADEBUG " + r.commandsIn(room-len([]rune(indent))-len("ORADEBUG "))
	}
	p.f("%s  %s\n", line, cut(indent+what, room))
	if r.Kind != "execution" {
		return
	}
	var d []string
	d = append(d, fmt.Sprintf("rows %d", r.Rows), "e "+span(r.ElapsedUS), "c "+span(r.CPUUS))
	if r.LongestUS >= 1000 {
		d = append(d, fmt.Sprintf("wait %s %s", span(r.LongestUS), r.LongestWait))
	}
	if r.HardParses > 0 {
		d = append(d, fmt.Sprintf("hard parses %d", r.HardParses))
	}
	if r.ORA != 0 {
		d = append(d, oraName(r.ORA))
	}
	if b := bindList(r.Binds); b != "" {
		if l := bindList(r.LastBinds); l != "" && l != b {
			b += " … " + l
		}
		d = append(d, "binds "+b)
	}
	pad := strings.Repeat(" ", 14) + indent
	// A wait or bind values that do not fit get a line of their own: cut off, they
	// would be lost.
	line = ""
	flush := func() {
		if strings.HasPrefix(line, "wait ") {
			p.block(pad, line, 2) // its parameters stand at its end
			return
		}
		p.f("%s%s\n", pad, cut(line, p.width-len(pad)))
	}
	for _, x := range d {
		if line != "" && len([]rune(line))+2+len([]rune(x)) > p.width-len(pad) {
			flush()
			line = ""
		}
		if line != "" {
			line += "  "
		}
		line += x
	}
	flush()
}

func verb(r *Row) string {
	switch {
	case r.Executions > 0 && r.Fetches > 0:
		return "EXEC+FETCH"
	case r.Executions > 0:
		return "EXEC"
	case r.Fetches > 0:
		return "FETCH"
	}
	return "PARSE"
}

func bindList(binds []Bind) string {
	var out []string
	for i, b := range binds {
		if i >= 8 {
			out = append(out, "…")
			break
		}
		out = append(out, fmt.Sprintf("%s=%s", bindName(b.Position), oneLine(b.Value, 30)))
	}
	return strings.Join(out, " ")
}

// failures lists what else failed: each error of a statement in a session once.
func (p *printer) failures() {
	list := p.m.Failures
	if len(list) < 2 && (len(list) == 0 || list[0].Count < 2) {
		return
	}
	p.title("FAILURES (by session, error and statement; > this report's, * with a dump)")
	for i := range list {
		f := &list[i]
		if i >= p.m.Top {
			p.f("  … %d more\n", len(list)-i)
			break
		}
		if f.Apart != "" && (i == 0 || list[i-1].Apart == "") {
			p.f("  not caught by the campaign, though in its files:\n")
		}
		mark := " "
		if f.Verdict {
			mark = ">"
		} else if f.Dump {
			mark = "*"
		}
		when := shortTime(f.FirstAt)
		if f.Count > 1 {
			when += fmt.Sprintf("  x %d to L%d %s", f.Count, f.LastLine, shortTime(f.LastAt))
		}
		p.f("%s %s\n", mark, cut(fmt.Sprintf("%s  [%s]  %s  %s", oraName(f.ORA), f.Session, p.place(f.File, f.Line), when), p.width-2))
		name := deref(f.SQLID)
		if name != "" {
			name += "  "
		}
		p.f("    %s\n", cut(name+f.What, p.width-4))
		if b := bindList(f.Binds); b != "" {
			p.f("    %s\n", cut("binds "+b, p.width-4))
		}
		if f.PassedOn && f.Count == 1 {
			p.f("    (the same error, passed on to the caller)\n")
		}
		if f.Apart != "" {
			p.f("    (%s)\n", ApartWords(f.Apart))
		}
	}
	if p.m.sessionCount() > 1 {
		p.block("  ", "one alone: ringtrace report --session SID.SERIAL, or --error CODE", 2)
	}
}

func (p *printer) transaction() {
	t := p.m.Transactions
	v := p.m.Verdict
	if t.Commits+t.Rollbacks == 0 && (v == nil || v.Transaction == nil) {
		return
	}
	if p.m.bySQL {
		p.title("TRANSACTIONS (of whole sessions)")
	} else {
		p.title("TRANSACTIONS")
	}
	p.f("  %s; %d of them had changed nothing\n", t.Words(), t.ReadOnly)
	if v != nil && v.Transaction != nil {
		tx := v.Transaction
		p.block("  ", fmt.Sprintf("open since L%d in the failing session: %s, %s, by %s", tx.Line, count(tx.Executions, "DML execution"), count(tx.Rows, "row"), tx.parts()), 4)
	}
}

func (p *printer) deadlocks() {
	for _, d := range p.m.Deadlocks {
		p.title(fmt.Sprintf("DEADLOCK %s %s", p.place(d.File, d.Line), shortTime(d.At)))
		for _, e := range d.Edges {
			p.item("  ", fmt.Sprintf("%s (waits %s)  -->  %s (holds %s)  for %s", e.Waiter, e.Waits, e.Blocker, e.Holds, e.Resource), 3)
		}
		for _, r := range d.Rows {
			p.item("  ", fmt.Sprintf("session %d waits for row %s of object %d (file %d, block %d, slot %d)", r.Session, r.ROWID, r.Object, r.File, r.Block, r.Slot), 3)
		}
		for _, q := range d.SQL {
			ran := " ran " + strings.TrimSpace(fmt.Sprintf("%s (L%d)", q.SQLID, q.Line))
			p.f("  %s%s\n", cut(q.Who(d.File), p.width-2-len(ran)), clean(ran))
			p.block("    ", q.Text, 12)
		}
	}
}

// parts lists the statements of a transaction, each with the rows it changed.
func (t *OpenTx) parts() string {
	var out []string
	for i, s := range t.Statements {
		out = append(out, fmt.Sprintf("%s (%s)", s, count(t.Changed[i], "row")))
	}
	return strings.Join(out, ", ")
}
