package control

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

const instanceMark = "ringtrace instance"

// instanceQuery tells where a conversation has landed. As SYSDBA both views
// can be read, also in a PDB.
const instanceQuery = "select '" + instanceMark + " ' || i.instance_number || '|' || d.dbid || '|' || d.db_unique_name || '|' || i.instance_name" +
	" from v$instance i, v$database d"

// Prove asks a new conversation which instance of which database it is on, and
// refuses it (exit 5) unless that is instance inst of p. ORADEBUG acts on the
// instance that one is connected to, and there an orapid is another process: a
// session of the meant instance would be taken for gone, and left armed. A
// service or SCAN address may lead to any instance, each time to another one.
func (p *Place) Prove(ctx context.Context, conv Conversation, inst int) error {
	lines, err := conv.Do(ctx, instanceQuery)
	if err != nil {
		return err
	}
	want := journal.Instance{InstID: inst}
	if in, ok := p.Instance(inst); ok {
		want = in
	}
	for _, l := range lines {
		id, db, ok := readInstance(l)
		if !ok {
			continue
		}
		meant := fmt.Sprintf("instance %s of %s", numbered(want), name(p.Database))
		if same, _ := p.Database.Same(db); !same {
			return strayed(fmt.Sprintf("instance %s of %s", numbered(id), name(db)), meant)
		}
		if id.InstID != inst || (want.InstanceName != "" && !strings.EqualFold(id.InstanceName, want.InstanceName)) {
			return strayed("instance "+numbered(id), "instance "+numbered(want))
		}
		return nil
	}
	return exit.Errorf(exit.CannotConnect, "connect as sysdba to the open instance itself", "the connection does not say which instance it is on: %q", strings.Join(lines, " "))
}

func strayed(got, want string) error {
	return exit.Errorf(exit.CannotConnect,
		"give an address that leads to that instance alone (its own host and SID, no service of several instances), or log on to its host and use / as sysdba",
		"the connection leads to %s, not to %s", got, want)
}

// numbered is an instance as people know it.
func numbered(in journal.Instance) string {
	if in.InstanceName == "" {
		return strconv.Itoa(in.InstID)
	}
	return fmt.Sprintf("%d (%s)", in.InstID, in.InstanceName)
}

// readInstance reads a line of the answer to instanceQuery.
func readInstance(line string) (journal.Instance, journal.Database, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), instanceMark+" ")
	part := strings.SplitN(rest, "|", 4)
	if !ok || len(part) != 4 {
		return journal.Instance{}, journal.Database{}, false
	}
	inst, err := strconv.Atoi(part[0])
	if err != nil {
		return journal.Instance{}, journal.Database{}, false
	}
	dbid, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil {
		return journal.Instance{}, journal.Database{}, false
	}
	return journal.Instance{InstID: inst, InstanceName: part[3]}, journal.Database{DBID: dbid, UniqueName: part[2]}, true
}
