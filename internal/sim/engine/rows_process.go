package engine

import (
	"strings"

	"ringtrace/internal/sim/instance"
)

type processColumn = column[*instance.Process]

func processColumns(d *instance.Database) []processColumn {
	type p = *instance.Process
	con := func(x p) any {
		if s := x.Session(); s != nil && x.Pname == "" {
			return s.ConID
		}
		return 0
	}
	return []processColumn{
		{"INST_ID", func(x p) any { return x.Inst.ID }},
		{"ADDR", func(x p) any { return address(x.Addr) }},
		{"PID", func(x p) any { return x.Orapid }},
		{"SOSID", func(x p) any { return yes(d.Threaded && !x.Background, x.Spid+"_"+x.Stid, x.Spid) }},
		{"SPID", func(x p) any { return yes(x.Suffix == "PSEUDO", "", x.Spid) }},
		{"STID", func(x p) any { return x.Stid }},
		{"EXECUTION_TYPE", func(x p) any { return yes(d.Threaded && !x.Background, "THREAD", "PROCESS") }},
		{"PNAME", func(x p) any { return null(x.Pname) }},
		{"USERNAME", func(x p) any { return x.Username }},
		{"SERIAL#", func(x p) any { return x.Serial }},
		{"TERMINAL", func(x p) any { return "UNKNOWN" }},
		{"PROGRAM", func(x p) any { return x.Image() }},
		{"TRACEID", func(x p) any { return null(x.Identifier) }},
		{"TRACEFILE", func(x p) any { return x.TracePath() }},
		{"BACKGROUND", func(x p) any {
			if x.Background {
				return "1"
			}
			return nil
		}},
		{"PGA_USED_MEM", func(x p) any { return 1800000 + ringBytes(x) }},
		{"PGA_ALLOC_MEM", func(x p) any { return 2500000 + ringBytes(x) }},
		{"PGA_FREEABLE_MEM", func(x p) any { return 65536 }},
		{"PGA_MAX_MEM", func(x p) any { return 4200000 + ringBytes(x) }},
		{"CON_ID", con},
	}
}

// ringBytes: the buffer is process memory (facts/oradebug.md 4, inferred).
func ringBytes(p *instance.Process) int {
	size, _, _, _ := p.Ring()
	return size
}

func bgColumns() []processColumn {
	type p = *instance.Process
	return []processColumn{
		{"INST_ID", func(x p) any { return x.Inst.ID }},
		{"PADDR", func(x p) any { return address(x.Addr) }},
		{"PSERIAL#", func(x p) any { return x.Serial }},
		{"NAME", func(x p) any { return x.Pname }},
		{"DESCRIPTION", func(x p) any { return "background process " + x.Pname }},
		{"ERROR", func(x p) any { return 0 }},
		{"CON_ID", func(x p) any { return 0 }},
	}
}

func (e *Engine) sharedServers(base string) ([][]any, []string) {
	type p = *instance.Process
	letter := "S"
	if base == "GV$DISPATCHER" {
		letter = "D"
	}
	var items []p
	for _, x := range e.allProcesses() {
		if len(x.Pname) == 4 && strings.HasPrefix(x.Pname, letter) && x.Pname[1] == '0' {
			items = append(items, x)
		}
	}
	return project(e, base, items, []processColumn{
		{"INST_ID", func(x p) any { return x.Inst.ID }},
		{"NAME", func(x p) any { return x.Pname }},
		{"PADDR", func(x p) any { return address(x.Addr) }},
		{"STATUS", func(x p) any { return yes(letter == "D", "WAIT", "WAIT(COMMON)") }},
		{"CON_ID", func(x p) any { return 0 }},
	})
}
