package oradebug

// defaultHint says what to write where the place of the fault alone did not:
// a refusal always says what to do next.
func defaultHint(ora int) string {
	switch ora {
	case 49101:
		return "an action looks like errorstack(3); actions are parted by blanks, events by ':'"
	case 49102:
		return "no such action; they look like errorstack(3), trace_buffer_off(1), incident(\"label\")"
	case 49103:
		return "give the argument that is missing"
	case 49104, 49105, 49106, 49167:
		return "check the arguments: name=value or value, parted by ','"
	case 49107:
		return "the text ends too early: close what is open"
	case 49108:
		return "an event is a number (942), a name (sql_trace, trace[…], wait_event[…]) or an alias (deadlock)"
	case 49109:
		return "libraries are rdbms, generic, diag, plsql, client, oranet, advcmp, libcell, xdk, vplib, fplib"
	case 49110:
		return "shorten the text"
	case 49114, 49162:
		return "a scope looks like [sql: g3yc1js3g2689]"
	case 49115:
		return "give the target in brackets behind the name"
	case 49158, 49169:
		return "a filter looks like {process: pname=p000}; leave the braces out if there is none"
	case 49163:
		return "begin with the event, as in 942 errorstack(3)"
	case 49164:
		return "an event number is 1 to 65535"
	case 49166:
		return "write immediate first, and join events with ':'"
	case 49171:
		return "an action that returns nothing cannot be an argument"
	case 49170:
		return "give a plain value; only filters and actions take an action as argument"
	case 49172:
		return "nest fewer actions"
	}
	return "the language is described in docs/oradebug-language.md"
}
