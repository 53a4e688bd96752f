package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

// How to add a verb
//
//  1. Write cmd_<verb>.go with `func new<Verb>Command(rt *runtime) *cli.Command`
//     and add it to verbs below, in the order of docs/cli.md.
//  2. Flags are plain cli flags without EnvVars and without Destination into
//     package state; the environment twin (RINGTRACE_<VERB>_<FLAG>), the config
//     key and every spelling on the command line come by themselves. Durations
//     and sizes: durationFlag, sizeFlag. On/off pairs (--waits/--no-waits):
//     onOffFlag("waits", true, …), read with c.Bool("waits"). A flag `no-x`
//     beside a flag `x` is understood as its opposite: both given is exit 2.
//  3. ArgsUsage says which positionals are taken ("FILE…", "SPEC…", "[FILE]");
//     empty means none, and any is then refused before Action runs.
//  4. Description ends with an example; `exits(cmd, codes…)` lists the exit
//     codes of the verb in its help. wrap it: return exits(&cli.Command{…}, exit.OK, …).
//  5. Action does: flags → library call → print on rt.stdout. rt.wantOutput
//     refuses an -o that the verb does not have. It returns an *exit.Error
//     (exit.Errorf(code, hint, …)); never prints its own error, never exits. To end with a
//     code after printing findings or a partial result, return exit.Errorf with
//     a one-line message that says so.
//     Flags that do not go together are refused when rt.typed says that both stood
//     on the command line; what the environment or the config file says yields.
//  6. Questions go through rt.confirm, talk through rt.notef/warnf/debugf. Data
//     on standard input is read from rt.input, which Ctrl-C ends.
//  7. Add testdata/script/<verb>*.txtar, and run `go test ./cmd/ringtrace -update`
//     to write docs/cli.md again.

// verbs returns the constructors of all verbs, in the order of the help. One
// line a verb.
func verbs() []func(*runtime) *cli.Command {
	return []func(*runtime) *cli.Command{
		newSessionsCommand,
		newGenerateCommand,
		newEnableCommand,
		newDisableCommand,
		newStatusCommand,
		newWatchCommand,
		newFlushCommand,
		newLintCommand,
		newExplainCommand,
		newCollectCommand,
		newReportCommand,
		newEstimateCommand,
		newTimingCommand,
		newOverheadCommand,
		newRehearseCommand,
		newSimCommand,
		newDemoCommand,
		newDrillCommand,
		newDoctorCommand,
		newCampaignsCommand,
		newTemplatesCommand,
		newConfigCommand,
		newCompletionCommand,
		newManCommand,
		newVersionCommand,
	}
}

// newApp builds the command tree anew; nothing in it outlives a run.
func newApp(rt *runtime) *cli.App {
	app := &cli.App{
		Name:                      "ringtrace",
		HelpName:                  "ringtrace",
		Usage:                     "trace Oracle sessions into memory, and to disk only when it matters",
		Reader:                    rt.stdin,
		Writer:                    rt.stdout,
		ErrWriter:                 rt.stderr,
		Flags:                     globalFlags(),
		DisableSliceFlagSeparator: true,
		HideVersion:               true,
		HideHelp:                  true,
		HideHelpCommand:           true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints and exits, nobody else
		Before:                    rt.readGlobals,
	}
	for _, newVerb := range rt.verbs {
		app.Commands = append(app.Commands, newVerb(rt))
	}
	return app
}

func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "connect", Aliases: []string{"c"}, Usage: "where the sessions are: `TARGET` is / , user@host:port/service, a TNS alias, /@alias, sim: or file:sessions.csv"},
		choiceFlag("output", outputText, outputs, "print the result as `FORMAT` text, json (most verbs) or csv (sessions, report, campaigns)", "o"),
		&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of $XDG_CONFIG_HOME/ringtrace/config.toml"},
		&cli.StringFlag{Name: "state-dir", Usage: "keep journals in `DIR` instead of $XDG_STATE_HOME/ringtrace"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but warnings and errors"},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "say more"},
		&cli.BoolFlag{Name: "no-color", Usage: "print without colour (also NO_COLOR)"},
		&cli.BoolFlag{Name: "yes", Usage: "answer every question of this run; lifts no refusal"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would be done and change nothing"},
	}
}

// readGlobals copies the global flags into rt before any verb runs. cli calls
// it with what run has put in order and completed.
func (rt *runtime) readGlobals(c *cli.Context) error {
	rt.connect, rt.output = c.String("connect"), c.String("output")
	rt.configPath, rt.stateDir = c.String("config"), c.String("state-dir")
	rt.quiet, rt.verbose = c.Bool("quiet"), c.Bool("verbose")
	rt.noColor = c.Bool("no-color") || rt.getenv("NO_COLOR") != ""
	rt.yes, rt.dryRun = c.Bool("yes"), c.Bool("dry-run")
	return nil
}

// wantOutput refuses an -o that the verb does not offer.
func (rt *runtime) wantOutput(verb string, formats ...string) error {
	for _, f := range formats {
		if rt.output == f {
			return nil
		}
	}
	return exit.Errorf(exit.Usage, "give --output "+strings.Join(formats, " or --output "), "%s has no %s output", verb, rt.output)
}
