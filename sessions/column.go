package sessions

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Columns lists the inventory's columns in the order in which they are
// written. Names and order are part of the contract with scripts.
func Columns() []string {
	out := make([]string, 0, len(columnNames))
	return append(out, columnNames[:]...)
}

// column numbers the inventory's columns; those behind colWritten are read where
// an export has them. Of these only selected and reason are ever written.
type column int

const (
	colInstID column = iota
	colSID
	colSerial
	colOrapid
	colProcessSerial
	colOspid
	colStid
	colUsername
	colServiceName
	colProgram
	colModule
	colAction
	colClientIdentifier
	colClientInfo
	colMachine
	colOSUser
	colStatus
	colServer
	colType
	colLogonTime
	colSQLID
	colConName
	colTracefile
	colWritten // number of the columns above

	colPaddr column = iota - 1
	colPName
	colReason
	colSelected
	colInstanceName // what of the instance an export may carry beside the session
	colHostName
	colStarted
	colDBUniqueName
	colDBID
	colVersion
	colMax
)

var columnNames = [colWritten]string{
	"inst_id", "sid", "serial", "orapid", "process_serial", "ospid", "stid",
	"username", "service_name", "program", "module", "action", "client_identifier",
	"client_info", "machine", "osuser", "status", "server", "type", "logon_time",
	"sql_id", "con_name", "tracefile",
}

// columnOf finds the column that a header names, in any letter case.
// PROCESS and CLIENT_PID are deliberately nobody: they are the client's pid.
func columnOf(name string) (column, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "inst":
		return colInstID, true
	case "serial#":
		return colSerial, true
	case "pid":
		return colOrapid, true
	case "spid":
		return colOspid, true
	case "p_serial", "p_serial#", "pserial#", "process_serial#":
		return colProcessSerial, true
	case "service":
		return colServiceName, true
	case "client_id":
		return colClientIdentifier, true
	case "pdb":
		return colConName, true
	case "paddr":
		return colPaddr, true
	case "pname":
		return colPName, true
	case "reason":
		return colReason, true
	case "selected":
		return colSelected, true
	case "instance_name":
		return colInstanceName, true
	case "host_name":
		return colHostName, true
	case "startup_time":
		return colStarted, true
	case "db_unique_name":
		return colDBUniqueName, true
	case "dbid":
		return colDBID, true
	case "version":
		return colVersion, true
	}
	for i, n := range columnNames {
		if n == name {
			return column(i), true
		}
	}
	return 0, false
}

func (c column) String() string {
	switch c {
	case colPaddr:
		return "paddr"
	case colPName:
		return "pname"
	case colReason:
		return "reason"
	case colSelected:
		return "selected"
	case colInstanceName:
		return "instance_name"
	case colHostName:
		return "host_name"
	case colStarted:
		return "startup_time"
	case colDBUniqueName:
		return "db_unique_name"
	case colDBID:
		return "dbid"
	case colVersion:
		return "version"
	}
	if c >= 0 && c < colWritten {
		return columnNames[c]
	}
	return fmt.Sprintf("column(%d)", int(c))
}

// isNumber reports whether the column is a number in JSON.
func (c column) isNumber() bool { return c >= colInstID && c <= colProcessSerial }

// textOf returns the address of a text column's value, nil for other columns.
func (r *Row) textOf(c column) *string {
	switch c {
	case colOspid:
		return &r.Ospid
	case colStid:
		return &r.Stid
	case colUsername:
		return &r.Username
	case colServiceName:
		return &r.ServiceName
	case colProgram:
		return &r.Program
	case colModule:
		return &r.Module
	case colAction:
		return &r.Action
	case colClientIdentifier:
		return &r.ClientIdentifier
	case colClientInfo:
		return &r.ClientInfo
	case colMachine:
		return &r.Machine
	case colOSUser:
		return &r.OSUser
	case colStatus:
		return &r.Status
	case colServer:
		return &r.Server
	case colType:
		return &r.Type
	case colSQLID:
		return &r.SQLID
	case colConName:
		return &r.ConName
	case colTracefile:
		return &r.Tracefile
	case colPaddr:
		return &r.Evidence.Paddr
	case colPName:
		return &r.Evidence.PName
	}
	return nil
}

func (r *Row) numberOf(c column) *int {
	switch c {
	case colInstID:
		return &r.InstID
	case colSID:
		return &r.SID
	case colSerial:
		return &r.Serial
	case colOrapid:
		return &r.Orapid
	case colProcessSerial:
		return &r.ProcessSerial
	}
	return nil
}

// cellError is why one value was refused.
type cellError struct{ message, hint string }

func (e *cellError) Error() string { return e.message }

// set stores one value of an inventory; an empty value is "not known".
func (r *Row) set(c column, v string) *cellError {
	if !utf8.ValidString(v) {
		return &cellError{
			fmt.Sprintf("%s is not UTF-8", c),
			"convert the file first, for example: iconv -f WINDOWS-1252 -t UTF-8 FILE > FILE.utf8",
		}
	}
	if p := r.numberOf(c); p != nil {
		return setNumber(p, c, v)
	}
	if p := r.textOf(c); p != nil {
		*p = v
		return r.checkText(c, v)
	}
	if c == colLogonTime {
		return r.setLogonTime(v)
	}
	return nil
}

func setNumber(p *int, c column, v string) *cellError {
	v = strings.TrimSpace(v)
	*p = 0
	if v == "" {
		return nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || strings.ContainsAny(v, "+-") || n < 1 || n > 1<<32-1 {
		return &cellError{fmt.Sprintf("%s %s is not a positive whole number", c, quoteShort(v)), numberHint(c)}
	}
	*p = int(n)
	return nil
}

func numberHint(c column) string {
	switch c {
	case colOrapid:
		return "orapid is V$PROCESS.PID, a small number such as 38"
	case colSerial:
		return "serial is V$SESSION.SERIAL#"
	case colProcessSerial:
		return "process_serial is V$PROCESS.SERIAL#; leave it empty when unknown"
	case colInstID:
		return "inst_id is GV$SESSION.INST_ID; leave it empty for instance 1"
	}
	return "sid is V$SESSION.SID"
}

// checkText holds the few text columns that have a known shape to it.
func (r *Row) checkText(c column, v string) *cellError {
	switch c {
	case colOspid, colStid:
		t := strings.TrimSpace(v)
		if strings.Trim(t, "0123456789") != "" || len(t) > 24 {
			return &cellError{
				fmt.Sprintf("%s %s is not a process id", c, quoteShort(v)),
				"ospid is V$PROCESS.SPID and stid V$PROCESS.STID, both digits; V$SESSION.PROCESS is the client's pid and no use here",
			}
		}
		*r.textOf(c) = t
	case colStatus, colServer, colType:
		t := strings.ToUpper(strings.TrimSpace(v))
		if t != "" && !knownWord(c, t) {
			return &cellError{
				fmt.Sprintf("%s %s is none of %s", c, quoteShort(v), strings.Join(wordsOf(c), " ")),
				"check that the columns stand under the right headings",
			}
		}
		*r.textOf(c) = t
	}
	return nil
}

// wordsOf lists a column's value set (facts/views-and-sqlplus.md 1.2).
func wordsOf(c column) []string {
	switch c {
	case colStatus:
		return []string{"ACTIVE", "INACTIVE", "CACHED", "SNIPED", "KILLED"}
	case colServer:
		return []string{"DEDICATED", "SHARED", "PSEUDO", "POOLED", "NONE"}
	case colType:
		return []string{"USER", "BACKGROUND", "RECURSIVE", "?"}
	}
	return nil
}

func knownWord(c column, v string) bool {
	for _, w := range wordsOf(c) {
		if w == v {
			return true
		}
	}
	return false
}

// setLogonTime takes a date without a time of day as "not known": it is what
// the default NLS_DATE_FORMAT exports, and midnight would be a wrong identity.
func (r *Row) setLogonTime(v string) *cellError {
	r.LogonTime = time.Time{}
	if strings.TrimSpace(v) == "" {
		return nil
	}
	t, dayOnly, err := parseTime(v)
	if err != nil && !dayOnly {
		return err
	}
	r.LogonTime = t
	return nil
}

// quoteShort quotes a value for a message: printable, and never long.
func quoteShort(v string) string {
	const most = 40
	if len(v) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(v[cut]) {
			cut--
		}
		v = v[:cut] + "…"
	}
	return strconv.QuoteToGraphic(v)
}
