package catalog

import (
	"strings"
	"testing"
)

// The counts are those of facts/oradebug.md appendix A and 3.3.
func TestCounts(t *testing.T) {
	perLibrary := func(libs []string) map[string]int {
		m := map[string]int{}
		for _, l := range libs {
			m[l]++
		}
		return m
	}
	var actions, events, components []string
	for _, a := range Actions() {
		actions = append(actions, a.Library)
	}
	for _, e := range Events() {
		events = append(events, e.Library)
	}
	for _, c := range Components() {
		components = append(components, c.Library)
	}
	check := func(what string, got map[string]int, want map[string]int) {
		t.Helper()
		for lib, n := range want {
			if got[lib] != n {
				t.Errorf("%s of %s: %d, want %d", what, lib, got[lib], n)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: libraries %v", what, got)
		}
	}
	// 38 DIAG names minus skipframes and showoffsets, which are parameters.
	check("actions", perLibrary(actions), map[string]int{"rdbms": 172, "diag": 36, "generic": 4, "client": 3})
	check("events", perLibrary(events), map[string]int{
		"advcmp": 25, "client": 1, "vplib": 5, "rdbms": 29, "plsql": 1, "diag": 7, "generic": 1, "fplib": 1, "libcell": 10,
	})
	check("components", perLibrary(components), map[string]int{
		"rdbms": 394, "generic": 79, "diag": 28, "plsql": 21, "oranet": 18, "client": 11, "advcmp": 5, "libcell": 5, "xdk": 4, "vplib": 3,
	})
	if n := len(Commands()); n < 60 {
		t.Errorf("%d commands", n)
	}
	if n := len(Aliases()); n != 25 {
		t.Errorf("%d aliases", n)
	}
}

func TestCommandTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Commands() {
		if seen[c.Name] || c.Name != strings.ToUpper(c.Name) {
			t.Errorf("%s is twice in the table or not in upper case", c.Name)
		}
		seen[c.Name] = true
		if c.Meaning == "" || c.Since == "" {
			t.Errorf("%s has no meaning or no release", c.Name)
		}
		if (c.Risk == Safe) != (c.Caution == "") {
			t.Errorf("%s is %s but its caution is %q", c.Name, c.Risk, c.Caution)
		}
		if c.Max >= 0 && c.Min > c.Max {
			t.Errorf("%s takes %d to %d arguments", c.Name, c.Min, c.Max)
		}
		if got, ok := LookupCommand(strings.ToLower(c.Name)); !ok || got.Name != c.Name {
			t.Errorf("%s is not found in lower case", c.Name)
		}
	}
	for _, name := range []string{"SUSPEND", "POKE", "SETVAR", "CALL", "FFBEGIN", "NSDBX", "WATCH", "IPC_CHECKSUM", "PATCH", "PROT", "UNIT_TEST", "SGATOFILE"} {
		if c, _ := LookupCommand(name); c.Risk != Dangerous {
			t.Errorf("%s must be dangerous", name)
		}
	}
	for _, name := range []string{"DUMP", "EVENT", "SESSION_EVENT", "TRACEFILE_NAME", "UNLIMIT", "FLUSH", "EVENTDUMP"} {
		if c, _ := LookupCommand(name); !c.Target {
			t.Errorf("%s needs a target", name)
		}
	}
	for _, name := range []string{"HELP", "SETMYPID", "SETORAPID", "DUMPLIST", "SETINST", "HANGANALYZE"} {
		if c, _ := LookupCommand(name); c.Target {
			t.Errorf("%s needs no target", name)
		}
	}
}

// facts/oradebug.md 1.4.
func TestDumpClasses(t *testing.T) {
	for name, want := range map[string]DumpClass{
		"errorstack": DumpProcess, "PROCESSSTATE": DumpProcess, "trace_buffer_on": DumpProcess, "sqlnet_server_trace": DumpProcess,
		"systemstate": DumpHeavy, "hanganalyze_global": DumpHeavy, "controlf": DumpHeavy, "kstdumpallprocs_cluster": DumpHeavy,
		"adjust_scn": DumpDangerous, "tr_crash_after_write": DumpDangerous, "krb_corrupt_size": DumpDangerous, "krb_piece_fail": DumpDangerous,
		"mman_alloc_memory": DumpDangerous, "test_stack_dump": DumpDangerous, "awr_test": DumpDangerous, "asmdisk_err_on": DumpDangerous,
		"open_files": DumpOther, "bg_messages": DumpOther,
	} {
		d, ok := LookupDump(name)
		if !ok || d.Class != want || d.Name != strings.ToUpper(name) {
			t.Errorf("%s: %+v, %v; want %s", name, d, ok, want)
		}
	}
	for _, bad := range []string{"", "krb_*", "errorstck", "nosuch_dump"} {
		if d, ok := LookupDump(bad); ok {
			t.Errorf("%q is %+v", bad, d)
		}
	}
	if n := len(Dumps()); n < 180 {
		t.Errorf("%d dump names, the 19c list has about 190", n)
	}
}

func TestActionTable(t *testing.T) {
	for name, sig := range signatures {
		if _, ok := LookupAction(name); !ok {
			t.Errorf("signature of unknown action %s", name)
		}
		for _, p := range sig.params {
			if p.Type == "enum" && len(p.Values) == 0 {
				t.Errorf("%s(%s) allows nothing", name, p.Name)
			}
		}
	}
	for line := range strings.Lines(actionRiskText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		names, caution, ok := strings.Cut(rest, ":")
		if (word != "dangerous" && word != "risky") || !ok || strings.TrimSpace(caution) == "" {
			t.Errorf("bad line %q", line)
		}
		for _, n := range strings.Fields(names) {
			if a, ok := LookupAction(n); !ok || a.Risk == Safe {
				t.Errorf("risk of unknown action %s", n)
			}
		}
	}
	for _, n := range []string{"crash", "debugger", "oradebug", "kill_instance", "poke_value", "drop_segments", "set_afn"} {
		if a, _ := LookupAction(n); a.Risk != Dangerous {
			t.Errorf("%s is %s", n, a.Risk)
		}
	}
	for _, a := range Actions() { // the families of class D in facts/oradebug.md 3.4
		family := false
		for _, p := range []string{"poke_", "flush_", "set_", "asm_"} {
			family = family || strings.HasPrefix(a.Name, p)
		}
		if family && a.Risk != Dangerous {
			t.Errorf("%s is %s", a.Name, a.Risk)
		}
		// One name means one thing, whether DUMP or an event is given it.
		d, isDump := LookupDump(a.Name)
		switch {
		case !isDump || a.DDE:
		case a.Risk == Dangerous && d.Class != DumpDangerous:
			t.Errorf("the action %s is dangerous, the dump is of class %s", a.Name, d.Class)
		case d.Class == DumpHeavy && a.Risk == Safe:
			t.Errorf("the dump %s is heavy, the action is safe", a.Name)
		}
	}
	if a, _ := LookupAction("ERRORSTACK"); len(a.Params) != 1 || a.Params[0].Name != "level" || a.Params[0].Default != "1" {
		t.Errorf("errorstack: %+v", a)
	}
	for _, n := range []string{"skipframes", "showoffsets"} {
		if _, ok := LookupAction(n); ok {
			t.Errorf("%s is a parameter of shortstack, not an action", n)
		}
	}
}

func TestFiltersAndScopes(t *testing.T) {
	if _, ok := LookupFilter("occurrence"); ok {
		t.Error("Oracle spells it occurence")
	}
	if f, ok := LookupFilter("OCCURENCE"); !ok || len(f.Params) != 2 || f.Params[1].Name != "end_after" {
		t.Errorf("%+v", f)
	}
	if f, _ := LookupFilter("pgadep"); !f.Gone {
		t.Error("pgadep is gone in 19c")
	}
	if f, _ := LookupFilter("in"); len(f.Params) != 16 {
		t.Errorf("in takes a to p: %+v", f)
	}
	if s, ok := LookupScope("SQL"); !ok || s.Param.Max != 20 {
		t.Errorf("%+v", s)
	}
	if m, ok := LookupMapped(10730); !ok || m.Off != "trace[rdbms.VPD.*] off" {
		t.Errorf("%+v", m)
	}
	if a, ok := LookupAlias("LOGON"); !ok || a.Number != 10029 {
		t.Errorf("%+v", a)
	}
}
