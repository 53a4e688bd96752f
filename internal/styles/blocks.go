package styles

import "ringtrace/internal/plan"

// The names that a generator's query gives to what differs from block to
// block, in braces.
const (
	colLabel = "{label}" // inst=1 sid=69 serial=46228 orapid=38 pserial=12 ospid=52490
	colOwner = "{owner}" // user name in comment-safe letters
	colPID   = "{pid}"
	colProof = "{proof}" // p.pid = 38 and p.serial# = 12 and p.spid = '52490'
	colOwn   = "{own}"   // s.sid = 69 and s.serial# = 46228 and s.logon_time = … and s.server = 'DEDICATED'
)

// otherDefine is the substitution character of a script that a generator
// writes: another one than the generator's own, which would replace it.
func otherDefine(own string) string {
	if own == "^" {
		return "~"
	}
	return "^"
}

// proofQuery selects word `session_event` if the process still carries that one
// session, else `help`, which sets nothing (DESIGN 4).
var proofQuery = []string{
	"define rt=help",
	"select case when count(*) = 1 and count(case when " + colOwn,
	"            then 1 end) = 1 then 'session_event' else 'help' end as rt",
	"  from v$process p join v$session s on s.paddr = p.addr where " + colProof + ";",
}

// armBlock is what a generator prints for each session.
func armBlock(events []string, define string) []string {
	lines := []string{"", "-- " + colLabel + " user " + colOwner, "prompt " + colLabel, "oradebug setmypid", "oradebug setorapid " + colPID}
	lines = append(lines, proofQuery...)
	for _, e := range events {
		lines = append(lines, "oradebug "+define+"rt "+e)
	}
	return append(lines, "oradebug tracefile_name", "oradebug eventdump session", "oradebug setmypid")
}

// disarmBlock is what an undo generator prints for each session.
func disarmBlock(events []plan.Event, define string) []string {
	off, ring, again := plan.OffLines(events)
	lines := []string{"", "-- " + colLabel + " user " + colOwner, "prompt " + colLabel, "oradebug setmypid", "oradebug setorapid " + colPID}
	lines = append(lines, proofQuery...)
	// What writes or closes the trace file follows the proof as well.
	lines = append(
		lines, "define rt_flush=help", "define rt_close=help",
		"select decode('"+define+"rt', 'help', 'help', 'flush') as rt_flush,",
		"       decode('"+define+"rt', 'help', 'help', 'close_trace') as rt_close from dual;",
		"oradebug eventdump session",
	)
	for _, list := range [][]string{off, ring} {
		for _, e := range list {
			lines = append(lines, "oradebug "+define+"rt "+e)
		}
	}
	lines = append(lines, "oradebug "+define+"rt_flush", "oradebug "+define+"rt_close")
	for _, e := range again {
		lines = append(lines, "oradebug "+define+"rt "+e)
	}
	return append(lines, "oradebug eventdump session", "oradebug "+define+"rt_close", "oradebug setmypid")
}

// expressions numbers the lines of a block as the arms of a CASE.
func expressions(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = concat(l)
		if l == "" {
			out[i] = "' '" // an empty text is NULL, and prints nothing useful either
		}
	}
	return out
}
