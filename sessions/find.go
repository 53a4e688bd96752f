package sessions

import (
	"context"
	"fmt"
	"iter"
	"sort"
	"strings"
)

// Sessions lists every session of the database with the verdict on it, in the
// order inst_id, sid, serial#. Rows are not collected: *Row is overwritten by
// the next step (copy it to keep it), so a listing needs the same memory for
// ten sessions and for 100,000. The first error ends the sequence.
func (f *Finder) Sessions(ctx context.Context, sel *Selector) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := f.each(ctx, sel, yield); err != nil {
			yield(nil, err)
		}
	}
}

func (f *Finder) each(ctx context.Context, sel *Selector, yield func(*Row, error) bool) error {
	rows, err := f.startSessions(ctx, sel)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row Row
	var matched int
	ru := &Rules{Match: func(*Row) bool { return matched == 1 }, Maintained: f.IsMaintained, OwnAudSID: f.ownAudSID}
	var logon string
	dest := f.destinations(&row, &logon, &matched)
	seen := map[int]bool{}
	for rows.Next() {
		row = Row{}
		if err := rows.Scan(dest...); err != nil {
			return f.failed("V$SESSION", err)
		}
		if !f.RAC {
			row.InstID = f.InstID
		}
		seen[row.InstID] = true
		row.LogonTime = f.timeAt(logon)
		row.Evidence.Own = row.InstID == f.InstID && row.SID == f.ownSID
		ru.Judge(&row)
		if !yield(&row, nil) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return f.failed("V$SESSION", err)
	}
	f.missingInstances(seen)
	return nil
}

// startSessions sends the listing, over all instances if there are several.
func (f *Finder) startSessions(ctx context.Context, sel *Selector) (rowsCloser, error) {
	query, args, err := f.Capability.SessionsQuery(sel, f.RAC, f.InstID)
	if err != nil {
		return nil, err
	}
	rows, err := f.q.QueryContext(ctx, query, args...)
	if err == nil {
		return rows, nil
	}
	if f.RAC && ctx.Err() == nil && oraCode(err) != 0 {
		// No parallel slaves for GV$, or no grant on it: one instance is better than none.
		f.localOnly(err)
		return f.startSessions(ctx, sel)
	}
	if oraCode(err) == 904 && f.Capability.Containers {
		f.warn("the views lack a column that release %s should have (%v): the statement of 11.2 is used", f.Capability.Release, firstLineOf(err))
		f.Capability.Containers = false
		return f.startSessions(ctx, sel)
	}
	return nil, f.failed("V$SESSION", err)
}

// destinations are the scan targets, in the order of the statement's columns.
func (f *Finder) destinations(r *Row, logon *string, matched *int) []any {
	var inst []any
	if f.RAC {
		inst = []any{intCol{&r.InstID}}
	}
	e := &r.Evidence
	return append(inst,
		intCol{&r.SID}, intCol{&r.Serial}, int64Col{&e.AudSID},
		textCol{&r.Username}, textCol{&r.ServiceName}, textCol{&r.Program}, textCol{&r.Module}, textCol{&r.Action},
		textCol{&r.ClientIdentifier}, textCol{&r.ClientInfo}, textCol{&r.Machine}, textCol{&r.OSUser},
		textCol{&r.Status}, textCol{&r.Server}, textCol{&r.Type},
		textCol{logon}, textCol{&r.SQLID}, textCol{&r.ConName},
		textCol{&e.Paddr}, intCol{&e.OnProcess},
		intCol{&r.Orapid}, intCol{&r.ProcessSerial}, textCol{&r.Ospid}, textCol{&r.Stid}, textCol{&e.PName},
		flagCol{&e.Background}, textCol{&e.Image}, textCol{&r.Tracefile},
		intCol{matched},
	)
}

// missingInstances warns when GV$ answered for fewer instances than are up.
// Every instance has background sessions, but a PDB does not show them.
func (f *Finder) missingInstances(seen map[int]bool) {
	if !f.RAC || f.InPDB {
		return
	}
	var lack []string
	for _, in := range f.Instances {
		if !seen[in.InstID] {
			lack = append(lack, itoa(in.InstID))
		}
	}
	if len(lack) > 0 {
		f.warn("no session of instance %s was seen, although it is up: connect there to list them", strings.Join(lack, ", "))
	}
}

// Inventory collects the listing, sorted by inst_id, sid, serial#.
func (f *Finder) Inventory(ctx context.Context, sel *Selector) (*Inventory, error) {
	inv := &Inventory{Instances: f.Instances, Now: f.Now}
	notes := NewNotes(sel)
	for r, err := range f.Sessions(ctx, sel) {
		if err != nil {
			return nil, err
		}
		notes.Add(r)
		inv.Rows = append(inv.Rows, *r)
	}
	sort.SliceStable(inv.Rows, func(i, j int) bool { return inv.Rows[i].Key().Less(inv.Rows[j].Key()) })
	inv.Warnings = append(append(inv.Warnings, f.Warnings...), notes.Warnings()...)
	return inv, nil
}

// Less orders keys by inst_id, sid, serial#.
func (k Key) Less(o Key) bool {
	if k.InstID != o.InstID {
		return k.InstID < o.InstID
	}
	if k.SID != o.SID {
		return k.SID < o.SID
	}
	return k.Serial < o.Serial
}

// String prints sid,serial#,@inst, as ALTER SYSTEM KILL SESSION takes it.
func (k Key) String() string { return fmt.Sprintf("%d,%d,@%d", k.SID, k.Serial, k.InstID) }
