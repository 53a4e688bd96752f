package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/daemon"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/sim/tracegen"
)

// newSimCommand is the verb sim: a simulated instance that runs in a folder.
func newSimCommand(rt *runtime) *cli.Command {
	dir := func() cli.Flag {
		return &cli.StringFlag{Name: "dir", Usage: "the instance's folder is `DIR`"}
	}
	return &cli.Command{
		Name:  "sim",
		Usage: "start, inspect and stop a simulated instance",
		Description: "A simulated instance behaves as the fact sheets say Oracle does; what is seen and\n" +
			"what is assumed is listed in docs/simulator.md. It needs nothing of Oracle.\n\n" +
			"Example:\n\n    ringtrace sim up --dir /tmp/lab\n    . /tmp/lab/env.sh\n    sqlplus / as sysdba",
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:  "up",
				Usage: "start an instance in a folder and print how to connect",
				Description: "Makes a simulated ORACLE_HOME with sqlplus and, where gcc is found, a client\n" +
					"library that the godror driver loads. Source DIR/env.sh to use both. The instance\n" +
					"ends by `sim down`, when the folder vanishes, or after --idle without a request.\n\n" +
					"Example:\n\n    ringtrace sim up --dir /tmp/lab --release 19c --instances 2 --seed 7",
				Flags: []cli.Flag{
					dir(),
					choiceFlag("release", "19c", []string{"11.2", "12.1", "12.2", "19c", "21c", "23ai"}, "play this `RELEASE`: 11.2, 12.1, 12.2, 19c, 21c or 23ai"),
					&cli.IntFlag{Name: "instances", Value: 1, Usage: "`N` RAC instances"},
					&cli.IntFlag{Name: "sessions", Value: sim.DefaultSessions, Usage: "`N` user sessions"},
					&cli.Int64Flag{Name: "seed", Value: 1, Usage: "same `SEED`, same sessions and ids"},
					&cli.StringFlag{Name: "scenario", Value: "quiet", Usage: "run `SCENARIO`, a name or a file, at the start"},
					&cli.StringSliceFlag{Name: "fault", Usage: "let `KIND[=VALUE]` go wrong from the start; see sim fault --help (repeatable)"},
					&cli.StringSliceFlag{Name: "assume", Usage: "suppose `NAME[:off]` of Oracle; docs/simulator.md lists the names (repeatable)"},
					&cli.BoolFlag{Name: "windows", Usage: "processes have the ids of Windows"},
					&cli.BoolFlag{Name: "threaded", Usage: "processes are threads (threaded_execution)"},
					durationFlag("idle", 30*time.Minute, "end after `DURATION` without a request"),
				},
				Action: func(c *cli.Context) error { return rt.simUp(c) },
			}, exit.OK, exit.Refused),
			exits(&cli.Command{
				Name: "run", Usage: "run a scenario in a running instance", ArgsUsage: "SCENARIO",
				Description: "The scenarios are: " + strings.Join(scenario.Names(), ", ") + ". A file name runs your own.\n\n" +
					"Example:\n\n    ringtrace sim run --dir /tmp/lab " + scenario.Names()[0],
				Flags: []cli.Flag{dir()}, Action: func(c *cli.Context) error { return rt.simOperate(c, "run") },
			}, exit.OK, exit.CannotConnect),
			exits(&cli.Command{
				Name: "raise", Usage: "let a session work and then raise an error",
				Description: "Example:\n\n    ringtrace sim raise --dir /tmp/lab --sid 10 --ora 1555",
				Flags: []cli.Flag{
					dir(),
					&cli.StringFlag{Name: "sid", Usage: "the session, `SID[,SERIAL#[,@INST]]`"},
					&cli.IntFlag{Name: "ora", Usage: "the error `N`"},
				},
				Action: func(c *cli.Context) error { return rt.simOperate(c, "raise") },
			}, exit.OK, exit.CannotConnect),
			exits(&cli.Command{
				Name: "fault", Usage: "make something go wrong", ArgsUsage: "KIND[=VALUE]",
				Description: "KIND=off takes a fault back. The kinds are:\n\n" + faultList() +
					"\nExample:\n\n    ringtrace sim fault --dir /tmp/lab sqlplus-delay=200ms",
				Flags: []cli.Flag{dir()}, Action: func(c *cli.Context) error { return rt.simOperate(c, "fault") },
			}, exit.OK, exit.CannotConnect),
			exits(&cli.Command{
				Name: "show", Usage: "print the truth about every session: events, rings, trace files",
				Description: "Example:\n\n    ringtrace sim show --dir /tmp/lab -o json",
				Flags:       []cli.Flag{dir()}, Action: func(c *cli.Context) error { return rt.simOperate(c, "show") },
			}, exit.OK, exit.CannotConnect),
			exits(&cli.Command{
				Name: "down", Usage: "stop an instance",
				Description: "Example:\n\n    ringtrace sim down --dir /tmp/lab",
				Flags:       []cli.Flag{dir()}, Action: func(c *cli.Context) error { return rt.simDown(c) },
			}, exit.OK, exit.CannotConnect),
			{
				Name: "serve", Hidden: true, Usage: "the server process of sim up",
				Flags:  []cli.Flag{dir(), &cli.StringFlag{Name: "spec", Usage: "how to build it, as `JSON`"}},
				Action: func(c *cli.Context) error { return rt.simServe(c) },
			},
		},
	}
}

func faultList() string {
	var b strings.Builder
	for _, k := range fault.Sorted() {
		b.WriteString("    " + string(k))
		if v := fault.Kinds()[k]; v != "" {
			b.WriteString("=" + strings.ToUpper(v))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// simLayout reads --dir.
func (rt *runtime) simLayout(c *cli.Context) (daemon.Layout, error) {
	dir := c.String("dir")
	if dir == "" {
		return daemon.Layout{}, exit.Errorf(exit.Usage, "write: ringtrace sim "+c.Command.Name+" --dir /tmp/lab", "sim %s needs --dir", c.Command.Name)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return daemon.Layout{}, exit.Errorf(exit.Usage, "give an absolute path", "%w", err)
	}
	return daemon.Layout{Dir: abs}, nil
}

func (rt *runtime) simUp(c *cli.Context) error {
	if err := rt.wantOutput("sim up", outputText, outputJSON); err != nil {
		return err
	}
	l, err := rt.simLayout(c)
	if err != nil {
		return err
	}
	spec := daemon.Spec{
		Release: c.String("release"), Instances: c.Int("instances"), Sessions: c.Int("sessions"), Seed: c.Int64("seed"),
		Scenario: c.String("scenario"), Idle: int64(durationOf(c, "idle") / time.Second), Faults: c.StringSlice("fault"),
		Assume: c.StringSlice("assume"), Windows: c.Bool("windows"), Threaded: c.Bool("threaded"),
	}
	if spec.Instances < 1 || spec.Instances > 9 || spec.Sessions < 0 || spec.Sessions > 200_000 {
		return exit.Errorf(exit.Usage, "give 1 to 9 instances and 0 to 200000 sessions", "%d instances with %d sessions cannot be simulated", spec.Instances, spec.Sessions)
	}
	if strings.ContainsAny(l.Dir, ":\n") {
		return exit.Errorf(exit.Usage, "choose a folder without : and line breaks; it goes into PATH", "%q cannot hold a simulated ORACLE_HOME", l.Dir)
	}
	if _, err := simFolderSpec(spec); err != nil {
		return exit.Errorf(exit.Usage, "for example: --assume ring-off-frees:off", "%w", err)
	}
	for _, f := range spec.Faults {
		if _, err := fault.Parse(f); err != nil {
			return exit.Errorf(exit.Usage, "run ringtrace sim fault --help", "%w", err)
		}
	}
	if _, err := scenario.Load(spec.Scenario); err != nil {
		return exit.Errorf(exit.Usage, "run ringtrace sim run --help", "%w", err)
	}
	if spec.Scenario, err = scenarioPath(spec.Scenario); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return exit.Errorf(exit.Failed, "start ringtrace by its full path", "%w", err)
	}
	data, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	u := daemon.Launch{
		Layout: l, Program: self, Args: []string{"sim", "serve", "--dir", l.Dir, "--spec", string(data)},
		Environ: rt.serverEnviron(), Wait: 60 * time.Second, GCC: rt.findGCC(),
	}
	earlier := exists(l.Diag())
	note, err := u.Prepare(c.Context)
	if err != nil {
		return exit.Errorf(exit.Failed, "stop it with: ringtrace sim down --dir "+quoteArg(l.Dir)+", or choose another folder", "%w", err)
	}
	if note != "" {
		rt.warnf("%s", note)
	}
	if earlier {
		rt.warnf("%s has the trace files of an earlier instance, and sessions with the same process ids write on in them; for a fresh start: ringtrace sim down --dir %s && rm -r %s, and sim up again",
			l.Dir, quoteArg(l.Dir), quoteArg(l.Diag()))
	}
	started, err := u.Start(c.Context)
	if err != nil {
		return exit.Errorf(exit.Failed, "read "+l.Log(), "%w", err)
	}
	try := "sqlplus / as sysdba"
	if spec.Threaded { // no operating system authentication with threaded_execution
		try = "sqlplus " + started.Connect + "   (password " + started.Password + ")"
	}
	rt.notef("source it with: . %s   then try: %s", quoteArg(l.EnvFile()), try)
	return rt.printJSON(started)
}

// simFolderSpec is the database that a folder's instance plays.
func simFolderSpec(spec daemon.Spec) (sim.Spec, error) {
	s := sim.Spec{
		Release: spec.Release, Instances: spec.Instances, Sessions: spec.Sessions, Seed: spec.Seed,
		Windows: spec.Windows, Threaded: spec.Threaded,
	}
	for _, a := range spec.Assume {
		if err := s.Suppose(a); err != nil {
			return s, err
		}
	}
	return s, nil
}

// scenarioPath makes the path of a scenario file absolute, because the server
// works in another folder.
func scenarioPath(name string) (string, error) {
	for _, n := range scenario.Names() {
		if n == name {
			return name, nil
		}
	}
	return filepath.Abs(name)
}

// serverEnviron is what the server process sees: nothing that is ours, and no
// password.
func (rt *runtime) serverEnviron() []string {
	var out []string
	for _, k := range []string{"PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR"} {
		if v, ok := rt.lookupEnv(k); ok {
			out = append(out, k+"="+v)
		}
	}
	return out
}

// findGCC looks for a C compiler in PATH.
func (rt *runtime) findGCC() string {
	for _, dir := range filepath.SplitList(rt.getenv("PATH")) {
		for _, name := range []string{"gcc", "cc"} {
			p := filepath.Join(dir, name)
			if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 && filepath.IsAbs(p) {
				return p
			}
		}
	}
	return ""
}

// simServe is the server process.
func (rt *runtime) simServe(c *cli.Context) error {
	l, err := rt.simLayout(c)
	if err != nil {
		return err
	}
	var spec daemon.Spec
	if err := json.Unmarshal([]byte(c.String("spec")), &spec); err != nil {
		return exit.Errorf(exit.Usage, "use ringtrace sim up", "the specification cannot be read: %w", err)
	}
	build, err := simFolderSpec(spec)
	if err != nil {
		return err
	}
	if build.Identity, err = l.Identify(c.Context, rand.Reader); err != nil {
		return err
	}
	d, err := sim.New(build, rt.now,
		&adr.Dir{Root: l.Dir, Mode: 0o640}, l.Dir)
	if err != nil {
		return err
	}
	for _, in := range d.Instances { // an instance has the folder before its first trace
		if err := os.MkdirAll(d.TraceDir(in), 0o700); err != nil {
			return err
		}
	}
	sc, err := scenario.Load(spec.Scenario)
	if err != nil {
		return err
	}
	if err := scenario.Run(c.Context, d, tracegen.New(d, spec.Seed), sc); err != nil {
		return err
	}
	return daemon.Serve(c.Context, l, spec, d, rt.now)
}

// simClient finds the running instance of --dir.
func (rt *runtime) simClient(c *cli.Context) (*daemon.Client, error) {
	l, err := rt.simLayout(c)
	if err != nil {
		return nil, err
	}
	return dialSim(l.Dir)
}

func dialSim(dir string) (*daemon.Client, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "give an absolute path", "%w", err)
	}
	client, err := daemon.Dial(daemon.Layout{Dir: abs})
	if err != nil {
		return nil, exit.Errorf(exit.CannotConnect, "start it with: ringtrace sim up --dir "+quoteArg(dir), "%w", err)
	}
	return client, nil
}

func (rt *runtime) simOperate(c *cli.Context, op string) error {
	if err := rt.wantOutput("sim "+op, outputText, outputJSON); err != nil {
		return err
	}
	client, err := rt.simClient(c)
	if err != nil {
		return err
	}
	q := daemon.Request{Op: op}
	switch op {
	case "run", "fault":
		if c.NArg() != 1 {
			return exit.Errorf(exit.Usage, "run ringtrace sim "+op+" --help", "sim %s takes one %s", op, c.Command.ArgsUsage)
		}
		q.Arg = c.Args().First()
		if op == "run" {
			if _, err := scenario.Load(q.Arg); err != nil {
				return exit.Errorf(exit.Usage, "run ringtrace sim run --help", "%w", err)
			}
			if q.Arg, err = scenarioPath(q.Arg); err != nil {
				return err
			}
		} else if _, err := fault.Parse(q.Arg); err != nil {
			return exit.Errorf(exit.Usage, "run ringtrace sim fault --help", "%w", err)
		}
	case "raise":
		q.Arg, q.Ora = c.String("sid"), c.Int("ora")
		if q.Arg == "" || q.Ora < 1 || q.Ora > 65535 {
			return exit.Errorf(exit.Usage, "write: ringtrace sim raise --dir DIR --sid 20 --ora 942", "sim raise needs --sid and --ora")
		}
	}
	data, err := client.Do(c.Context, q)
	if err != nil {
		return exit.Errorf(exit.Failed, "ringtrace sim show --dir "+quoteArg(client.Layout.Dir)+" lists what there is", "%w", err)
	}
	return rt.simPrint(op, data)
}

func (rt *runtime) simDown(c *cli.Context) error {
	if err := rt.wantOutput("sim down", outputText, outputJSON); err != nil {
		return err
	}
	client, err := rt.simClient(c)
	if errors.Is(err, daemon.ErrNotRunning) {
		hint := "there is nothing to stop; check the name behind --dir"
		if l, lerr := rt.simLayout(c); lerr == nil {
			if rm := removeSim(l); rm != "" {
				hint = "there is nothing to stop; what an earlier one left is removed by: " + rm
			}
		}
		return exit.Errorf(exit.CannotConnect, hint, "%w", err)
	}
	if err != nil {
		return err
	}
	if err := client.Down(c.Context, 10*time.Second); err != nil {
		return exit.Errorf(exit.Failed, "end its process by hand", "%w", err)
	}
	rt.notef("the simulated instance in %s has ended; its trace files are still there", client.Layout.Dir)
	if rm := removeSim(client.Layout); rm != "" {
		rt.notef("when nobody needs them any more: %s", rm)
	}
	if rt.output == outputJSON {
		return rt.printJSON(map[string]string{"dir": client.Layout.Dir})
	}
	return nil
}

// simSQLPlus names the variable by which the sqlplus of a simulated
// ORACLE_HOME tells this program who it is.
const simSQLPlus = "_RINGTRACE_SIM_SQLPLUS"

// simSQLPlusMain is that sqlplus: it hands its arguments and its input to the
// server of the folder and ends with its exit code.
func (rt *runtime) simSQLPlusMain(ctx context.Context, dir string, args []string, interrupt <-chan os.Signal) (int, error) {
	client, err := daemon.Dial(daemon.Layout{Dir: dir})
	if errors.Is(err, daemon.ErrNotRunning) {
		// What sqlplus says of an instance that is down.
		_, werr := rt.stdout.Write([]byte("ERROR:\nORA-12547: TNS:lost contact\n\nSP2-0751: Unable to connect to Oracle.  Exiting SQL*Plus\n"))
		return 1, werr
	}
	if err != nil {
		return 1, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return 1, err
	}
	env := map[string]string{}
	for _, k := range []string{"ORACLE_SID", "TWO_TASK", "ORACLE_PATH", "SQLPATH", "NLS_LANG"} {
		if v, ok := rt.lookupEnv(k); ok {
			env[k] = v
		}
	}
	q := rt.simCaller()
	q.Args, q.Env, q.Cwd = args, env, cwd
	return client.SQLPlus(ctx, q, rt.stdin, rt.stdout, interrupt)
}
