package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/daemon"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/sqlplusd"
	"ringtrace/internal/sqlplus"
)

// drillDoor is where a drill gets its scratch sessions and scripts.
type drillDoor struct {
	scratch  func(context.Context) (control.Conversation, error)
	script   func(context.Context, []string) (string, error)
	swap     func(control.Conversation) error
	ordinary bool // the scratch session is no SYSDBA's
}

// simulatedDrill is the door of an instance in process.
func simulatedDrill(d *instance.Database, pool *engine.Pool) *drillDoor {
	in := d.Instances[0]
	return &drillDoor{
		scratch: func(context.Context) (control.Conversation, error) {
			e, err := pool.Get(in)
			if err != nil {
				return nil, err
			}
			return sim.ConverseAs(e, instance.Logon{User: "APP", Program: "ringtrace@" + in.Host, Machine: in.Host, OSUser: "oracle", Module: "ringtrace"})
		},
		script: func(ctx context.Context, lines []string) (string, error) {
			var out bytes.Buffer
			_, err := sqlplusd.Main(ctx, sqlplusd.Config{
				DB: d, Engine: pool.Get, Files: sqlplusd.Dir("."), OSAuth: true, Env: map[string]string{"ORACLE_SID": in.Name},
				Machine: in.Host, OSUser: "oracle", PID: "4711", Stdin: strings.NewReader(strings.Join(lines, "\n") + "\n"), Stdout: &out,
			}, []string{"-S", "-L", "/ as sysdba"})
			return out.String(), err
		},
		swap: func(c control.Conversation) error {
			s, ok := c.(*sim.Conversation)
			if !ok {
				return errors.New("not a conversation of the simulator")
			}
			return s.Switch()
		},
		ordinary: true,
	}
}

// scratchPassword names the password of --scratch-connect.
const scratchPassword = "RINGTRACE_PASSWORD_SCRATCH" // #nosec G101 -- the name of a variable

// scratchTarget reads --scratch-connect, before anything is connected: it may
// hold a password. nil if it was not given.
func scratchTarget(c *cli.Context) (*connect.Target, error) {
	text := c.String("scratch-connect")
	if text == "" {
		return nil, nil
	}
	t, err := connect.Parse(text)
	if err != nil {
		return nil, err
	}
	if !t.IsOracle() {
		return nil, exit.Errorf(exit.Usage, "give --scratch-connect user@host:port/service", "--scratch-connect %s is no connection of a database", t)
	}
	return &t, nil
}

// sqlplusDrill is the door through sqlplus children: the scratch session logs on
// with --scratch-connect, else as B does.
func (rt *runtime) sqlplusDrill(c *cli.Context, st *station, scratch *connect.Target) (*drillDoor, error) {
	t, err := rt.target()
	if err != nil {
		return nil, err
	}
	b, err := st.sqlplusOptions(c, t, nil)
	if err != nil {
		return nil, err
	}
	if b, err = st.instanceOptions(b, st.finder.InstID); err != nil {
		return nil, err
	}
	a := b
	d := &drillDoor{}
	switch {
	case scratch != nil:
		a.Target = *scratch
		a.Password, _ = rt.lookupEnv(scratchPassword)
		if a.Target.Kind == connect.Remote && a.Password == "" {
			return nil, exit.Errorf(exit.CannotConnect, "set "+scratchPassword, "no password for --scratch-connect")
		}
		d.ordinary = !a.Target.SYSDBA()
	case t.Kind == connect.Sim:
		client, err := dialSim(t.Address)
		if err != nil {
			return nil, err
		}
		if a, err = simScratch(a, client); err != nil {
			return nil, err
		}
		d.ordinary = true
	}
	d.scratch = func(ctx context.Context) (control.Conversation, error) { return sqlplus.Start(ctx, a) }
	d.script = func(ctx context.Context, lines []string) (string, error) { return rt.runScript(ctx, b, lines) }
	return d, nil
}

// simScratch logs on to a simulated instance that runs in a folder as one of
// its users.
func simScratch(o sqlplus.Options, client *daemon.Client) (sqlplus.Options, error) {
	places, err := placesOf(client)
	if err != nil {
		return o, err
	}
	o.Password = places.Password
	o.Target, err = connect.Parse("APP@localhost:1521/" + places.SID)
	return o, err
}

// runScript runs lines as the input of a sqlplus of their own; the password goes
// over standard input alone.
func (rt *runtime) runScript(ctx context.Context, o sqlplus.Options, lines []string) (string, error) {
	command, err := o.Target.Command(o.Password)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.Program, "-S", "-L", "/nolog")
	cmd.Env = append(withoutPasswords(o.Environ), "NLS_LANG=AMERICAN_AMERICA.AL32UTF8", "SQLPATH=", "ORACLE_PATH=")
	cmd.Stdin = strings.NewReader("set define off\n" + command + "\n" + strings.Join(lines, "\n") + "\nexit\n")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) { // the exit status is part of the experiment
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("run sqlplus: %w", err)
	}
	return string(out), nil
}

// drillFile reads a whole trace file, from here or through the database.
func (st *station) drillFile(ctx context.Context, path string) ([]byte, error) {
	if st.read != nil || st.local {
		f, err := st.openTrace(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(f)
	}
	v := &sight.Views{Q: st.q, InstID: st.finder.InstID}
	if err := v.Refresh(ctx); err != nil {
		return nil, err
	}
	if v.Missing() {
		return nil, exit.Errorf(exit.Refused, "run ringtrace drill on the database's host", "the database runs on another host, and has no V$DIAG_TRACE_FILE")
	}
	var data []byte
	for from := int64(0); ; {
		p, err := v.Look(ctx, sight.File{InstID: st.finder.InstID, Path: path}, from)
		if err != nil {
			return nil, err
		}
		data = append(data, p.Data...)
		if from = p.Next; !p.More {
			break
		}
	}
	if len(data) == 0 {
		return nil, &fs.PathError{Op: "open", Path: filepath.Base(path), Err: fs.ErrNotExist}
	}
	return data, nil
}
