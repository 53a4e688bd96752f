package instance

import (
	"fmt"
	"strings"
	"time"
)

// Lock is one side of a deadlock: who holds the resource, and the row that the
// other one waits for.
type Lock struct {
	Holder *Session
	ID1    uint32 // undo segment << 16 | slot
	ID2    uint32 // sequence
	Slot   int    // of the row that the other session waits for
}

// DeadlockObject is the table that simulated sessions lock each other out of.
const (
	DeadlockObject = 73132
	deadlockFile   = 4
	deadlockBlock  = 3471
)

// Deadlock writes the graph that a session writes when it finds itself in a
// deadlock, before ORA-00060 is raised in it (facts/trace-format.md 11). The
// victim holds the first lock and waits for the second. extended is the form of
// 26ai, whose serial numbers are the last column of each side.
func (d *Database) Deadlock(victim, other Lock, extended bool, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, o := victim.Holder, other.Holder
	p := v.Proc
	if p == nil || p.dead || o.Proc == nil {
		return
	}
	p.traced = later(p.traced, at)
	var b strings.Builder
	fmt.Fprintf(&b, "%sDEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\n\nDeadlock graph:\n", p.dumpHead())
	if extended {
		b.WriteString("                                          ------------Blocker(s)-----------  ------------Waiter(s)------------\n" +
			"Resource Name                             process session holds waits serial  process session holds waits serial\n")
	} else {
		b.WriteString("                       ---------Blocker(s)--------  ---------Waiter(s)---------\n" +
			"Resource Name          process session holds waits  process session holds waits\n")
	}
	for _, l := range [][2]Lock{{victim, other}, {other, victim}} {
		h, w := l[0].Holder, l[1].Holder
		if extended {
			fmt.Fprintf(&b, "TX-%08X-%08X-00000000-00000000 %10d %7d     X       %6d %8d %7d           X %6d\n",
				l[0].ID1, l[0].ID2, h.Proc.Orapid, h.SID, h.Serial, w.Proc.Orapid, w.SID, w.Serial)
		} else {
			fmt.Fprintf(&b, "TX-%08X-%08X   %7d %7d     X             %7d %7d           X\n", l[0].ID1, l[0].ID2, h.Proc.Orapid, h.SID, w.Proc.Orapid, w.SID)
		}
	}
	did := func(s *Session) string { return fmt.Sprintf("DID %04X-%04X-%08X", s.Inst.ID, s.Proc.Orapid, s.Serial) }
	fmt.Fprintf(&b, "\nsession %d: %s\tsession %d: %s\nsession %d: %s\tsession %d: %s\n\nRows waited on:\n", v.SID, did(v), o.SID, did(o), o.SID, did(o), v.SID, did(v))
	for _, w := range []struct {
		s    *Session
		slot int
	}{{v, other.Slot}, {o, victim.Slot}} {
		fmt.Fprintf(&b, "  Session %d: obj - rowid = %08X - AAAR2sAAEAAAA2PAA%c\n  (dictionary objn - %d, file - %d, block - %d, slot - %d)\n",
			w.s.SID, DeadlockObject, 'A'+w.slot, DeadlockObject, deadlockFile, deadlockBlock, w.slot)
	}
	user := 0
	for _, u := range d.Users {
		if u.Name == o.Username {
			user = u.ID
		}
	}
	fmt.Fprintf(&b, "\n----- Information for the OTHER waiting sessions -----\nSession %d:\n  sid: %d ser: %d audsid: %d user: %d/%s\n    pid: %d O/S info: user: oracle, term: UNKNOWN, ospid: %s\n  current SQL:\n  %s\n\n"+
		"----- End of information for the OTHER waiting sessions -----\n\nInformation for THIS session:\n\n----- Current SQL Statement for this session (sql_id=%s) -----\n%s\n\n",
		o.SID, o.SID, o.Serial, o.Audsid, user, o.Username, o.Proc.Orapid, o.Proc.Spid, o.SQLText, v.SQLID, v.SQLText)
	p.write(b.String())
	d.version++
}
