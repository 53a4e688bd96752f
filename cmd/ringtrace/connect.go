package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// connectionFlags say how to log on; every verb with --connect shares them.
func connectionFlags() []cli.Flag {
	return connectionFlagsWith(durationFlag("command-timeout", control.DefaultTimeout,
		"give up a query, or an ORADEBUG command, that is not answered after `DURATION`; a target that does not answer is left alone then"))
}

// connectionFlagsWith are those with another --command-timeout.
func connectionFlagsWith(commandTimeout cli.Flag) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "password-file", Usage: "read the password from `FILE`, one line, mode 0600"},
		&cli.StringFlag{Name: "password-command", Usage: "run `COMMAND` with sh and take what it prints as the password"},
		durationFlag("connect-timeout", 30*time.Second, "give up the logon after `DURATION`"),
		commandTimeout,
		choiceFlag("via", viaAuto, []string{viaAuto, viaGodror, viaSqlplus}, "ask the database through `DOOR` godror or sqlplus; auto takes sqlplus for a local connection and where godror has no client library"),
		&cli.StringFlag{Name: "sqlplus", Usage: "start this sqlplus `FILE` instead of $ORACLE_HOME/bin/sqlplus or the one on PATH"},
		&cli.StringFlag{Name: "dialogue", Usage: "write what is said with sqlplus to `FILE`, without passwords"},
		&cli.BoolFlag{Name: "prelim", Usage: "refused: says what can be done when the instance hangs"},
	}
}

// unlimited is longer than anybody waits.
const unlimited = 365 * 24 * time.Hour

// commandTimeout is --command-timeout; 0, where a verb allows it, is unlimited.
func commandTimeout(c *cli.Context) time.Duration {
	if d := durationOf(c, "command-timeout"); d > 0 {
		return d
	}
	return unlimited
}

// checkTimeouts refuses limits that nothing can keep.
func checkTimeouts(c *cli.Context) error {
	for _, name := range []string{"connect-timeout", "command-timeout"} {
		d := durationOf(c, name)
		if d < 0 || d == 0 && c.Command.Name != "overhead" || d > 0 && d < minTimeout {
			return exit.Errorf(exit.Usage, "give --"+name+" 20s, for example", "--%s %v is shorter than %v", name, d, minTimeout)
		}
	}
	return nil
}

// minTimeout is less than any answer takes that goes over a network.
const minTimeout = 10 * time.Millisecond

// door is an opened --connect: something to ask for sessions.
type door struct {
	sessions.Querier
	target connect.Target
	close  func() error
}

// target parses --connect.
func (rt *runtime) target() (connect.Target, error) {
	t, err := connect.Parse(rt.connect)
	if err != nil {
		return t, err
	}
	for _, w := range connect.Warnings(t, rt.lookupEnv) {
		rt.warnf("%s", w)
	}
	return t, nil
}

// openDoor connects to a database or simulated instance; a file is not one.
func (rt *runtime) openDoor(c *cli.Context, t connect.Target) (*door, error) {
	if c.Bool("prelim") {
		return nil, connect.Preliminary()
	}
	if err := checkTimeouts(c); err != nil {
		return nil, err
	}
	if t.IsOracle() {
		return rt.openOracle(c, t)
	}
	if rt.typed("via") && c.String("via") != viaAuto {
		return nil, exit.Errorf(exit.Usage, "leave --via out, or give the connection of a database", "%s is not reached through %s", t, c.String("via"))
	}
	switch t.Kind {
	case connect.Sim:
		return rt.openSim(c, t)
	}
	return nil, exit.Errorf(exit.Usage, "give -c user@host:port/service, -c '/ as sysdba' or -c sim:", "%s cannot be asked for sessions", t)
}

// inventory returns the sessions behind --connect with the verdict on each,
// and prints warnings and refused rows. It is what generate starts from; the
// caller ends with partialError when rows were refused. more is called while a
// database is still open.
func (rt *runtime) inventory(c *cli.Context, sel *sessions.Selector, more ...func(*door, *sessions.Inventory)) (*sessions.Inventory, error) {
	t, err := rt.target()
	if err != nil {
		return nil, err
	}
	if t.Kind == connect.File {
		return rt.fileInventory(t.Address, sel)
	}
	d, err := rt.openDoor(c, t)
	if err != nil {
		return nil, err
	}
	defer d.close()
	f, err := sessions.Open(c.Context, d)
	if err != nil {
		return nil, err
	}
	inv, err := f.Inventory(c.Context, sel)
	if err != nil {
		return nil, err
	}
	inv.Source = t.String()
	rt.warnAll(inv.Warnings)
	for _, f := range more {
		f(d, inv)
	}
	return inv, nil
}

func (rt *runtime) fileInventory(name string, sel *sessions.Selector) (*sessions.Inventory, error) {
	inv, err := rt.readInventory(name)
	if err != nil {
		return nil, err
	}
	notes := inv.Classify(sel)
	rt.warnAll(inv.Warnings)
	rt.warnAll(notes)
	rt.reportProblems(inv.Problems)
	if len(inv.Rows) == 0 && len(inv.Problems) > 0 {
		return nil, exit.Errorf(exit.Failed, "correct the rows named above", "%s: all %d rows were refused", name, len(inv.Problems))
	}
	return inv, nil
}

// readInventory reads an inventory file; "-" is standard input.
func (rt *runtime) readInventory(name string) (*sessions.Inventory, error) {
	if name == "-" {
		return sessions.ReadInventory("standard input", rt.input)
	}
	f, err := os.Open(name)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, exit.Errorf(exit.CannotConnect, "check the name behind file:, or make an inventory with: ringtrace sessions -c CONNECT -o csv",
			"open %s: %w", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, exit.Errorf(exit.CannotConnect, "name the CSV or JSON file in it", "%s is a folder", name)
	}
	return sessions.ReadInventory(name, f)
}

func (rt *runtime) warnAll(list []string) {
	for _, w := range list {
		rt.warnf("%s", w)
	}
}

// maxProblems bounds how many refused rows are printed one by one.
const maxProblems = 20

// reportProblems prints the refused rows on stderr, each hint once.
func (rt *runtime) reportProblems(list []sessions.Problem) {
	hints := map[string]bool{}
	for i := range list {
		if i == maxProblems {
			rt.warnf("and %d more refused rows", len(list)-i)
			return
		}
		p := &list[i]
		fmt.Fprintf(rt.stderr, "ringtrace: %s\n", printable(p.Error()))
		if p.Hint != "" && !hints[p.Hint] {
			hints[p.Hint] = true
			fmt.Fprintf(rt.stderr, "hint: %s\n", printable(p.Hint))
		}
	}
}

// partialError is how a verb ends that did its work on the good rows; nil when
// none was refused.
func partialError(inv *sessions.Inventory) error {
	if len(inv.Problems) == 0 {
		return nil
	}
	return exit.Errorf(exit.Partial, "correct the rows named above and run it again",
		"%s: %d of %d rows were refused, the rest counts", inv.Source, len(inv.Problems), len(inv.Problems)+len(inv.Rows))
}

// nothingMatched is how a verb ends that found no session to act on.
func nothingMatched(sel *sessions.Selector, sum sessions.Summary) error {
	if sum.Seen == 0 {
		return exit.Errorf(exit.NothingMatch, "check that the list holds rows below its heading", "there is no session at all")
	}
	hint := "list all sessions and the reason of each with: ringtrace sessions --explain"
	if len(sel.SIDs) > 0 {
		hint = "--sid takes V$SESSION.SID, not a process id (V$SESSION.PROCESS is the client's, V$PROCESS.SPID the server's); " + hint
	}
	return exit.Errorf(exit.NothingMatch, hint, "none of %s matches %s", count(sum.Seen, "session"), sel)
}

// noneSelected is nothingMatched for a list of which rows may have been refused:
// the session that was meant may be among those, and that outranks.
func noneSelected(sel *sessions.Selector, inv *sessions.Inventory) error {
	none, refused := nothingMatched(sel, inv.Summary()), partialError(inv)
	switch {
	case refused == nil:
		return none
	case len(inv.Rows) == 0:
		return refused
	}
	return exit.Errorf(exit.CodeOf(refused), exit.HintOf(refused), "%w; %w", none, refused)
}

// password finds the password of the main connection; a second logon of the
// same run does not ask again.
func (rt *runtime) password(c *cli.Context, t connect.Target) (string, error) {
	if rt.passwordOf != nil && rt.passwordOf.target == t {
		return rt.passwordOf.password, nil
	}
	p := connect.Passwords{
		File: c.String("password-file"), Command: c.String("password-command"),
		LookupEnv: rt.lookupEnv,
		Run:       rt.runPasswordCommand,
	}
	if rt.isTerminal() {
		p.Prompt = rt.promptPassword
	}
	pw, err := p.Get(c.Context, t)
	if err == nil {
		rt.passwordOf = &knownPassword{t, pw}
	}
	return pw, err
}

// knownPassword is a password that was given in this run.
type knownPassword struct {
	target   connect.Target
	password string
}
