package sessions

import (
	"fmt"
	"strings"
)

// sanity collects values that are legal but look wrong.
type sanity struct {
	bigOrapid  []string // O01: an OS pid where V$PROCESS.PID belongs
	pidIsOSPid []string
	sameSID    int
	rows       int
}

// maxPlausibleOrapid: V$PROCESS.PID is a slot number below the PROCESSES
// parameter, for which 65535 would be an extreme value [general knowledge].
const maxPlausibleOrapid = 65535

func (s *sanity) row(r *Row) {
	s.rows++
	where := fmt.Sprintf("%d (line %d)", r.Orapid, r.Line)
	if r.Orapid > maxPlausibleOrapid {
		s.bigOrapid = append(s.bigOrapid, where)
	} else if r.Orapid != 0 && r.Ospid == itoa(r.Orapid) {
		s.pidIsOSPid = append(s.pidIsOSPid, where)
	}
}

func (s *sanity) warnings() []string {
	var out []string
	if n := len(s.bigOrapid); n > 0 {
		out = append(out, fmt.Sprintf("orapid %s looks like an operating-system pid: orapid is V$PROCESS.PID, the number "+
			"that ORADEBUG SETORAPID takes; SPID belongs into ospid", firstOf(s.bigOrapid)))
	}
	// One row may be a coincidence: on a small host both numbers can be equal.
	if n := len(s.pidIsOSPid); n > 1 || n == 1 && s.rows == 1 {
		out = append(out, fmt.Sprintf("orapid and ospid are the same number in %d rows, first %s: check that orapid is "+
			"V$PROCESS.PID and ospid V$PROCESS.SPID", n, firstOf(s.pidIsOSPid)))
	}
	if s.sameSID > 0 {
		out = append(out, fmt.Sprintf("%d rows repeat an (inst_id, sid) with another serial: the list was taken at two moments, "+
			"and at most one of each can be alive", s.sameSID))
	}
	return out
}

func firstOf(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// noteColumns remembers headings that are not used.
func (b *builder) noteColumns(names []string, columns []column) {
	for i, n := range names {
		switch {
		case columns[i] >= 0 || n == "":
		case isClientPID(n):
			b.clientID = strings.TrimSpace(n)
		default:
			b.ignored = append(b.ignored, quoteShort(strings.TrimSpace(n)))
		}
	}
}

// finish writes the inventory's warnings and the list of unverified columns.
func (b *builder) finish() {
	warn := func(format string, args ...any) {
		b.inv.Warnings = append(b.inv.Warnings, fmt.Sprintf(format, args...))
	}
	b.inv.noUsername = !b.has[colUsername]
	b.inv.Unverified = b.unverified()
	b.instances()
	if len(b.inv.Unverified) > 0 {
		warn("the list does not say %s of every session, so nobody checked it: what is not a living dedicated session "+
			"of an application may be among them", strings.Join(b.inv.Unverified, ", "))
	}
	if b.clientID != "" {
		warn("column %s is the client's process id and is not used: ORADEBUG needs V$PROCESS.PID", quoteShort(b.clientID))
	}
	if len(b.ignored) > 0 {
		warn("columns that are not used: %s", firstOf(b.ignored))
	}
	if b.dayOnly > 0 {
		warn("logon_time has no time of day in %d rows and is not used; %s", b.dayOnly, timeHint)
	}
	if b.noZone {
		warn("logon_time has no zone: its digits are taken as the database's own and printed with Z")
	}
	b.inv.Warnings = append(b.inv.Warnings, b.sanity.warnings()...)
}

// unverified lists the columns on which the never-a-target rules rest and
// which a row leaves open.
func (b *builder) unverified() []string {
	var out []string
	for _, c := range []column{colServer, colType, colStatus, colUsername} {
		open := !b.has[c]
		for i := range b.inv.Rows {
			if open {
				break
			}
			// An empty user name in a list that has the column means none.
			open = c != colUsername && *b.inv.Rows[i].textOf(c) == ""
		}
		if open {
			out = append(out, c.String())
		}
	}
	return out
}
