package explain

import (
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/oraerr"
	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// eventMeaning says what the event itself is.
func eventMeaning(e *oradebug.Event) string {
	switch {
	case e.Immediate:
		return "done at once by the target, nothing stays set"
	case e.ID.Kind == oradebug.KindVariable:
		return "a substitution variable: nothing can be said before it is replaced"
	case e.Off:
		return "switched off: " + subject(e)
	}
	return subject(e)
}

func subject(e *oradebug.Event) string {
	if e.ID.Kind != oradebug.KindName {
		return numberMeaning(e.ID.Number)
	}
	switch e.ID.Name {
	case "sql_trace":
		return "SQL trace"
	case "trace":
		return "kernel trace of the components named"
	case "wait_event":
		return "met each time the wait ends"
	case "kg_event":
		if len(e.Target) == 1 {
			if n, err := strconv.Atoi(e.Target[0].Text); err == nil {
				return numberMeaning(n)
			}
		}
		return "met when the error is raised"
	case "plsql_event":
		return "met when the PL/SQL error is raised"
	case "periodic_dump":
		return "met again and again after some seconds"
	case "sql_monitor":
		return "real-time SQL monitoring"
	case "trace_recursive":
		return "forces tracing of recursive SQL statements"
	case "clean_plsql_error_stack":
		return "takes the ORA-06512 lines out of the error stack"
	}
	if c, ok := catalog.LookupEvent(e.ID.Name); ok && c.Risk == catalog.Dangerous {
		return "simulates or injects faults"
	}
	return "an event of library " + libraryOf(e.ID.Name)
}

func libraryOf(name string) string {
	c, _ := catalog.LookupEvent(name)
	return c.Library
}

func numberMeaning(n int) string {
	c := oraerr.Describe(n)
	switch {
	case c.Mapped:
		return fmt.Sprintf("numeric event %d, which 11g and later turn into a named one", n)
	case c.IsEvent:
		return fmt.Sprintf("numeric event %d", n)
	case c.Text != "":
		return fmt.Sprintf("met when ORA-%05d is raised: %s", n, c.Text)
	}
	return fmt.Sprintf("met when ORA-%05d is raised", n)
}

// actionTexts are restated from facts/oradebug.md 1.4, 3.4, 3.5 and 4.
var actionTexts = map[string]string{
	"trace_buffer_on":    "writes the process's trace into a circular buffer in memory instead of the file",
	"trace_buffer_off":   "writes the buffer to the trace file and gives its memory back: the ring is gone after that, the trace is not",
	"context":            "dumps nothing: hands the level to the code that tests the event",
	"processstate":       "process state dump",
	"systemstate":        "state of all processes: slow and large",
	"hanganalyze":        "who waits for whom on this instance",
	"hanganalyze_global": "who waits for whom on all instances",
	"hanganalyze_proc":   "who this process waits for",
	"callstack":          "call stack; level above 1 with arguments",
	"record_callstack":   "records the last frames of the call stack",
	"cursordump":         "cursors",
	"contextarea":        "context areas of cursors",
	"heapdump":           "memory heaps; the level is a sum of 1 PGA, 2 SGA, 4 UGA, 8 CGA, 16 top CGA, 32 large pool, +1024 contents",
	"pga_summary":        "PGA summary",
	"latches":            "latches",
	"incident":           "creates an incident with its own dump",
	"eventdump":          "lists the events that are set",
	"trace":              "writes a line of text to the trace; each % is replaced by the next argument",
	"shortstack":         "the call stack as text",
	"crash":              "ends the process",
	"debugger":           "stops the process for a debugger",
	"debug":              "stops the process for a debugger",
	"oradebug":           "suspends the process for debugging",
	"kill_instance":      "kills the instance",
	"controlc_signal":    "raises ORA-01013 in the process",
	"flashfreeze":        "freezes the instance",
	"all":                "all names of the event",
}

// errorstackLevels is facts/oradebug.md 4.
var errorstackLevels = []string{
	"the error stack",
	"error stack and call stack",
	"error stack, call stack and process state",
	"error stack, call stack, process state and cursors with their bind values",
}

func actionMeaning(a *oradebug.Action) string {
	if a.Name == "errorstack" {
		return errorstackMeaning(a)
	}
	s, ok := actionTexts[a.Name]
	if !ok {
		if c, known := catalog.LookupAction(a.Name); known {
			s = "action " + a.Name + " of library " + c.Library
			if c.Caution != "" {
				s += ": " + c.Caution
			}
		} else if _, known := catalog.LookupDump(a.Name); known {
			s = "dump " + a.Name
		} else {
			s = "replaced before Oracle sees it"
		}
	}
	return s + bounds(a)
}

func errorstackMeaning(a *oradebug.Action) string {
	if _, off := a.Arg("off"); off {
		return "errorstack off"
	}
	level := 1
	if l, ok := a.Arg("level"); ok {
		n, err := strconv.Atoi(l)
		if err != nil {
			return "dumps the error stack" + bounds(a)
		}
		level = n
	}
	return "dumps " + errorstackLevels[min(max(level, 0), 3)] + bounds(a)
}

// bounds says how often an old-style name is done.
func bounds(a *oradebug.Action) string {
	var out []string
	if n, ok := a.Arg("lifetime"); ok {
		out = append(out, "at most "+n+" times")
	}
	if n, ok := a.Arg("after"); ok {
		out = append(out, "from the time after the first "+n)
	}
	if _, ok := a.Arg("off"); ok && a.Name != "errorstack" {
		out = append(out, "switched off")
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// actionRisk is the worse of what the catalogue says of the action and of the
// dump of that name.
func actionRisk(a *oradebug.Action) catalog.Risk {
	if c, ok := catalog.LookupAction(a.Name); ok {
		return c.Risk
	}
	if d, ok := catalog.LookupDump(a.Name); ok {
		switch d.Class {
		case catalog.DumpDangerous:
			return catalog.Dangerous
		case catalog.DumpHeavy, catalog.DumpOther:
			return catalog.Risky
		}
	}
	return catalog.Safe
}

// paramMeaning says what a parameter of a named event does.
func paramMeaning(event, name, value string) string {
	if event != "sql_trace" && name != "level" {
		return ""
	}
	switch name {
	case "wait":
		return map[string]string{"true": "with waits", "false": "without waits"}[value]
	case "bind":
		return map[string]string{"true": "with bind values: they reach the disk when the trace does", "false": "without bind values"}[value]
	case "plan_stat":
		return map[string]string{
			"never": "no row source statistics", "first_execution": "row source statistics of the first execution",
			"all_executions": "row source statistics of every execution", "adaptive": "row source statistics now and then",
		}[value]
	case "level":
		if event == "sql_trace" || event == "10046" {
			return traceLevel(value)
		}
	}
	return ""
}

// traceLevel is facts/oradebug.md 3.8.
func traceLevel(value string) string {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return ""
	}
	out := []string{"calls"}
	for _, b := range []struct {
		bit  int
		text string
	}{{4, "binds"}, {8, "waits"}, {16, "row source statistics of every execution"}, {32, "no row source statistics"}, {64, "row source statistics now and then"}} {
		if n&b.bit != 0 {
			out = append(out, b.text)
		}
	}
	return strings.Join(out, ", ")
}

// filterMeaning says what a filter lets through.
func filterMeaning(f oradebug.Filter) string {
	if len(f.Alternatives) != 1 {
		return "any of these"
	}
	t := f.Alternatives[0]
	get := func(name string) string {
		for i := range t.Args {
			if t.Args[i].Name == name {
				return t.Args[i].Value.String()
			}
		}
		return ""
	}
	switch t.Name {
	case "occurence":
		switch start, end := get("start_after"), get("end_after"); {
		case start != "" && end != "":
			return fmt.Sprintf("starts after %s and ends after %s times; 1, 1 is once", start, end)
		case end != "":
			return "ends after " + end + " times"
		default:
			return "starts after " + start + " times"
		}
	case "process":
		return "in this process only"
	case "callstack":
		return "under this function only"
	case "errarg":
		return "for these error arguments only"
	case "wait":
		return "for waits like this only"
	case "pgadep":
		return "at this depth of recursion only"
	}
	return "if this holds"
}
