package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/oradb"
	"ringtrace/internal/overhead"
)

func (rt *runtime) overheadOracle(c *cli.Context, t connect.Target, plan overhead.Plan) error {
	plan.States = overhead.OracleStates()
	works, schema, err := overheadWork(c)
	if err != nil {
		return err
	}
	if ring := sizeOf(c, "ring"); ring < 4096 || ring > 1<<31-1 {
		return exit.Errorf(exit.Usage, "give --ring 256000", "--ring %d is not from 4096 to 2147483647", ring)
	}
	if rt.dryRun {
		for _, w := range works {
			rt.notef("would run on %s, in %s of %v: %s", t, count(plan.Rounds, "round"), plan.States, w.SQL)
		}
		return nil
	}
	remote, hangup, err := rt.remoteCounter(c, t)
	if err != nil {
		return err
	}
	defer hangup()
	d, err := rt.openWorkDoor(c, t, works)
	if err != nil {
		return err
	}
	defer d.close()
	session, err := oneSession(c.Context, d)
	if err != nil {
		return err
	}
	host, _ := os.Hostname() // an unknown host is not the database's
	typed := t.Kind == connect.Sim
	inFolder := typed && t.Address != "" && !strings.HasPrefix(t.Address, "?")
	identity := "RTOVH" + rand.Text()[:6]
	o, err := overhead.OpenOracle(c.Context, overhead.OracleConfig{
		Session: session, Now: time.Now, Host: host, Ring: sizeOf(c, "ring"), Flush: c.Bool("flush-buffer-cache"), NoFiles: typed && !inFolder,
		Here: inFolder, Null: c.Bool("allow-null"), Files: overhead.Folder{OwnerIsUs: ownerIsUs}, Remote: remote, Identity: identity,
	})
	if exit.CodeOf(err) == exit.Refused {
		return err
	}
	if err != nil {
		return exit.Errorf(exit.NotAllowed, "grant SELECT on V_$INSTANCE, V_$DATABASE, V_$DIAG_INFO, V_$PARAMETER and V_$SESS_TIME_MODEL, or SELECT_CATALOG_ROLE", "%w", err)
	}
	simulated := isSimulated(c.Context, t, session)
	rt.noteSimulated(t, simulated)
	if err := rt.overheadQuestions(c, o, works, typed); err != nil {
		return err
	}
	if schema != "" {
		made, err := o.MakeSchema(c.Context, schema, "Rt1_ovh-2"+rand.Text()[:20])
		if made {
			defer rt.dropSchema(c, t, o, schema)
		}
		if err != nil {
			return err
		}
	}
	defer rt.tellTraces(o, identity, typed && !inFolder)
	var tests []*overhead.Test
	for _, w := range works {
		o.Use(w)
		plan.Name = w.Name
		var test *overhead.Test
		test, err = overhead.Run(c.Context, o, plan)
		test.Simulate = simulated
		test.Origin = strings.TrimSpace("Oracle " + o.Version + " " + o.DB + " on " + o.HostName)
		if simulated {
			test.Origin = "a simulated instance, no database (" + t.String() + "); its cost is that of the simulator"
		}
		tests = append(tests, test)
		if err != nil {
			err = overheadDenied(err)
			break
		}
	}
	return rt.finishOverhead(c, tests, oracleRecord(o.DB, simulated), err)
}

// oracleRecord names what is kept of a database's measurements. A simulated
// instance may have the name of a database.
func oracleRecord(name string, simulated bool) string {
	if simulated {
		return "sim-" + name
	}
	return "oracle-" + name
}

// openWorkDoor prefers the driver, for a local connection too: the dialogue
// with sqlplus would be part of every measured time. Through sqlplus queries
// can still be measured, PL/SQL blocks cannot.
func (rt *runtime) openWorkDoor(c *cli.Context, t connect.Target, works []overhead.Workload) (*door, error) {
	via := c.String("via")
	if !t.IsOracle() || via == viaGodror || c.Bool("prelim") {
		return rt.openDoor(c, t)
	}
	if via == viaAuto && oradb.Built {
		d, err := rt.openThroughDriver(c, t)
		if exit.CodeOf(err) != exit.ToolMissing {
			return d, err
		}
		rt.debugf("%v; going through sqlplus", err)
	}
	for _, w := range works {
		if w.Block {
			return nil, exit.Errorf(exit.ToolMissing, "see what it lacks: ringtrace doctor; or measure a query: --workload long-cpu, --workload long-io, --sql FILE",
				"%s is PL/SQL, which needs the driver (--via godror); sqlplus cannot be timed with it", w.Name)
		}
	}
	rt.warnf("through sqlplus: what is said with it is in every time, so percentages are too small; --via godror is better")
	return rt.openThroughSqlplus(c, t)
}

// overheadDenied says which privilege switching needs.
func overheadDenied(err error) error {
	if !strings.Contains(err.Error(), "ORA-01031") {
		return err
	}
	return exit.Errorf(exit.NotAllowed, "grant ALTER SESSION to the user (and ALTER SYSTEM for --flush-buffer-cache), or connect as one who has it", "%w", err)
}

// dropSchema takes back --make-schema, over another connection if the first is
// lost.
func (rt *runtime) dropSchema(c *cli.Context, t connect.Target, o *overhead.Oracle, schema string) {
	c.Context = context.WithoutCancel(c.Context) // Ctrl-C does not stop this
	err := o.DropSchema(c.Context, schema)
	if err != nil && rt.dropAnew(c, t, o, schema) != nil {
		rt.warnf("schema %s is still there: %v; drop it with: drop user %s cascade;", schema, err, schema)
	}
}

func (rt *runtime) dropAnew(c *cli.Context, t connect.Target, o *overhead.Oracle, schema string) error {
	d, err := rt.openWorkDoor(c, t, nil)
	if err != nil {
		rt.debugf("another connection: %v", err)
		return err
	}
	defer d.close()
	session, err := oneSession(c.Context, d)
	if err != nil {
		return err
	}
	o.Resume(session)
	return o.DropSchema(c.Context, schema)
}

// tellTraces names what a measurement leaves behind: nothing, of an instance in
// this process.
func (rt *runtime) tellTraces(o *overhead.Oracle, identity string, inProcess bool) {
	switch {
	case o.Traced() == 0:
		return
	case inProcess:
		rt.notef("an instance in this process has no trace files: lines, MB and us a line are counted with ringtrace sim up --dir DIR, and -c sim:DIR")
		return
	case !o.Counts():
		rt.notef("the trace files are on %s: lines, MB and us a line are counted on the database host, or with --host HOST over your ssh", o.HostName)
	}
	if o.TraceDir != "" {
		rt.notef("%s stay behind; remove them there: rm %s", count(o.Traced(), "trace file"), quoteArg(o.TraceDir)+"/*"+identity+"_*")
	}
}

// overheadWork reads what to run. schema is "" if none is to be made.
func overheadWork(c *cli.Context) (works []overhead.Workload, schema string, err error) {
	if name := c.String("make-schema"); name != "" {
		if schema, err = overhead.SchemaName(name); err != nil {
			return nil, "", err
		}
	}
	names := c.StringSlice("workload")
	file := c.String("sql")
	if file != "" {
		w, err := readWorkload(file)
		if err != nil {
			return nil, "", err
		}
		works = append(works, w)
	} else if len(names) == 0 {
		names = []string{"short-cpu"}
	}
	table := false
	for _, n := range names {
		w, err := overhead.BuiltinWorkload(n, schema)
		if err != nil {
			return nil, "", err
		}
		if w.Table && schema == "" {
			return nil, "", exit.Errorf(exit.Usage, "add --make-schema RT_OVERHEAD: it is made, filled with 80 MB and dropped at the end", "workload %s needs a table", n)
		}
		table = table || w.Table
		works = append(works, w)
	}
	if schema != "" && !table {
		return nil, "", exit.Errorf(exit.Usage, "add --workload long-io or --workload short-io, or leave out --make-schema", "no workload needs schema %s", schema)
	}
	return works, schema, nil
}

// oneSession is the one session that a test runs in.
func oneSession(ctx context.Context, d *door) (overhead.Session, error) {
	switch q := d.Querier.(type) {
	case *sql.DB:
		conn, err := q.Conn(ctx)
		if err != nil {
			return nil, fmt.Errorf("open a session: %w", err)
		}
		return conn, nil
	case overhead.Session:
		return q, nil
	}
	return nil, exit.Errorf(exit.ToolMissing, "use a build with cgo and the Oracle client libraries", "this way to the database cannot run a workload")
}

// overheadQuestions warns and asks before anything runs on a database; typed
// says that a simulated instance was asked for.
func (rt *runtime) overheadQuestions(c *cli.Context, o *overhead.Oracle, works []overhead.Workload, typed bool) error {
	reads, yours := false, false
	for _, w := range works {
		reads, yours = reads || w.Flush, yours || w.Yours
	}
	if (reads || yours) && !strings.EqualFold(o.FilesystemIO, "setall") {
		rt.warnf("filesystemio_options is %q: the file system's cache answers reads that are meant to be IO-bound; SETALL avoids it", o.FilesystemIO)
	}
	if c.Bool("flush-buffer-cache") {
		if !reads {
			return exit.Errorf(exit.Usage, "leave it out, or add --workload long-io --make-schema NAME", "--flush-buffer-cache is for IO-bound workloads")
		}
		if err := rt.typeName(c.Context, "the buffer cache of all its users will be emptied again and again", o.DB); err != nil {
			return err
		}
	} else if reads {
		rt.warnf("without --flush-buffer-cache the IO-bound workloads read from the buffer cache")
	}
	if typed {
		return nil
	}
	if c.Bool("allow-null") && o.Unavailable(overhead.Null) == "" {
		rt.notef("null: links to %s will stand in %s while a value is measured; the .trm files are written still", os.DevNull, o.TraceDir)
	}
	return rt.confirm(c.Context, fmt.Sprintf("run %s on %s on %s, with SQL trace on for a part of the time", count(len(works), "workload"), o.DB, o.HostName))
}

// typeName asks for a name to be typed out. --yes does not answer it.
func (rt *runtime) typeName(ctx context.Context, why, name string) error {
	if !rt.isTerminal() {
		return exit.Errorf(exit.Refused, "run it on a terminal; --yes does not answer this", "no terminal to type the database's name: %s", why)
	}
	fmt.Fprintf(rt.stderr, "ringtrace: %s. Type the name of the database (%s) to go on: ", printable(why), printable(name))
	read := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(rt.stdin).ReadString('\n') // no line is the wrong name
		read <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(rt.stderr)
		return ctx.Err()
	case typed := <-read:
		if typed != name {
			return exit.Errorf(exit.Refused, "type "+name+", or leave out --flush-buffer-cache", "%q is not the name of the database", typed)
		}
		return nil
	}
}
