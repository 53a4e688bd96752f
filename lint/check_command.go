package lint

import (
	"bytes"
	"errors"
	"strings"

	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// parsed is a command line as the language package sees it. Generated scripts
// repeat the same event texts for every session, so they are parsed once.
type parsed struct {
	cmd   oradebug.Command
	err   error
	facts []*eventFact
	// quiet says that judging the text gave no finding, so that it need not
	// be judged again.
	quiet bool
}

const cacheLimit = 4096

type parseCache struct {
	byText  map[string]*parsed
	release oradebug.Release
}

func newParseCache(rel oradebug.Release) *parseCache {
	return &parseCache{byText: map[string]*parsed{}, release: rel}
}

func (pc *parseCache) command(b []byte) *parsed {
	if p := pc.byText[string(b)]; p != nil {
		return p
	}
	p := &parsed{}
	p.cmd, p.err = oradebug.ParseCommandFor(string(b), pc.release)
	if s := p.cmd.Spec; s != nil {
		p.facts = factsOf(s)
	}
	if len(pc.byText) >= cacheLimit {
		clear(pc.byText)
	}
	pc.byText[string(b)] = p
	return p
}

func factsOf(s *oradebug.Spec) []*eventFact {
	out := make([]*eventFact, len(s.Events))
	for i := range s.Events {
		out[i] = factOf(&s.Events[i])
	}
	return out
}

// oradebug judges one ORADEBUG line and carries it out.
func (c *checker) oradebug(it *item) {
	c.commands++
	c.reply = it.reply
	c.substitutions(it)
	t := it.text
	if d := c.lex.set.define; d != 0 && bytes.IndexByte(t.b, d) >= 0 {
		t = c.expand(&it.text)
	}
	if n := len(t.b); n > lineLimitOld && it.continued {
		c.longLine(it.text.at(0), n)
	}
	from := skipBlanks(t.b, min(it.args, len(t.b)))
	to := len(trimRight(t.b))
	if from >= to {
		c.add("RT001", it.text.at(0), "ORADEBUG without a command")
		return
	}
	if (c.kind == KindMarkdown || c.kind == KindProse) && toFillIn(t.b[from:to]) {
		return
	}
	to = c.trailingComment(&t, from, to)
	if from >= to {
		return
	}
	if to > from+1 && t.b[to-1] == ';' {
		c.semicolon(&t, from, to)
	}
	c.cmdsep(&t, from, to)
	if end := wordEnd(t.b, from); foldEqual(t.b[from:end], "oradebug") {
		c.add("RT001", t.at(from), "ORA-00070: command oradebug is not valid").fix("write ORADEBUG once")
		return
	}
	if c.plainOrapid(&t, from, to) {
		return
	}
	p := c.cache.command(t.b[from:to])
	c.carryOut(&t, from, p, &p.cmd)
}

// trailingComment reports `-- …` and `/* … */` behind a command and returns
// where the command ends.
func (c *checker) trailingComment(t *text, from, to int) int {
	b := t.b[from:to]
	if !bytes.Contains(b, []byte("--")) && !bytes.Contains(b, []byte("/*")) {
		return to
	}
	quoted := false
	for i := 0; i+1 < len(b); i++ {
		switch {
		case b[i] == '"':
			quoted = !quoted
		case quoted:
		case i > 0 && !isBlank(b[i-1]) && b[i-1] != ';':
		case b[i] == '-' && b[i+1] == '-', b[i] == '/' && b[i+1] == '*':
			c.add("RT042", t.at(from+i), "this comment goes to the server as arguments of the command")
			return from + len(trimRight(b[:i]))
		}
	}
	return to
}

func (c *checker) semicolon(t *text, from, to int) {
	p := t.at(to - 1)
	f := c.add("RT044", p, "a semicolon at the end of an ORADEBUG line is not needed")
	word := t.b[from:wordEnd(t.b, from)]
	switch {
	case foldEqual(word, "event"), foldEqual(word, "session_event"):
		f.Message = "a semicolon at the end of an event text, where it could part two names"
	case foldEqual(word, "direct_access"):
		f.Message = "DIRECT_ACCESS takes no semicolon at its end"
	default:
		f.Severity = Info
	}
	if p.off < len(c.src) && c.src[p.off] == ';' {
		f.edit(p.off, p.off+1, "")
	}
}

// cmdsep reports a command that SET CMDSEP would cut in two.
func (c *checker) cmdsep(t *text, from, to int) {
	sep := c.lex.set.cmdsep
	if sep == 0 {
		return
	}
	b := t.b[from:to]
	if i := bytes.IndexByte(b, sep); i >= 0 && i < len(trimRight(b))-1 {
		c.add("RT047", t.at(from+i), "SET CMDSEP is on: SQL*Plus takes what follows the %q for another command", sep)
	}
}

// carryOut judges cmd, which begins at byte base of t, and follows it.
func (c *checker) carryOut(t *text, base int, p *parsed, cmd *oradebug.Command) {
	if p.err != nil {
		c.commandError(t, base, p)
	}
	at := t.at(base + max(cmd.Column, 1) - 1)
	switch cmd.Word {
	case "SETMYPID":
		c.follow.sel(targetOwn, "", at)
		return
	case "SETOSPID", "SETORAPID", "SETORAPNAME":
		c.selects(t, base, cmd, at)
		return
	case "-G", "-R":
		if cmd.Inner != nil {
			c.carryOut(t, base, &parsed{cmd: *cmd.Inner}, cmd.Inner)
		}
		return
	case "":
		return
	}
	if cmd.Info.Name == "" {
		return
	}
	if cmd.Info.Target {
		c.needsTarget(cmd, at)
	}
	before := len(c.out)
	if !p.quiet {
		c.risk(t, base, cmd, at)
	}
	c.background(cmd, at)
	switch cmd.Word {
	case "EVENT", "SESSION_EVENT":
		v := viaSession
		if cmd.Word == "EVENT" {
			v = viaProcess
		}
		facts := p.facts
		if facts == nil && cmd.Spec != nil {
			facts = factsOf(cmd.Spec)
		}
		spec := base + cmd.RestColumn - 1
		c.noteOff(at, facts)
		for _, f := range facts {
			if !p.quiet {
				c.event(t, spec, f, v)
			}
			c.followEvent(t.at(spec+max(f.ev.Column, 1)-1), f, v, c.follow.cur)
		}
	case "SETTRACEFILEID":
		if c.follow.kind != targetOwn && c.follow.kind != targetNone {
			c.add("RT005", at, "SETTRACEFILEID on another process can answer ORA-32522")
		}
	case "DUMP", "PDUMP":
		c.followDump(cmd, at)
		c.freesRing = c.freesRing || cmd.Dump != nil && cmd.Dump.Name == "TRACE_BUFFER_OFF"
	}
	if len(c.out) == before {
		p.quiet = true
	}
}

// commandError turns a refusal of the language package into findings.
func (c *checker) commandError(t *text, base int, p *parsed) {
	var ce *oradebug.CommandError
	if !errors.As(p.err, &ce) {
		c.add("RT002", t.at(base), "%v", p.err)
		return
	}
	var spec *oradebug.SpecError
	if errors.As(p.err, &spec) {
		c.specError(t, base+ce.Column-spec.Column, spec)
		return
	}
	if p.cmd.Word == "HELP" {
		return // a guard turns a command into `help <the rest>`, which sets nothing
	}
	id := "RT002"
	if ce.ORA == 70 {
		id = "RT001"
	}
	c.add(id, t.at(base+max(ce.Column, 1)-1), "ORA-%05d: %s", ce.ORA, ce.Message).fix("%s", ce.Hint)
}

// risk judges the command by its class.
func (c *checker) risk(t *text, base int, cmd *oradebug.Command, at place) {
	switch cmd.Word {
	case "EVENT", "SESSION_EVENT", "SETTRACEFILEID":
		return // judged by what they set
	case "DUMP", "PDUMP":
		if cmd.Dump != nil {
			c.dump(t, base, cmd, at)
		}
		return
	case "HANGANALYZE":
		f := c.add("RT012", at, "HANGANALYZE looks at every process of the instance")
		if len(cmd.Args) == 0 || cmd.Args[0] <= "3" && len(cmd.Args[0]) == 1 {
			f.as(Info)
		}
		return
	}
	switch {
	case cmd.Word == "SUSPEND" && c.follow.kind == targetOwn:
		c.add("RT010", at, "SUSPEND after SETMYPID hangs the script's own process, and nobody can resume it")
	case remasters(cmd):
		c.add("RT010", at, "LKDEBUG -m %s remasters resources across the cluster", strings.ToLower(cmd.Args[1]))
	case cmd.Info.Risk == catalog.Dangerous:
		c.add("RT010", at, "%s: %s", cmd.Word, orElse(cmd.Info.Caution, cmd.Info.Meaning))
	case cmd.Info.Risk == catalog.Risky:
		c.add("RT010", at, "%s: %s", cmd.Word, orElse(cmd.Info.Caution, cmd.Info.Meaning)).as(Warning).
			fix("do without it on a production system, or accept what it does")
	}
}

// remasters says that LKDEBUG does more than look: -m pkey and -m reconfig are
// of class D (facts/oradebug.md 1.2).
func remasters(cmd *oradebug.Command) bool {
	return cmd.Word == "LKDEBUG" && len(cmd.Args) > 1 && strings.EqualFold(cmd.Args[0], "-m") &&
		(strings.EqualFold(cmd.Args[1], "pkey") || strings.EqualFold(cmd.Args[1], "reconfig"))
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
