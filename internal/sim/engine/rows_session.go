package engine

import (
	"time"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/event"
	"ringtrace/internal/sim/instance"
)

type sessionColumn = column[*instance.Session]

// traced is what the SQL_TRACE columns show: DBMS_MONITOR's traces, and those
// set by ORADEBUG only if that is assumed (facts/views-and-sqlplus.md 2.6).
func traced(s *instance.Session, follows bool) event.Trace {
	if s.MonitorOn {
		return event.Trace{On: true, Waits: s.MonitorWaits, Binds: s.MonitorBinds}
	}
	if follows {
		return s.Events.SQLTrace()
	}
	return event.Trace{}
}

func sessionColumns(d *instance.Database, now time.Time) []sessionColumn {
	type s = *instance.Session
	follows := d.Assume.On(assume.TraceColumnFollows)
	userID := func(name string) any {
		for _, u := range d.Users {
			if u.Name == name {
				return u.ID
			}
		}
		return 0
	}
	return []sessionColumn{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SADDR", func(x s) any { return address(0x00000000A5C10000 + uint64(x.Inst.ID)<<32 + uint64(x.SID)*0x1640) }},
		{"SID", func(x s) any { return x.SID }},
		{"SERIAL#", func(x s) any { return x.Serial }},
		{"AUDSID", func(x s) any { return x.Audsid }},
		{"PADDR", func(x s) any {
			if x.Proc == nil {
				return address(0x00000000DEAD0000 + uint64(x.SID)) // matches no process
			}
			return address(x.Proc.Addr)
		}},
		{"USER#", func(x s) any { return userID(x.Username) }},
		{"USERNAME", func(x s) any { return null(x.Username) }},
		{"COMMAND", func(x s) any { return 3 * boolInt(x.SQLID != "") }},
		{"OWNERID", func(x s) any {
			if x.QC != nil {
				return x.QC.SID | x.QC.Inst.ID<<16
			}
			return 2147483644
		}},
		{"STATUS", func(x s) any { return x.Status }},
		{"SERVER", func(x s) any { return x.Server }},
		{"SCHEMA#", func(x s) any { return userID(x.Schema) }},
		{"SCHEMANAME", func(x s) any { return null(x.Schema) }},
		{"OSUSER", func(x s) any { return null(x.OSUser) }},
		{"PROCESS", func(x s) any { return null(x.ClientPID) }},
		{"MACHINE", func(x s) any { return null(x.Machine) }},
		{"PORT", func(x s) any { return 0 }},
		{"TERMINAL", func(x s) any { return null(x.Terminal) }},
		{"PROGRAM", func(x s) any { return null(x.Program) }},
		{"TYPE", func(x s) any { return x.Type }},
		{"SQL_ID", func(x s) any { return null(x.SQLID) }},
		{"SQL_CHILD_NUMBER", func(x s) any {
			if x.SQLID == "" {
				return nil
			}
			return 0
		}},
		{"SQL_ADDRESS", func(x s) any { return address(0) }},
		{"SQL_HASH_VALUE", func(x s) any { return 0 }},
		{"PREV_SQL_ID", func(x s) any { return null(x.PrevSQLID) }},
		{"MODULE", func(x s) any { return null(x.Module) }},
		{"ACTION", func(x s) any { return null(x.Action) }},
		{"CLIENT_INFO", func(x s) any { return null(x.ClientInfo) }},
		{"CLIENT_IDENTIFIER", func(x s) any { return null(x.ClientID) }},
		{"ROW_WAIT_OBJ#", func(x s) any { return -1 }},
		{"ROW_WAIT_FILE#", func(x s) any { return 0 }},
		{"ROW_WAIT_BLOCK#", func(x s) any { return 0 }},
		{"ROW_WAIT_ROW#", func(x s) any { return 0 }},
		{"LOGON_TIME", func(x s) any { return date(x.LogonTime) }},
		{"LAST_CALL_ET", func(x s) any { return max(0, int64(now.Sub(x.LastCall)/time.Second)) }},
		{"PDML_ENABLED", func(x s) any { return "NO" }},
		{"FAILOVER_TYPE", func(x s) any { return "NONE" }},
		{"FAILOVER_METHOD", func(x s) any { return "NONE" }},
		{"FAILED_OVER", func(x s) any { return "NO" }},
		{"PDML_STATUS", func(x s) any { return "DISABLED" }},
		{"PDDL_STATUS", func(x s) any { return "ENABLED" }},
		{"PQ_STATUS", func(x s) any { return "ENABLED" }},
		{"CURRENT_QUEUE_DURATION", func(x s) any { return 0 }},
		{"BLOCKING_SESSION_STATUS", func(x s) any { return "NO HOLDER" }},
		{"FINAL_BLOCKING_SESSION_STATUS", func(x s) any { return "NO HOLDER" }},
		{"EVENT", func(x s) any { return null(x.WaitEvent) }},
		{"WAIT_CLASS", func(x s) any { return yes(x.Status == "ACTIVE" && x.Type == "USER", "User I/O", "Idle") }},
		{"WAIT_TIME", func(x s) any { return 0 }},
		{"SECONDS_IN_WAIT", func(x s) any { return max(0, int64(now.Sub(x.LastCall)/time.Second)) }},
		{"STATE", func(x s) any { return "WAITING" }},
		{"SERVICE_NAME", func(x s) any { return null(x.Service) }},
		{"SQL_TRACE", func(x s) any { return yes(traced(x, follows).On, "ENABLED", "DISABLED") }},
		{"SQL_TRACE_WAITS", func(x s) any { return yes(traced(x, follows).Waits, "TRUE", "FALSE") }},
		{"SQL_TRACE_BINDS", func(x s) any { return yes(traced(x, follows).Binds, "TRUE", "FALSE") }},
		{"SQL_TRACE_PLAN_STATS", func(x s) any { return "FIRST EXEC" }},
		{"SESSION_EDITION_ID", func(x s) any { return 134 }},
		{"CREATOR_ADDR", func(x s) any { return address(x.CreatorAddr) }},
		{"CREATOR_SERIAL#", func(x s) any { return x.CreatorSerial }},
		{"CON_ID", func(x s) any { return x.ConID }},
		{"PLSQL_DEBUGGER_CONNECTED", func(x s) any { return "FALSE" }},
	}
}

// microsPerCall is the CPU time that a statement of a simulated session takes, without
// what its SQL trace costs.
const microsPerCall = 350

// timeModel gives each session its CPU and database time in microseconds.
func (e *Engine) timeModel(base string) ([][]any, []string) {
	type stat struct {
		s    *instance.Session
		id   int64
		name string
		v    int64
	}
	var items []stat
	for _, s := range e.allSessions() {
		traced := s.TraceCPU.Microseconds()
		items = append(items, stat{s, 3649082374, "DB time", s.Calls*microsPerCall*2 + traced}, stat{s, 2748282437, "DB CPU", s.Calls*microsPerCall + traced})
	}
	return project(e, base, items, []column[stat]{
		{"INST_ID", func(x stat) any { return x.s.Inst.ID }},
		{"SID", func(x stat) any { return x.s.SID }},
		{"STAT_ID", func(x stat) any { return x.id }},
		{"STAT_NAME", func(x stat) any { return x.name }},
		{"VALUE", func(x stat) any { return x.v }},
		{"CON_ID", func(x stat) any { return x.s.ConID }},
	})
}

func pxColumns() []sessionColumn {
	type s = *instance.Session
	return []sessionColumn{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SADDR", func(x s) any { return address(0x00000000A5C10000 + uint64(x.Inst.ID)<<32 + uint64(x.SID)*0x1640) }},
		{"SID", func(x s) any { return x.SID }},
		{"SERIAL#", func(x s) any { return x.Serial }},
		{"QCSID", func(x s) any { return x.QC.SID }},
		{"QCSERIAL#", func(x s) any { return x.QC.Serial }},
		{"QCINST_ID", func(x s) any { return x.QC.Inst.ID }},
		{"SERVER_GROUP", func(x s) any { return 1 }},
		{"SERVER_SET", func(x s) any { return 1 }},
		{"SERVER#", func(x s) any { return 1 }},
		{"DEGREE", func(x s) any { return 1 }},
		{"REQ_DEGREE", func(x s) any { return 1 }},
		{"CON_ID", func(x s) any { return x.ConID }},
	}
}

func pxProcessColumns() []sessionColumn {
	type s = *instance.Session
	return []sessionColumn{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SERVER_NAME", func(x s) any { return x.Proc.Pname }},
		{"STATUS", func(x s) any { return "IN USE" }},
		{"PID", func(x s) any { return x.Proc.Orapid }},
		{"SPID", func(x s) any { return x.Proc.Spid }},
		{"SID", func(x s) any { return x.SID }},
		{"SERIAL#", func(x s) any { return x.Serial }},
		{"IS_GV", func(x s) any { return "FALSE" }},
		{"CON_ID", func(x s) any { return x.ConID }},
	}
}

func connectInfoColumns() []sessionColumn {
	type s = *instance.Session
	return []sessionColumn{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SID", func(x s) any { return x.SID }},
		{"SERIAL#", func(x s) any { return x.Serial }},
		{"AUTHENTICATION_TYPE", func(x s) any { return yes(x.Sysdba, "OS", "DATABASE") }},
		{"OSUSER", func(x s) any { return null(x.OSUser) }},
		{"NETWORK_SERVICE_BANNER", func(x s) any { return "TCP/IP NT Protocol Adapter for Linux" }},
		{"CLIENT_CHARSET", func(x s) any { return "AL32UTF8" }},
		{"CLIENT_CONNECTION", func(x s) any { return "Heterogeneous" }},
		{"CLIENT_DRIVER", func(x s) any { return null(x.ClientDriver) }},
		{"CON_ID", func(x s) any { return x.ConID }},
	}
}
