package sqlplusd

import (
	"context"
	"strings"
)

// action carries out one SQL*Plus command; rest is what follows its name.
type action func(in *Interp, ctx context.Context, rest string) error

type verb struct {
	name  string
	least int // letters that suffice
	run   action
}

func verbs() []verb {
	return []verb{
		{"ACCEPT", 3, cmdAccept},
		{"BREAK", 3, cmdFormat},
		{"BTITLE", 3, cmdFormat},
		{"CLEAR", 2, cmdClear},
		{"COLUMN", 3, cmdColumn},
		{"COMPUTE", 4, cmdFormat},
		{"CONNECT", 4, cmdConnect},
		{"DEFINE", 3, cmdDefine},
		{"DESCRIBE", 4, cmdDescribe},
		{"DISCONNECT", 4, cmdDisconnect},
		{"EXECUTE", 4, cmdExecute},
		{"EXIT", 4, cmdExit},
		{"HOST", 2, cmdHost},
		{"LIST", 1, cmdList},
		{"ORADEBUG", 8, cmdOradebug},
		{"PAUSE", 3, cmdPause},
		{"PRINT", 3, cmdPrint},
		{"PROMPT", 3, cmdPrompt},
		{"QUIT", 4, cmdExit},
		{"REMARK", 3, cmdFormat},
		{"REPFOOTER", 4, cmdFormat},
		{"REPHEADER", 4, cmdFormat},
		{"RUN", 1, cmdRun},
		{"SET", 3, cmdSet},
		{"SHOW", 3, cmdShow},
		{"SPOOL", 3, cmdSpool},
		{"START", 3, cmdStart},
		{"TIMING", 4, cmdFormat},
		{"TTITLE", 3, cmdFormat},
		{"UNDEFINE", 5, cmdUndefine},
		{"VARIABLE", 3, cmdVariable},
		{"WHENEVER", 8, cmdWhenever},
	}
}

// lookup finds a command by its name or an abbreviation.
func lookup(word string) (name string, run action, ok bool) {
	switch word {
	case "@":
		return "@", cmdStart, true
	case "@@":
		return "@@", cmdStartBeside, true
	case "!", "$":
		return "HOST", cmdHost, true
	}
	up := strings.ToUpper(word)
	for _, v := range verbs() {
		if len(up) >= v.least && strings.HasPrefix(v.name, up) {
			return v.name, v.run, true
		}
	}
	return "", nil, false
}

// firstWord is the command word; @ and ! need no blank behind them.
func firstWord(text string) string {
	switch {
	case strings.HasPrefix(text, "@@"):
		return "@@"
	case strings.HasPrefix(text, "@"), strings.HasPrefix(text, "!"):
		return text[:1]
	}
	if i := strings.IndexAny(text, " \t;"); i > 0 {
		return text[:i]
	}
	return text
}

// isSQL says that a line begins a statement for the server.
func isSQL(text string) bool {
	w := strings.ToLower(strings.TrimLeft(firstWord(text), "("))
	if i := strings.IndexAny(w, "(*"); i > 0 {
		w = w[:i]
	}
	switch w {
	case "select", "with", "insert", "update", "delete", "merge", "create", "alter", "drop", "grant", "revoke", "truncate",
		"commit", "rollback", "savepoint", "comment", "analyze", "explain", "lock", "audit", "noaudit", "call", "begin", "declare",
		"rename", "purge", "flashback", "administer", "associate":
		return true
	case "set":
		f := strings.Fields(strings.ToLower(text))
		return len(f) > 1 && (f[1] == "transaction" || f[1] == "role" || strings.HasPrefix(f[1], "constraint"))
	}
	return false
}

// cmdFormat takes commands that only lay out reports: they change nothing
// that the simulator prints.
func cmdFormat(*Interp, context.Context, string) error { return nil }

func cmdPrompt(in *Interp, _ context.Context, rest string) error {
	in.out.println(rest)
	return nil
}

func cmdPause(in *Interp, _ context.Context, rest string) error {
	in.out.println(rest)
	_, _ = in.base.read() // the end of the input answers as well
	return nil
}

func cmdHost(in *Interp, _ context.Context, _ string) error {
	in.out.println("SP2-0738: Restricted command \"HOST\" not available")
	return nil
}

func cmdAccept(in *Interp, _ context.Context, rest string) error {
	f := words(rest)
	if len(f) == 0 {
		in.out.println("SP2-0565: Illegal identifier.")
		return nil
	}
	value, _ := in.base.read()
	for i, w := range f {
		if strings.EqualFold(w, "prompt") && i+1 < len(f) {
			in.out.println(f[i+1])
		}
		if strings.HasPrefix(strings.ToLower(w), "def") && i+1 < len(f) && value == "" {
			value = f[i+1]
		}
	}
	in.defines[strings.ToUpper(f[0])] = value
	return nil
}

func cmdStart(in *Interp, _ context.Context, rest string) error {
	in.start(rest, false)
	return nil
}

func cmdStartBeside(in *Interp, _ context.Context, rest string) error {
	in.start(rest, true)
	return nil
}

func cmdExit(in *Interp, _ context.Context, rest string) error {
	f := strings.Fields(rest)
	code := ""
	if len(f) > 0 && !strings.EqualFold(f[0], "commit") && !strings.EqualFold(f[0], "rollback") {
		code = f[0]
	}
	in.quit(code)
	return nil
}

// cmdWhenever is WHENEVER SQLERROR|OSERROR EXIT [code] [COMMIT|ROLLBACK] or
// CONTINUE [COMMIT|ROLLBACK|NONE].
func cmdWhenever(in *Interp, _ context.Context, rest string) error {
	f := strings.Fields(rest)
	if len(f) < 2 {
		in.out.println("SP2-0281: WHENEVER option missing")
		return nil
	}
	var w *whenever
	switch strings.ToUpper(f[0]) {
	case "SQLERROR":
		w = &in.sqlError
	case "OSERROR":
		w = &in.osError
	default:
		in.out.println("SP2-0158: unknown WHENEVER option \"" + f[0] + "\"")
		return nil
	}
	switch strings.ToUpper(f[1]) {
	case "EXIT":
		*w = whenever{exit: true, code: "SUCCESS"}
		if len(f) > 2 && !strings.EqualFold(f[2], "commit") && !strings.EqualFold(f[2], "rollback") {
			w.code = f[2]
		}
	case "CONTINUE":
		*w = whenever{}
	default:
		in.out.println("SP2-0158: unknown WHENEVER option \"" + f[1] + "\"")
	}
	return nil
}

func cmdSpool(in *Interp, _ context.Context, rest string) error {
	f := words(rest)
	if err := in.out.flush(); err != nil {
		return err
	}
	in.out.begin()
	switch {
	case len(f) == 0:
		if in.out.spool == nil {
			in.out.println("not spooling currently")
		} else {
			in.out.println("currently spooling to " + in.set["_SPOOL"])
		}
		return nil
	case strings.EqualFold(f[0], "off"), strings.EqualFold(f[0], "out"):
		if in.out.spool == nil {
			in.out.println("not spooling currently")
			return nil
		}
		return in.spoolOff()
	}
	mode := ""
	if len(f) > 1 {
		mode = strings.ToUpper(f[1])
	}
	name := f[0]
	if i := strings.LastIndexByte(name, '/'); !strings.Contains(name[i+1:], ".") {
		name += ".lst"
	}
	w, err := in.c.Files.Create(name, strings.HasPrefix("APPEND", mode) && mode != "", strings.HasPrefix("CREATE", mode) && mode != "")
	if err != nil {
		in.out.println("SP2-0606: Cannot create SPOOL file \"" + name + "\"")
		in.failOS()
		return nil
	}
	if in.out.spool != nil {
		if err := in.spoolOff(); err != nil {
			return err
		}
	}
	in.out.spool = w
	in.set["_SPOOL"] = name
	return nil
}

func (in *Interp) spoolOff() error {
	if in.out.spool == nil {
		return nil
	}
	err := in.out.spool.Close()
	in.out.spool = nil
	return err
}

func cmdList(in *Interp, _ context.Context, _ string) error {
	if in.buffer == "" {
		in.out.println("SP2-0223: No lines in SQL buffer.")
		return nil
	}
	lines := strings.Split(in.buffer, "\n")
	for i, l := range lines {
		mark := " "
		if i == len(lines)-1 {
			mark = "*"
		}
		in.out.println(padLeft(itoa(i+1), 3) + mark + " " + l)
	}
	return nil
}

func padLeft(s string, n int) string {
	for len(s) < n {
		s = " " + s
	}
	return s
}

func cmdRun(in *Interp, ctx context.Context, _ string) error {
	if in.buffer == "" {
		in.out.println("SP2-0103: Nothing in SQL buffer to run.")
		return nil
	}
	if err := cmdList(in, ctx, ""); err != nil {
		return err
	}
	return in.execute(ctx, in.buffer)
}

func cmdDescribe(in *Interp, ctx context.Context, rest string) error {
	if !in.connected() {
		return nil
	}
	name := strings.ToUpper(strings.TrimSpace(rest))
	name = strings.TrimPrefix(name, "SYS.")
	name = strings.Replace(name, "V$", "V_$", 1)
	q := "select column_name name, data_type type from all_tab_columns where owner = 'SYS' and table_name = '" + strings.ReplaceAll(name, "'", "''") + "' order by column_id"
	r, err := in.conn.sql.Query(ctx, q, nil)
	if err != nil || len(r.Rows) == 0 {
		in.out.println("ERROR:")
		in.out.println("ORA-04043: object " + strings.TrimSpace(rest) + " does not exist")
		in.out.println("")
		return nil
	}
	in.print(r, false)
	return nil
}
