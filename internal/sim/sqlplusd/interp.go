// Package sqlplusd is the SQL*Plus of the simulator: it reads a script or a
// conversation line by line and behaves as the client does, as far as the
// fact sheets tell (facts/views-and-sqlplus.md 3).
package sqlplusd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
)

// Config is the world that an interpreter runs in.
type Config struct {
	DB     *instance.Database
	Engine func(*instance.Instance) (*engine.Engine, error) // dictionaries, shared between interpreters

	Stdin  io.Reader
	Stdout io.Writer
	Files  Files             // scripts and spool files
	Env    map[string]string // ORACLE_SID, TWO_TASK, ORACLE_PATH, SQLPATH …
	Login  []string          // glogin.sql and login.sql, run after every connect when they exist

	// OSAuth says that the caller may connect `/ as sysdba`.
	OSAuth  bool
	Machine string // of the client
	OSUser  string
	PID     string

	// Wait is how long a call may hang; nil: give up at once (rehearse).
	Wait func(ctx context.Context, p *instance.Process) error
	// Sleep delays answers for the faults; nil: no delay.
	Sleep func(ctx context.Context, d time.Duration) error
	// Command derives the context of one command, so that an interrupt ends
	// the command and not the session; nil: none.
	Command func(context.Context) (context.Context, context.CancelFunc)
	// After is told of every command that was carried out.
	After func(Step)
}

// Step is one command as `rehearse` prints it.
type Step struct {
	File    string
	Line    int // of the command's first line
	Command string
	Answer  []string
	Failed  bool
	Changed []string
	Target  *instance.Session // whose events or ring changed; nil: the process has none
	Process *instance.Process
}

// Interp is one SQL*Plus session.
type Interp struct {
	c   Config
	out *screen

	sources []*source
	base    *source
	set     settings
	defines map[string]string
	columns map[string]*columnFormat
	vars    map[string]*variable

	buffer     string // the SQL buffer
	bufferLine int
	sqlError   whenever
	osError    whenever
	sqlcode    int

	silent  bool
	conn    *connection
	exit    *int
	step    Step
	answers int
}

// connection is a session of the simulated database.
type connection struct {
	sql  *engine.Session
	dbg  *debugger.Debugger
	self *instance.Session
}

// whenever is what to do at an error.
type whenever struct {
	exit bool
	code string // as written behind EXIT
}

// New returns an interpreter; Run starts it.
func New(c Config) *Interp {
	in := &Interp{c: c, defines: map[string]string{}, columns: map[string]*columnFormat{}, vars: map[string]*variable{}, set: defaults()}
	in.out = &screen{w: c.Stdout, set: &in.set}
	in.base = newSource("", c.Stdin)
	in.sources = []*source{in.base}
	in.defines["_SQLPLUS_RELEASE"] = digits(c.DB.Release.Full)
	in.defines["_EDITOR"] = "ed"
	return in
}

// digits writes 19.23.0.0.0 as 1923000000.
func digits(version string) string {
	var b strings.Builder
	for i, p := range strings.Split(version, ".") {
		if i == 0 {
			b.WriteString(p)
			continue
		}
		b.WriteString(fmt.Sprintf("%02s", p))
	}
	return b.String()
}

// errQuit ends the run at once: sqlplus was made to die.
var errQuit = errors.New("sqlplus ended")

// loop reads and carries out commands until EXIT or the end of the input.
func (in *Interp) loop(ctx context.Context) error {
	for in.exit == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.prompt()
		line, src, ok := in.readLine()
		if !ok {
			return nil
		}
		if err := in.interruptible(ctx, line, src); err != nil {
			return err
		}
	}
	return nil
}

// interruptible runs one command; an interrupt ends it with ORA-01013 and the
// session goes on.
func (in *Interp) interruptible(ctx context.Context, line string, src *source) error {
	if in.c.Command == nil {
		return in.one(ctx, line, src)
	}
	cctx, done := in.c.Command(ctx)
	defer done()
	err := in.one(cctx, line, src)
	if err != nil && cctx.Err() != nil && ctx.Err() == nil {
		in.out.println("ORA-01013: user requested cancel of current operation")
		return in.out.flush()
	}
	return err
}

// one carries out the command that begins with line.
func (in *Interp) one(ctx context.Context, line string, src *source) error {
	in.step = Step{File: src.name, Line: src.line}
	in.out.begin()
	in.echo(src, line)
	text := strings.TrimSpace(line)
	if max := in.lineLimit(); len(line) > max {
		in.out.println(fmt.Sprintf("SP2-0027: Input is too long (> %d characters) - line ignored", max))
		return in.done(ctx, line)
	}
	switch {
	case text == "" || strings.HasPrefix(text, "--"):
		return nil
	case strings.HasPrefix(text, "/*"):
		in.blockComment(text)
		return nil
	case text == "/":
		if in.buffer == "" {
			in.out.println("SP2-0103: Nothing in SQL buffer to run.")
			return in.done(ctx, text)
		}
		return in.runBuffer(ctx, text)
	}
	if isSQL(text) {
		return in.collect(ctx, line)
	}
	return in.command(ctx, text)
}

// command carries out a SQL*Plus command, with its continuation lines.
func (in *Interp) command(ctx context.Context, text string) error {
	for strings.HasSuffix(text, "-") && !strings.HasPrefix(strings.ToLower(text), "rem") {
		next, src, ok := in.readLine()
		if !ok {
			break
		}
		in.echo(src, next)
		text = strings.TrimRight(strings.TrimSuffix(text, "-"), " \t") + " " + strings.TrimSpace(next)
	}
	name, run, known := lookup(firstWord(text))
	if !known {
		in.unknown(text)
		return in.done(ctx, text)
	}
	if name == "REMARK" {
		return nil
	}
	typed := text
	if name != "DEFINE" || strings.ContainsRune(text, '=') { // `define x` shows
		var ok bool
		if text, ok = in.substitute(text); !ok {
			return in.done(ctx, typed)
		}
	}
	if len(text) > 3000 {
		in.out.println("SP2-0341: line overflow during variable substitution (>3000 characters at line 1)")
		return in.done(ctx, typed)
	}
	rest := strings.TrimSpace(text[len(firstWord(text)):])
	if name != "PROMPT" && name != "ORADEBUG" && name != "@" && name != "@@" && name != "EXECUTE" {
		rest = strings.TrimRight(strings.TrimSuffix(rest, ";"), " ")
	}
	if err := run(in, ctx, rest); err != nil {
		return err
	}
	if name == "CONNECT" {
		text = "connect " + withoutPassword(rest)
	}
	return in.done(ctx, text)
}

func (in *Interp) unknown(text string) {
	if len(text) > 10 {
		in.out.println(fmt.Sprintf("SP2-0734: unknown command beginning \"%s...\" - rest of line ignored.", text[:10]))
		return
	}
	in.out.println(fmt.Sprintf("SP2-0042: unknown command \"%s\" - rest of line ignored.", strings.TrimRight(text, "; ")))
}

// done flushes the command's output, reports the step and lets the faults of
// the client happen.
func (in *Interp) done(ctx context.Context, command string) error {
	in.step.Command = command
	in.step.Answer = in.out.lines()
	for _, l := range in.step.Answer {
		if failure(l) {
			in.step.Failed = true
		}
	}
	if in.c.After != nil {
		in.c.After(in.step)
	}
	if err := in.clientFaults(ctx); err != nil {
		return err
	}
	return in.out.flush()
}

// failure recognises an error line (facts/oradebug.md 0 fact 10).
func failure(l string) bool {
	l = strings.TrimSpace(l)
	for _, p := range []string{"ORA-", "SP2-", "PLS-"} {
		if rest, ok := strings.CutPrefix(l, p); ok && len(rest) > 4 && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return strings.HasPrefix(l, "simulator: ")
}

func (in *Interp) clientFaults(ctx context.Context) error {
	f := in.c.DB.Faults
	if v, on := f.Get(fault.SqlplusDelay); on && in.c.Sleep != nil {
		if d, err := fault.Duration(v); err == nil {
			if err := in.c.Sleep(ctx, d); err != nil {
				return err
			}
		}
	}
	in.answers++
	if v, on := f.Get(fault.SqlplusHang); on && in.c.Sleep != nil && in.answers >= atoi(v, 1) {
		return in.c.Sleep(ctx, 24*time.Hour)
	}
	if v, on := f.Get(fault.SqlplusDie); on && in.answers >= atoi(v, 1) {
		return errQuit
	}
	return nil
}

func atoi(s string, def int) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return def
		}
		n = n*10 + int(c-'0')
	}
	if n == 0 {
		return def
	}
	return n
}

// lineLimit: 2499 characters in the documents up to 12.1, 4999 from 19c on
// (facts/oradebug.md 1.1).
func (in *Interp) lineLimit() int {
	if in.c.DB.Release.Rank <= 2 {
		return 2499
	}
	return 4999
}

func (in *Interp) blockComment(text string) {
	for !strings.Contains(text, "*/") {
		next, _, ok := in.readLine()
		if !ok {
			return
		}
		text = next
	}
}

// fail handles a database error as WHENEVER SQLERROR says.
func (in *Interp) fail(code int) {
	in.sqlcode = code
	if in.sqlError.exit {
		in.quit(in.sqlError.code)
	}
}

func (in *Interp) failOS() {
	if in.osError.exit {
		in.quit(in.osError.code)
	}
}

// quit ends the run with an exit code modulo 256
// (facts/views-and-sqlplus.md 3.4).
func (in *Interp) quit(code string) {
	n := 0
	switch word := strings.ToUpper(code); word {
	case "", "SUCCESS":
	case "FAILURE":
		n = 1
	case "WARNING":
		n = 2
	case "SQL.SQLCODE":
		n = in.sqlcode
	default:
		if v, ok := in.vars[strings.TrimPrefix(word, ":")]; ok && strings.HasPrefix(word, ":") {
			word = v.text()
		}
		n = atoi(word, 0)
		if v, ok := in.defines[word]; ok {
			n = atoi(v, 0)
		}
	}
	n &= 255
	in.exit = &n
}
