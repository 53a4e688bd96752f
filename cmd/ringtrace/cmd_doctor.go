package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
)

func newDoctorCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:  "doctor",
		Usage: "look for what a connection would stumble over, and say what to type",
		Description: "Looks at the build, the Oracle client library, sqlplus, the environment\n" +
			"variables and which of them wins, the config file and the state directory; with\n" +
			"-c also at the connection and at what the database lets us see. Nothing is\n" +
			"changed. A line says ok, warn or fail; any fail ends with code 1, a password in\n" +
			"-c with 2.\n\n" +
			"Example:\n\n    ringtrace doctor -c '/ as sysdba'",
		Flags: connectionFlags(),
		Action: func(c *cli.Context) error {
			if err := rt.wantOutput("doctor", outputText, outputJSON); err != nil {
				return err
			}
			d := &doctor{rt: rt, sqlplus: c.String("sqlplus"), ldconfig: ldconfigCache}
			d.examine(c.Context)
			d.checkDatabase(c)
			return d.report()
		},
	}, exit.OK)
}

// Status of a line.
const (
	statusOK   = "ok"
	statusWarn = "warn"
	statusFail = "fail"
)

// doctorLine is one finding.
type doctorLine struct {
	Check   string  `json:"check"`  // e.g. sqlplus, ORACLE_HOME
	Status  string  `json:"status"` // ok, warn or fail
	Value   *string `json:"value"`  // what was seen, secrets masked; null for nothing
	Message string  `json:"message"`
	Hint    string  `json:"hint"` // what to type next; empty for ok
}

// doctor gathers findings. Everything it looks at comes through rt, the file
// system and the functions below.
type doctor struct {
	rt       *runtime
	sqlplus  string                                // --sqlplus
	ldconfig func(context.Context) []loaderLibrary // the system's loader cache
	lines    []doctorLine
	password bool // the connection held one, which every verb refuses as wrong usage
}

// examine runs the checks that need no connection, from the program outward.
func (d *doctor) examine(ctx context.Context) {
	d.checkBuild()
	d.checkCompiler()
	d.checkClient(ctx)
	d.checkSqlplus(ctx)
	d.checkOracleVariables()
	d.checkConnection()
	d.checkOwnVariables()
	d.checkConfig()
	d.checkStateDir()
	d.checkPreparing()
}

func (d *doctor) add(check, status, value, message, hint string) {
	line := doctorLine{Check: check, Status: status, Message: d.rt.complete(message), Hint: d.rt.complete(hint)}
	if value != "" {
		line.Value = &value
	}
	d.lines = append(d.lines, line)
}

func (d *doctor) ok(check, value, message string) { d.add(check, statusOK, value, message, "") }

func (d *doctor) warn(check, value, message, hint string) {
	d.add(check, statusWarn, value, message, hint)
}

func (d *doctor) fail(check, value, message, hint string) {
	d.add(check, statusFail, value, message, hint)
}

// report prints the lines and ends with code 1 if one of them failed, or with 2
// if that is a password in the connection.
func (d *doctor) report() error {
	count := map[string]int{}
	for _, l := range d.lines {
		count[l.Status]++
	}
	if d.rt.output == outputJSON {
		doc := struct {
			Lines   []doctorLine   `json:"lines"`
			Summary map[string]int `json:"summary"`
		}{d.lines, map[string]int{statusOK: count[statusOK], statusWarn: count[statusWarn], statusFail: count[statusFail]}}
		if err := d.rt.printJSON(doc); err != nil {
			return err
		}
	} else if err := d.print(); err != nil {
		return err
	}
	if n := count[statusFail]; n > 0 {
		code := exit.Failed
		if d.password {
			code = exit.Usage
		}
		return exit.Errorf(code, "the lines marked fail say what to type", "%d of %s failed", n, quantity.Count(len(d.lines), "check"))
	}
	return nil
}

func (d *doctor) print() error {
	var b strings.Builder
	width := 0
	for _, l := range d.lines {
		width = max(width, len(l.Check))
	}
	for _, l := range d.lines {
		text := l.Message
		if l.Value != nil {
			text = *l.Value + ": " + text
		}
		fmt.Fprintf(&b, "%-4s  %-*s  %s\n", l.Status, width, printable(l.Check), printable(text))
		for hint := range strings.Lines(l.Hint) {
			fmt.Fprintf(&b, "%*s  %s\n", width+6, "", "→ "+printable(strings.TrimRight(hint, "\n")))
		}
	}
	_, err := d.rt.stdout.Write([]byte(b.String()))
	return err
}
