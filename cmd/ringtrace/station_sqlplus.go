package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim/daemon"
	"ringtrace/internal/sqlplus"
	"ringtrace/sessions"
)

// openSQLPlus reaches a real database, or a simulated one that runs in a
// folder: ORADEBUG goes through a sqlplus child for each instance.
func (st *station) openSQLPlus(c *cli.Context, t connect.Target, others map[int]connect.Target) error {
	if t.IsOracle() && !t.SYSDBA() {
		return exit.Errorf(exit.NotAllowed, "type it with the role: -c '"+t.String()+" as sysdba'", "ORADEBUG needs SYSDBA, and %s does not ask for it", t)
	}
	d, err := st.rt.openDoor(c, t)
	if err != nil {
		return err
	}
	st.q = d
	st.closers = append(st.closers, d.close)
	st.others = others
	dialogue, closeDialogue, err := openDialogue(c.String("dialogue"))
	if err != nil {
		return err
	}
	st.closers = append(st.closers, closeDialogue)
	base, err := st.sqlplusOptions(c, t, dialogue)
	if err != nil {
		return err
	}
	st.local = t.Kind == connect.Sim
	st.dial = func(ctx context.Context, inst int) (control.Conversation, error) {
		o, err := st.instanceOptions(base, inst)
		if err != nil {
			return nil, err
		}
		return sqlplus.Start(ctx, o)
	}
	return nil
}

// sqlplusOptions say which sqlplus is started for the main connection.
func (st *station) sqlplusOptions(c *cli.Context, t connect.Target, dialogue io.Writer) (sqlplus.Options, error) {
	rt := st.rt
	o := sqlplus.Options{
		Target: t, Environ: rt.environ, Module: sessions.OwnModule, Action: c.Command.Name,
		ConnectTimeout: durationOf(c, "connect-timeout"), Timeout: st.timeout, Dialogue: dialogue, Now: rt.now,
	}
	if t.Kind == connect.Sim {
		client, err := dialSim(t.Address)
		if err != nil {
			return o, err
		}
		o.Program = filepath.Join(client.Layout.Bin(), "sqlplus")
		o.Target = connect.Target{Kind: connect.Local, Role: "SYSDBA"}
		o.Environ = append(append([]string{}, rt.environ...), "ORACLE_HOME="+client.Layout.Home(), "TWO_TASK=")
		return o, st.simInstances(client)
	}
	var err error
	if o.Program, _, err = rt.findSqlplus(c.String("sqlplus")); err != nil {
		return o, err
	}
	if t.Kind == connect.Remote {
		o.Password, err = rt.password(c, t)
	}
	return o, err
}

// instanceOptions changes the options of the main connection to those of one
// instance.
func (st *station) instanceOptions(o sqlplus.Options, inst int) (sqlplus.Options, error) {
	if sid := st.simSIDs[inst]; sid != "" {
		o.Environ = append(append([]string{}, o.Environ...), "ORACLE_SID="+sid)
		return o, nil
	}
	if inst == st.finder.InstID {
		return o, nil
	}
	t, ok := st.others[inst]
	if !ok {
		host, sid := st.hostOf(inst)
		return o, exit.Errorf(exit.CannotConnect, fmt.Sprintf("give %s with its service (the password in RINGTRACE_PASSWORD_%d), or log on to %s and run it there with ORACLE_SID=%s and the same --state-dir",
			st.instanceFlag(inst), inst, host, sid),
			"ORADEBUG acts on the instance that one is connected to, and nothing says how to reach instance %d", inst)
	}
	o.Target = t
	if t.Kind == connect.Remote {
		name := "RINGTRACE_PASSWORD_" + strconv.Itoa(inst)
		pw, ok := st.rt.lookupEnv(name)
		if !ok {
			return o, exit.Errorf(exit.CannotConnect, "set "+name, "no password for instance %d", inst)
		}
		o.Password = pw
	}
	return o, nil
}

// hostOf names the host and the ORACLE_SID of an instance, as far as they are known.
func (st *station) hostOf(inst int) (host, sid string) {
	in, _ := st.place.Instance(inst)
	if host, sid = in.HostName, in.InstanceName; host == "" {
		host = "HOST"
	}
	if sid == "" {
		sid = "SID"
	}
	return host, sid
}

// instanceFlag is the flag that reaches an instance; its service is to be filled in.
func (st *station) instanceFlag(inst int) string {
	host, _ := st.hostOf(inst)
	return "--instance-connect " + quoteArg(fmt.Sprintf("%d=sys@%s:1521/SERVICE as sysdba", inst, host))
}

// wayTo is what has to be given besides to reach all instances on which the
// campaigns may have left something: the same line again would only fail again.
func (st *station) wayTo(campaigns []*journal.Campaign) string {
	if st.others == nil {
		return "" // all are reached
	}
	way, said := "", map[int]bool{st.finder.InstID: true}
	for _, k := range campaigns {
		for _, s := range k.OpenSessions() {
			inst := s.Session.InstID
			_, known := st.others[inst]
			if _, there := st.place.Instance(inst); said[inst] || known || !there || st.simSIDs[inst] != "" {
				continue
			}
			said[inst] = true
			way += " " + st.instanceFlag(inst)
		}
	}
	return way
}

// instanceConnects reads --instance-connect.
func instanceConnects(values []string) (map[int]connect.Target, error) {
	out := map[int]connect.Target{}
	for _, v := range values {
		inst, text, ok := strings.Cut(v, "=")
		n, err := strconv.Atoi(strings.TrimSpace(inst))
		if !ok || err != nil || n < 1 {
			return nil, exit.Errorf(exit.Usage, "give it as --instance-connect '2=sys@host2:1521/service as sysdba'", "--instance-connect needs INST=CONNECT")
		}
		t, err := connect.Parse(text)
		if err != nil {
			return nil, err
		}
		if !t.IsOracle() || !t.SYSDBA() {
			return nil, exit.Errorf(exit.Usage, "give a connection as sysdba", "--instance-connect %d: %s cannot run ORADEBUG", n, t)
		}
		if _, twice := out[n]; twice {
			return nil, exit.Errorf(exit.Usage, "give one connection for each instance", "--instance-connect names instance %d twice", n)
		}
		out[n] = t
	}
	return out, nil
}

// simInstances notes the ORACLE_SIDs of a simulated database.
func (st *station) simInstances(client *daemon.Client) error {
	var places daemon.Places
	data, err := client.Do(context.Background(), daemon.Request{Op: "ping"})
	if err == nil {
		err = json.Unmarshal(data, &places)
	}
	if err != nil {
		return exit.Errorf(exit.CannotConnect, "start it again: ringtrace sim up --dir "+quoteArg(client.Layout.Dir), "%w", err)
	}
	st.simSIDs = map[int]string{}
	for _, p := range places.Instances {
		st.simSIDs[p.InstID] = p.SID
	}
	return nil
}
