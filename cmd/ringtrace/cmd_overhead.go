package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/overhead"
)

// newOverheadCommand is the verb overhead: what tracing costs a workload.
func newOverheadCommand(rt *runtime) *cli.Command {
	flags := append(
		connectionFlagsWith(durationFlag("command-timeout", 0, "give up a statement that is not answered after `DURATION`; 0: never, workloads may take long")),
		&cli.IntFlag{Name: "rounds", Value: 6, Usage: "measure every state `N` times, once a round"},
		&cli.Int64Flag{Name: "seed", Value: 42, Usage: "order the states of each round by `SEED`"},
		&cli.IntFlag{Name: "k", Usage: "let one value sum up `N` executions; 0 finds out by --min-time"},
		durationFlag("min-time", time.Second, "let one value take at least `DURATION`; the selftest takes 200ms by default"),
		&cli.Float64Flag{Name: "confidence", Value: 95, Usage: "print intervals of at least `PERCENT` confidence, as far as the rounds allow"},
		&cli.StringFlag{Name: "sql", Usage: "measure the query or PL/SQL block in `FILE`"},
		&cli.StringSliceFlag{Name: "workload", Usage: "measure built-in `WORKLOAD` long-cpu, short-cpu, or with --make-schema long-io, short-io; repeatable"},
		&cli.StringFlag{Name: "make-schema", Usage: "make schema `NAME` with a table of 80 MB for long-io and short-io, and drop it at the end"},
		&cli.BoolFlag{Name: "flush-buffer-cache", Usage: "empty the buffer cache before IO-bound values; asks for the database's name, --yes does not answer it"},
		&cli.BoolFlag{Name: "allow-null", Usage: "also trace to the null device, by a link in the trace folder; on the database host as the owner of that folder"},
		&cli.StringFlag{Name: "host", Usage: "count the lines of trace files with your ssh on `HOST`, where the database runs, if that is not here"},
		sizeFlag("ring", 256000, "give the buffered state a buffer of `BYTES`"),
		&cli.IntFlag{Name: "rows", Value: 100_000, Usage: "on PostgreSQL without --sql: count `N` generated rows"},
	)
	return exits(&cli.Command{
		Name:  "overhead",
		Usage: "measure what tracing costs a workload, with intervals",
		Description: `Runs the same work with tracing off, off again, to a file, buffered and to null, once each a round in seeded random
order, tracing being switched outside the timed part. Prints each execution, average and overhead as the classic table, and
what can be relied on: the Hodges-Lehmann estimate with its exact interval, database CPU, lines, MB and us a line. Off
against off again shows the noise; a verdict may be "not distinguishable from 0". Runs your --sql, or built-in workloads.
It loads the database and leaves trace files named *RTOVH*. On PostgreSQL (-c postgres://user@host/db) the states are plain,
plain again, and EXPLAIN ANALYZE with TIMING OFF and ON. On sim: it measures the simulated instance and says so.
If the database dies on the way, the rounds so far are printed (exit 3). Kept below the state directory in overhead/.

Example:

    ringtrace overhead -c / --sql orders.sql
    ringtrace overhead -c / --workload short-io --make-schema RT_OVERHEAD --flush-buffer-cache
    ringtrace overhead -c postgres://me@127.0.0.1/postgres --rounds 12
    ringtrace overhead selftest`,
		Flags:  flags,
		Action: rt.overhead,
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:  "selftest",
				Usage: "measure writing trace lines on this host, without a database",
				Description: `Formats and writes lines as a server does, to a file, into memory and to the null device, beside a little work. It is the
floor of what a line costs on this host; a server spends more.

Example:

    ringtrace overhead selftest --dir /u01/app/oracle/diag`,
				Flags:  []cli.Flag{&cli.StringFlag{Name: "dir", Usage: "write below `DIR`, on the file system that counts"}},
				Action: rt.overheadSelftest,
			}, exit.OK, exit.Partial),
		},
	}, exit.OK, exit.Partial, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing)
}

// overheadPlan reads how often and how long to measure.
func (rt *runtime) overheadPlan(c *cli.Context) (overhead.Plan, error) {
	p := overhead.Plan{
		Rounds: c.Int("rounds"), K: c.Int("k"), MinTime: durationOf(c, "min-time"), Seed: c.Int64("seed"),
		Confidence: c.Float64("confidence") / 100, Progress: rt.notef,
	}
	switch {
	case p.Rounds < 1 || p.Rounds > 200:
		return p, exit.Errorf(exit.Usage, "give --rounds 6, or more for a narrower interval", "--rounds %d is not from 1 to 200", p.Rounds)
	case p.K < 0:
		return p, exit.Errorf(exit.Usage, "give --k 0 to find out", "--k %d is negative", p.K)
	case !(p.Confidence > 0 && p.Confidence < 1):
		return p, exit.Errorf(exit.Usage, "give --confidence 95", "a confidence of %g %% cannot be had", 100*p.Confidence)
	case p.MinTime > time.Hour:
		return p, exit.Errorf(exit.Usage, "give --min-time 1s; the most is 1h", "--min-time %s is too long for one value", p.MinTime)
	case c.IsSet("rows") && c.Int("rows") < 1:
		return p, exit.Errorf(exit.Usage, "give --rows 100000", "--rows %d is no number of rows", c.Int("rows"))
	}
	if need := 1 - 2/float64(uint64(1)<<min(p.Rounds, 62)); p.Confidence > need {
		rt.warnf("%s cannot have more than %.1f %% confidence", count(p.Rounds, "round"), 100*need)
	}
	return p, nil
}

func (rt *runtime) overhead(c *cli.Context) error {
	if err := rt.wantOutput("overhead", outputText, outputJSON); err != nil {
		return err
	}
	plan, err := rt.overheadPlan(c)
	if err != nil {
		return err
	}
	if rt.connect == "" {
		return exit.Errorf(exit.Usage, "give -c / on the database host, -c user@host:port/service, -c postgres://user@host/db; or measure this host: ringtrace overhead selftest",
			"overhead needs a database")
	}
	t, err := rt.target()
	if err != nil {
		return err
	}
	switch t.Kind {
	case connect.Postgres:
		return rt.overheadPostgres(c, t, plan)
	case connect.File:
		return exit.Errorf(exit.Usage, "give -c / or -c user@host:port/service", "an inventory runs no workload")
	}
	return rt.overheadOracle(c, t, plan)
}

// finishOverhead prints and keeps the tests. cause is what ended them early.
func (rt *runtime) finishOverhead(c *cli.Context, tests []*overhead.Test, name string, cause error) error {
	rounds := 0
	for _, t := range tests {
		rounds += t.Rounds
		if last := rt.lastTiming(); last != nil && t.ClockNS == nil {
			t.ClockNS = last.MedianNS
		}
	}
	if rounds == 0 && cause != nil {
		return overheadError(cause, exit.Failed, "nothing was measured")
	}
	doc := struct {
		Tests []*overhead.Test `json:"tests"`
	}{tests}
	if rt.output == outputJSON {
		if err := rt.printJSON(doc); err != nil {
			return err
		}
	} else {
		for i, t := range tests {
			if i > 0 {
				fmt.Fprintln(rt.stdout)
			}
			if err := t.WriteTable(rt.stdout); err != nil {
				return err
			}
		}
	}
	rt.keepRecord(context.WithoutCancel(c.Context), "overhead", name, doc)
	if cause != nil {
		return overheadError(cause, exit.Partial, "the rounds so far are printed")
	}
	return nil
}

func overheadError(cause error, code exit.Code, what string) error {
	var known *exit.Error
	switch {
	case errors.Is(cause, context.Canceled):
		return cause
	case code == exit.Failed && errors.As(cause, &known):
		return cause
	}
	return exit.Errorf(code, "find out why the work failed, then run it again", "%s: %w", what, cause)
}

func (rt *runtime) overheadSelftest(c *cli.Context) error {
	if err := rt.wantOutput("overhead selftest", outputText, outputJSON); err != nil {
		return err
	}
	plan, err := rt.overheadPlan(c)
	if err != nil {
		return err
	}
	if !c.IsSet("min-time") {
		plan.MinTime = 200 * time.Millisecond
	}
	dir := c.String("dir")
	if dir == "" {
		dir = os.TempDir()
	}
	if rt.dryRun {
		rt.notef("would write trace lines below %s in %s, and remove them", dir, count(plan.Rounds, "round"))
		return nil
	}
	kernel, err := overhead.NewSelfTest(dir, time.Now, processCPU)
	if err != nil {
		return exit.Errorf(exit.Failed, "give --dir DIR of a folder that you can write", "%w", err)
	}
	defer kernel.Close()
	plan.Name, plan.States = "trace-writer kernel", overhead.OracleStates()
	test, err := overhead.Run(c.Context, kernel, plan)
	test.Origin = "this host, no database"
	return rt.finishOverhead(c, []*overhead.Test{test}, "selftest", err)
}

func (rt *runtime) overheadPostgres(c *cli.Context, t connect.Target, plan overhead.Plan) error {
	for _, flag := range []string{"workload", "make-schema", "flush-buffer-cache", "allow-null", "host"} {
		if c.IsSet(flag) {
			return exit.Errorf(exit.Usage, "give --sql FILE or --rows N", "--%s is for Oracle", flag)
		}
	}
	sql := overhead.DefaultPostgresSQL(c.Int("rows"))
	name := fmt.Sprintf("count of %d generated rows", c.Int("rows"))
	if file := c.String("sql"); file != "" {
		w, err := readWorkload(file)
		if err != nil {
			return err
		}
		sql, name = w.SQL, w.Name
	}
	if rt.dryRun {
		rt.notef("would run on %s, in %s of %v: %s", t, count(plan.Rounds, "round"), overhead.PostgresStates(), sql)
		return nil
	}
	password, err := rt.postgresPassword(c, t)
	if err != nil {
		return err
	}
	p, err := overhead.OpenPostgres(c.Context, overhead.PostgresConfig{URL: t.Address, Password: password, SQL: sql, Now: time.Now, CPU: serverCPU})
	if err != nil {
		return exit.Errorf(exit.CannotConnect, "check the URL; the password comes from RINGTRACE_PASSWORD, --password-file, PGPASSWORD or ~/.pgpass", "%w", err)
	}
	defer p.Close(context.WithoutCancel(c.Context))
	plan.Name, plan.States = name, overhead.PostgresStates()
	test, err := overhead.Run(c.Context, p, plan)
	test.Origin = "PostgreSQL " + p.Version
	return rt.finishOverhead(c, []*overhead.Test{test}, "postgres", err)
}

// postgresPassword asks our own sources only where one is given; else the
// driver has its own (PGPASSWORD, ~/.pgpass).
func (rt *runtime) postgresPassword(c *cli.Context, t connect.Target) (string, error) {
	if v, ok := rt.lookupEnv(connect.PasswordEnv); c.String("password-file") == "" && c.String("password-command") == "" && (!ok || v == "") {
		return "", nil
	}
	return rt.password(c, connect.Target{Kind: connect.Remote, User: t.Address})
}

func readWorkload(file string) (overhead.Workload, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return overhead.Workload{}, exit.Errorf(exit.Failed, "check the name behind --sql", "%w", err)
	}
	return overhead.ReadWorkload(file, text)
}
