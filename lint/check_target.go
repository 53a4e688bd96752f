package lint

import (
	"strings"

	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// plainOrapid takes the short way for `setorapid 38`: generated scripts hold
// one for every session, each with another number, so the cache is of no use.
func (c *checker) plainOrapid(t *text, from, to int) bool {
	const word = "setorapid"
	b := t.b[from:to]
	if len(b) <= len(word)+1 || len(c.reply) > 0 || !foldPrefix(b, word) {
		return false
	}
	i := skipBlanks(b, len(word))
	if i == len(word) || i == len(b) || b[i] == '0' {
		return false
	}
	if len(b)-i > 9 {
		return false
	}
	key := processKey{kind: targetOrapid}
	for _, d := range b[i:] {
		if d < '0' || d > '9' {
			return false
		}
		key.number = key.number*10 + uint64(d-'0')
	}
	c.wrongKind(key, t.at(from+i))
	c.follow.selKey(key, t.at(from)).background = ""
	return true
}

// selects handles the commands that choose a process.
func (c *checker) selects(t *text, base int, cmd *oradebug.Command, at place) {
	arg := ""
	if len(cmd.Args) > 0 {
		arg = strings.ToLower(strings.Join(cmd.Args, " "))
	}
	kind := map[string]targetKind{"SETOSPID": targetOspid, "SETORAPID": targetOrapid, "SETORAPNAME": targetName}[cmd.Word]
	if kind == targetOrapid && len(cmd.Args) > 0 {
		arg = cmd.Args[0] // without FORCE
	}
	argAt := at
	if cmd.RestColumn > 0 && cmd.Rest != "" {
		argAt = t.at(base + cmd.RestColumn - 1)
	}
	c.wrongKind(keyOf(kind, arg), argAt)
	p := c.follow.sel(kind, arg, at)
	p.background = ""
	if kind == targetName && isBackground(arg) {
		p.background = strings.ToUpper(arg)
	}
	if _, name, ok := strings.Cut(arg, "ora_"); ok { // setospid $(pgrep -f ora_lgwr_ORCL)
		if name, _, _ = strings.Cut(name, "_"); isBackground(name) {
			p.background = strings.ToUpper(name)
		}
	}
	if len(c.reply) > 0 {
		if r := oradebug.ParseReply(cmd.Word, string(c.reply)); r.Kind == oradebug.ReplyAttached && r.Attach.Class == oradebug.ClassBackground {
			p.background = r.Attach.Suffix
		}
	}
	if p.background != "" {
		f := c.add("RT006", argAt, "%s is a background process", p.background).as(Warning)
		if isDiagnostic(p.background) {
			f.as(Info).fix("for HANGANALYZE only; set no event in it")
		}
	}
}

// wrongKind compares the ids that the file gives to the two commands.
func (c *checker) wrongKind(key processKey, at place) {
	if key.text != "" {
		return
	}
	n := key.number
	switch key.kind {
	case targetOspid:
		if o := c.follow.byKey[processKey{kind: targetOrapid, number: n}]; o != nil {
			c.add("RT004", at, "%d is given to SETORAPID in line %d as well: one of the two is wrong", n, o.at.line).as(Error)
		}
	case targetOrapid:
		if o := c.follow.byKey[processKey{kind: targetOspid, number: n}]; o != nil {
			c.add("RT004", at, "%d is given to SETOSPID in line %d as well: an OS process id is no orapid", n, o.at.line).as(Error)
			return
		}
		switch high := "%d is very high for V$PROCESS.PID; it looks like an OS process id"; {
		case n > 65535:
			c.add("RT004", at, high, n)
		case n >= 10000 && !c.highOrapid: // possible, so one remark is enough
			c.highOrapid = true
			c.add("RT004", at, high, n).as(Info)
		}
	}
}

// needsTarget notes a command that would be answered with ORA-00074.
func (c *checker) needsTarget(cmd *oradebug.Command, at place) {
	f := &c.follow
	if f.kind != targetNone {
		return
	}
	arms := cmd.Word == "EVENT" || cmd.Word == "SESSION_EVENT" || cmd.Word == "DUMP" ||
		cmd.Word == "PDUMP" || cmd.Info.Risk == catalog.Dangerous
	if n := len(f.missing); n > 0 && f.missing[n-1].word == cmd.Word {
		f.missing[n-1].count++
		return
	}
	f.missing = append(f.missing, missingTarget{word: cmd.Word, at: at, arms: arms, count: 1})
}

// background judges what is done to a background process.
func (c *checker) background(cmd *oradebug.Command, at place) {
	p := c.follow.cur
	if p == nil || p.background == "" {
		return
	}
	if cmd.Word == "EVENT" || cmd.Word == "SESSION_EVENT" || cmd.Info.Risk == catalog.Dangerous || cmd.Info.Risk == catalog.Risky && holds(cmd.Word) {
		c.add("RT006", at, "%s on the background process %s", cmd.Word, p.background)
	}
}

// holds names the commands of the risky class that stop their target for long
// or change something in it (facts/oradebug.md 1.2, 1.3); the others look, or
// are about another process than the target.
func holds(word string) bool {
	switch word {
	case "CORE", "PDUMP", "DUMPSGA", "SETTRACEFILEID", "IPC":
		return true
	}
	return false
}

// isBackground knows the names that SETORAPNAME is given (facts/oradebug.md
// 1.2, 1.3); with numbers as in dbw0, lms1.
func isBackground(name string) bool {
	n := strings.TrimRight(strings.ToLower(name), "0123456789")
	for _, b := range []string{
		"pmon", "smon", "lgwr", "ckpt", "dbw", "mman", "lmon", "lms", "lmd", "diag", "vktm", "reco",
		"psp", "dia", "lg", "arc", "mmon", "mmnl", "cjq", "lck", "asmb", "rbal", "gen", "dbrm", "vkrm", "smco", "pman", "lreg", "bw",
	} {
		if n == b {
			return true
		}
	}
	return false
}

// isDiagnostic names the processes that HANGANALYZE is run from.
func isDiagnostic(name string) bool {
	switch strings.ToLower(name) {
	case "diag", "dia0", "reco":
		return true
	}
	return false
}
