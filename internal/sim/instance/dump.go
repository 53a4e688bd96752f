package instance

import (
	"fmt"
	"strings"

	"ringtrace/internal/sim/event"
)

// errorstack renders a ksedmp dump as 11g and later write it
// (facts/oradebug.md 4, facts/trace-format.md 11): level 0 the error stack, 1
// adds the call stack, 2 the process state, 3 the cursors.
func (p *Process) errorstack(s *Session, level, ora int) string {
	d := p.Inst.db
	var b strings.Builder
	fmt.Fprintf(&b, "dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=%d, mask=0x0)\n\n", level)
	b.WriteString("----- Error Stack Dump -----\n")
	if d.Release.Barrier != "" {
		b.WriteString(d.Release.Barrier + "\n")
	}
	if ora != 0 { // absent when a non-error event ran the action
		fmt.Fprintf(&b, "ORA-%05d: %s\n", ora, d.errorText(ora))
	}
	if s != nil && s.SQLID != "" && s.SQLText != "" {
		fmt.Fprintf(&b, "----- Current SQL Statement for this session (sql_id=%s) -----\n%s\n", s.SQLID, s.SQLText)
	} else {
		b.WriteString("----- SQL Statement (None) -----\nCurrent SQL information unavailable - no cursor.\n")
	}
	if level >= 1 {
		b.WriteString(callStack())
	}
	if level >= 2 {
		b.WriteString(p.processState())
	}
	if level >= 3 {
		b.WriteString(cursorDump(s))
	}
	return b.String() + "\n"
}

func callStack() string {
	var b strings.Builder
	b.WriteString("\n----- Call Stack Trace -----\n")
	b.WriteString("calling              call     entry                argument values in hex      \n")
	b.WriteString("location             type     point                (? means dubious value)     \n")
	b.WriteString("-------------------- -------- -------------------- ----------------------------\n")
	for _, f := range [][2]string{
		{"ksedst1()+95", "kgdsdst()"},
		{"ksedst()+58", "ksedst1()"},
		{"dbkedDefDump()+23080", "ksedst()"},
		{"ksedmp()+577", "dbkedDefDump()"},
		{"dbkdaKsdActDriver()+2484", "ksedmp()"},
		{"dbgdaExecuteAction()+354", "dbkdaKsdActDriver()"},
		{"kgesev()+280", "dbgdaExecuteAction()"},
		{"ksesec0()+190", "kgesev()"},
		{"opiodr()+1202", "ksesec0()"},
		{"ttcpip()+1222", "opiodr()"},
		{"opitsk()+1900", "ttcpip()"},
		{"opiino()+936", "opitsk()"},
		{"main()+250", "opiino()"},
	} {
		fmt.Fprintf(&b, "%-20s call     %-20s 7FFC5A0E8F70 ? 7FFC5A0E7E38 ?\n", f[0], f[1])
	}
	b.WriteString("----- End of Call Stack Trace -----\n")
	return b.String()
}

func (p *Process) processState() string {
	return fmt.Sprintf("\nPROCESS STATE\n-------------\nProcess global information:\n     process: 0x%x, call: 0x0, xact: (nil), curses: 0x0, usrses: 0x0\n"+
		"  Process Group: DEFAULT, pseudo proc: (nil)\n  O/S info: user: oracle, term: UNKNOWN, ospid: %s\n  OSD pid info: %s\n", p.Addr, p.Spid, p.ProcessLine())
}

func cursorDump(s *Session) string {
	var b strings.Builder
	b.WriteString("\n******************** Session Cursor Dump **********************\n")
	if s != nil && s.SQLText != "" {
		fmt.Fprintf(&b, "Current cursor: 1, pgadep=0\n\nOpen cursors(pls, sys, hwm, max): 1(0, 0, 64, 300)\n"+
			"Cursor#1(0x7f36fc2d3c18) state=BOUND curiob=0x7f36fc2e1a30\n curflg=4c fl2=0 par=(nil) ses=0x6a0b2c48\n sqltxt(0x6a6b4250)=%s\n", oneLine(s.SQLText))
	}
	b.WriteString("End of cursor dump\n")
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// makeIncident writes what the incident action leaves (facts/oradebug.md 4).
func (p *Process) makeIncident(label string, ora int) {
	d := p.Inst.db
	d.incident++
	n := d.incident
	args := fmt.Sprintf("[EVENT_CREATED_INCIDENT], [%d], [%s], [], [], [], [], [], [], [], [], []", ora, strings.Trim(label, `"`))
	file := p.incidentPath(n)
	pdb := ""
	if s := p.Session(); s != nil && d.CDB && d.Release.Rank >= 2 {
		pdb = fmt.Sprintf(" (PDBNAME=%s)", d.PDBName(s.ConID))
	}
	p.write(p.stamps() + fmt.Sprintf("Incident %d created, dump file: %s\nORA-00700: soft internal error, arguments: %s\n\n", n, file, args))
	head := strings.Replace(p.header(), "Trace file "+p.TracePath(), "Dump file "+file, 1)
	body := head + fmt.Sprintf("\n*** %s\nDump continued from file: %s\n[TOC00000]\nJump to table of contents\n"+
		"========= Dump for incident %d (ORA 700 [EVENT_CREATED_INCIDENT]) ========\n", p.stampText(d.clock()), p.TracePath(), n)
	if err := d.Store.Append(file, []byte(body), d.clock()); err != nil {
		return // disk full: the trace file already names the incident
	}
	p.Inst.Alert(fmt.Sprintf("Errors in file %s  (incident=%d)%s:\nORA-00700: soft internal error, arguments: %s\nIncident details in: %s", p.TracePath(), n, pdb, args, file))
}

// dumpText is the frame of a dump whose body nobody needs here: it says what
// was asked for and that the simulator has no more.
func dumpText(do event.Do) string {
	switch do.Name {
	case "processstate", "systemstate":
		return fmt.Sprintf("===================================================\n%s DUMP (level=%d)\n------------\nEND OF %s DUMP\n\n",
			strings.ToUpper(strings.TrimSuffix(do.Name, "state"))+" STATE", do.Level, strings.ToUpper(strings.TrimSuffix(do.Name, "state"))+" STATE")
	case "callstack":
		return callStack() + "\n"
	}
	return fmt.Sprintf("----- Dump of %s, level %d (the simulator writes no more of it) -----\n\n", strings.ToUpper(do.Name), do.Level)
}
