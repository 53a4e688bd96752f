package sqlplusd

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// settings are the values of SET, by full name.
type settings map[string]string

// option describes one SET option: its shortest abbreviation and default.
type option struct {
	name  string
	least int // letters that suffice
	def   string
	onOff bool
}

func options() []option {
	return []option{
		{"APPINFO", 4, "OFF", false},
		{"ARRAYSIZE", 5, "15", false},
		{"AUTOCOMMIT", 4, "OFF", false},
		{"AUTOPRINT", 5, "OFF", true},
		{"AUTORECOVERY", 11, "OFF", true},
		{"AUTOTRACE", 5, "OFF", false},
		{"BLOCKTERMINATOR", 3, ".", false},
		{"CMDSEP", 4, "", false},
		{"COLINVISIBLE", 6, "OFF", true},
		{"COLSEP", 6, " ", false},
		{"CONCAT", 3, ".", false},
		{"COPYCOMMIT", 5, "0", false},
		{"COPYTYPECHECK", 13, "ON", true},
		{"DEFINE", 3, "&", false},
		{"DESCRIBE", 8, "DEPTH 1", false},
		{"ECHO", 4, "OFF", true},
		{"EDITFILE", 5, "afiedt.buf", false},
		{"EMBEDDED", 3, "OFF", true},
		{"ERRORLOGGING", 6, "OFF", false},
		{"ERRORDETAILS", 12, "ON", false},
		{"ESCAPE", 3, "", false},
		{"ESCCHAR", 7, "OFF", false},
		{"EXITCOMMIT", 5, "ON", true},
		{"FEEDBACK", 4, "6", false},
		{"FLAGGER", 7, "OFF", false},
		{"FLUSH", 3, "ON", true},
		{"HEADING", 3, "ON", true},
		{"HEADSEP", 5, "|", false},
		{"HISTORY", 4, "OFF", false},
		{"INSTANCE", 8, "LOCAL", false},
		{"JSONPRINT", 9, "NORMAL", false},
		{"LINESIZE", 3, "80", false},
		{"LOBOFFSET", 4, "1", false},
		{"LOBPREFETCH", 11, "0", false},
		{"LOGSOURCE", 9, "", false},
		{"LONG", 4, "80", false},
		{"LONGCHUNKSIZE", 5, "80", false},
		{"MARKUP", 4, "HTML OFF", false},
		{"NEWPAGE", 4, "1", false},
		{"NULL", 4, "", false},
		{"NUMFORMAT", 4, "", false},
		{"NUMWIDTH", 3, "10", false},
		{"PAGESIZE", 5, "14", false},
		{"PAUSE", 3, "OFF", false},
		{"RECSEP", 6, "WRAPPED", false},
		{"RECSEPCHAR", 10, " ", false},
		{"ROWLIMIT", 8, "OFF", false},
		{"ROWPREFETCH", 11, "1", false},
		{"SCAN", 4, "ON", true},
		{"SECUREDCOL", 10, "OFF", true},
		{"SERVEROUTPUT", 9, "OFF", false},
		{"SHIFTINOUT", 5, "VISIBLE", false},
		{"SHOWMODE", 4, "OFF", false},
		{"SQLBLANKLINES", 5, "OFF", true},
		{"SQLCASE", 4, "MIXED", false},
		{"SQLCONTINUE", 4, "> ", false},
		{"SQLNUMBER", 4, "ON", true},
		{"SQLPLUSCOMPATIBILITY", 13, "", false},
		{"SQLPREFIX", 4, "#", false},
		{"SQLPROMPT", 4, "SQL> ", false},
		{"SQLTERMINATOR", 4, ";", false},
		{"STATEMENTCACHE", 14, "0", false},
		{"SUFFIX", 3, "sql", false},
		{"TAB", 3, "ON", true},
		{"TERMOUT", 4, "ON", true},
		{"TIME", 2, "OFF", true},
		{"TIMING", 4, "OFF", true},
		{"TRIMOUT", 4, "ON", true},
		{"TRIMSPOOL", 5, "OFF", true},
		{"UNDERLINE", 3, "-", false},
		{"VERIFY", 3, "ON", true},
		{"WRAP", 3, "ON", true},
		{"XMLOPTIMIZATIONCHECK", 7, "OFF", true},
		{"XQUERY", 6, "", false},
	}
}

func defaults() settings {
	s := settings{}
	for _, o := range options() {
		s[o.name] = o.def
	}
	return s
}

func (s settings) on(name string) bool     { return s[name] == "ON" }
func (s settings) text(name string) string { return s[name] }

func (s settings) number(name string) int {
	n, err := strconv.Atoi(s[name])
	if err != nil {
		return 0
	}
	return n
}

func findOption(word string) (option, bool) {
	up := strings.ToUpper(word)
	for _, o := range options() {
		if len(up) >= o.least && strings.HasPrefix(o.name, up) {
			return o, true
		}
	}
	return option{}, false
}

// cmdSet is SET option value [option value …].
func cmdSet(in *Interp, _ context.Context, rest string) error {
	fields := splitSet(rest)
	if len(fields) == 0 {
		in.out.println("SP2-0281: SET option missing")
		return nil
	}
	for len(fields) > 0 {
		o, ok := findOption(fields[0])
		if !ok {
			if len(rest) > 10 {
				in.out.println(fmt.Sprintf("SP2-0735: unknown SET option beginning \"%.10s...\"", rest))
			} else {
				in.out.println(fmt.Sprintf("SP2-0158: unknown SET option \"%s\"", fields[0]))
			}
			return nil
		}
		n := 2
		value := ""
		if len(fields) > 1 {
			value = fields[1]
		}
		switch o.name {
		case "MARKUP", "ERRORLOGGING", "AUTOTRACE", "DESCRIBE", "APPINFO":
			value, n = strings.Join(fields[1:], " "), len(fields)
		case "SERVEROUTPUT":
			value = strings.ToUpper(value)
			for n+1 < len(fields) && (strings.HasPrefix("SIZE", strings.ToUpper(fields[n])) || strings.HasPrefix("FORMAT", strings.ToUpper(fields[n]))) {
				n += 2
			}
		case "SQLPROMPT", "ESCAPE", "NULL", "COLSEP", "DEFINE", "CONCAT":
		default:
			if len(fields) < 2 {
				in.out.println(fmt.Sprintf("SP2-0267: %s option out of range or missing", strings.ToLower(o.name)))
				return nil
			}
		}
		if !in.assign(o, value) {
			return nil
		}
		fields = fields[min(n, len(fields)):]
	}
	return nil
}

// assign stores one value; false after an error was printed.
func (in *Interp) assign(o option, value string) bool {
	up := strings.ToUpper(value)
	switch {
	case o.onOff && up != "ON" && up != "OFF":
		in.out.println(fmt.Sprintf("SP2-0265: %s must be set ON or OFF", strings.ToLower(o.name)))
		return false
	case o.onOff:
		value = up
	}
	switch o.name {
	case "SCAN":
		o.name, value = "DEFINE", map[string]string{"ON": "&", "OFF": ""}[up]
	case "DEFINE", "ESCAPE", "CONCAT":
		switch up {
		case "ON":
			value = map[string]string{"DEFINE": "&", "ESCAPE": `\`, "CONCAT": "."}[o.name]
		case "OFF":
			value = ""
		default:
			if len(value) > 1 {
				in.out.println(fmt.Sprintf("SP2-0272: %s character cannot be alphanumeric or white-space", strings.ToLower(o.name)))
				return false
			}
		}
	case "SQLTERMINATOR", "BLOCKTERMINATOR", "CMDSEP":
		switch up {
		case "ON":
			value = map[string]string{"SQLTERMINATOR": ";", "BLOCKTERMINATOR": ".", "CMDSEP": ";"}[o.name]
		case "OFF":
			value = ""
		}
	case "FEEDBACK":
		f := strings.Fields(up)
		switch {
		case len(f) > 0 && f[0] == "ON":
			value = "1"
		case len(f) > 0 && f[0] == "OFF":
			value = "0"
		}
	case "LINESIZE", "PAGESIZE", "NUMWIDTH", "LONG", "ARRAYSIZE":
		if n, err := strconv.Atoi(value); (err != nil || n < 0) && up != "WINDOW" {
			in.out.println(fmt.Sprintf("SP2-0268: %s option not a valid number", strings.ToLower(o.name)))
			return false
		}
	}
	in.set[o.name] = value
	if o.name == "TERMOUT" {
		in.out.quiet = value == "OFF" && in.scripted()
	}
	return true
}

// splitSet splits `sqlprompt "" escape off` into words, quotes removed.
func splitSet(s string) []string { return words(s) }

// cmdShow is SHOW option.
func cmdShow(in *Interp, ctx context.Context, rest string) error {
	f := strings.Fields(rest)
	if len(f) == 0 {
		in.out.println("SP2-0281: SHOW option missing")
		return nil
	}
	switch word := strings.ToUpper(f[0]); word {
	case "USER":
		user := ""
		if in.conn != nil {
			user = in.conn.self.Username
		}
		in.out.println(fmt.Sprintf("USER is \"%s\"", user))
	case "ALL":
		names := make([]string, 0, len(in.set))
		for n := range in.set {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			in.out.println(strings.ToLower(n) + " " + in.set[n])
		}
	case "RELEASE", "REL":
		in.out.println("release " + digits(in.c.DB.Release.Full))
	case "SQLCODE":
		in.out.println("sqlcode " + strconv.Itoa(in.sqlcode))
	case "ERRORS", "ERR":
		in.out.println("No errors.")
	case "CON_NAME", "CON_ID", "PDBS":
		return in.showContainer(ctx, word)
	case "PARAMETER", "PARAMETERS":
		return in.showParameter(ctx, strings.Join(f[1:], " "))
	default:
		o, ok := findOption(f[0])
		if !ok {
			in.out.println(fmt.Sprintf("SP2-0158: unknown SHOW option \"%s\"", f[0]))
			return nil
		}
		in.out.println(strings.ToLower(o.name) + " " + in.set[o.name])
	}
	return nil
}

func (in *Interp) showContainer(ctx context.Context, what string) error {
	if !in.connected() {
		return nil
	}
	q := "select sys_context('userenv','con_name') con_name from dual"
	switch what {
	case "CON_ID":
		q = "select sys_context('userenv','con_id') con_id from dual"
	case "PDBS":
		q = "select con_id, name con_name, open_mode, restricted from v$pdbs"
	}
	return in.query(ctx, q, nil)
}

func (in *Interp) showParameter(ctx context.Context, name string) error {
	if !in.connected() {
		return nil
	}
	saved := in.columns
	defer func() { in.columns = saved }()
	in.columns = map[string]*columnFormat{"NAME": {width: 36}, "TYPE": {width: 11}, "VALUE": {width: 30}}
	return in.query(ctx, "select name, decode(type,1,'boolean',2,'string',3,'integer','other') type, value from v$parameter where name like '%"+
		strings.ReplaceAll(strings.ToLower(name), "'", "''")+"%' order by name", nil)
}
