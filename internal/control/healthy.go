package control

import (
	"context"
	"fmt"

	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// Healthy looks, between two waves, at what was armed so far: the first ones
// are still there, nobody waits for an ORADEBUG request, and no trace file
// holds SQL trace that a ring should have held back. What stands before the
// markers of our own commands is of an earlier campaign. An *AbortError says
// what is wrong; what cannot be seen is no reason to stop.
func Healthy(ctx context.Context, q sessions.Querier, armed []Result, files *Proof) error {
	rows, err := textRows(ctx, q, "select count(*) from gv$session where event = 'oradebug request completion' and state = 'WAITING'")
	if err == nil && len(rows) > 0 && atoi(rows[0][0]) > 0 {
		return &AbortError{quantity.Count(atoi(rows[0][0]), "session") + " waiting for oradebug request completion"}
	}
	if err := alive(ctx, q, armed); err != nil {
		return err
	}
	for i := range armed {
		r := &armed[i]
		if files == nil || files.Ends == nil || r.Ring != journal.RingOnAssumed {
			continue
		}
		found, _, err := sight.Whole(ctx, files.Ends, files.fileOf(Target{Key: r.Key, Process: r.Process}, r.Tracefile), 0, nil)
		if err == nil && found.Fresh > 0 && len(found.Dumps) == 0 {
			return &AbortError{fmt.Sprintf("SQL trace of session %s reaches %s at once: its ring does not hold it back", r.Key, r.Tracefile)}
		}
	}
	return nil
}

// alive stops the run when every session armed so far has ended: one may log
// off by itself, all of them hardly.
func alive(ctx context.Context, q sessions.Querier, armed []Result) error {
	if len(armed) == 0 {
		return nil
	}
	rows, err := textRows(ctx, q, "select inst_id, sid, serial# from gv$session where type = 'USER'")
	if err != nil {
		return nil //nolint:nilerr // what cannot be seen is no reason to stop
	}
	there := map[string]bool{}
	for _, r := range rows {
		there[r[0]+" "+r[1]+" "+r[2]] = true
	}
	for i := range armed {
		k := armed[i].Key
		if there[fmt.Sprintf("%d %d %d", k.InstID, k.SID, k.Serial)] {
			return nil
		}
	}
	return &AbortError{fmt.Sprintf("what was armed so far has ended (%s, the first is %s)", quantity.Count(len(armed), "session"), armed[0].Key)}
}
