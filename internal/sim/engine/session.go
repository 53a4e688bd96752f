package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/translate"
	"ringtrace/oradebug"
)

// Session runs statements for one session of the simulated database.
type Session struct {
	Engine *Engine
	Self   *instance.Session

	dateMask string
}

// NewSession returns the SQL side of a session.
func (e *Engine) NewSession(self *instance.Session) *Session {
	return &Session{Engine: e, Self: self, dateMask: "DD-MON-RR"}
}

// Bind is one bound value: string, int64, float64, time.Time, []byte or nil.
type Bind struct {
	Name  string // empty: by position
	Value any
}

// Kind is the type of a result column.
type Kind int

// The kinds, with the numbers of Oracle's external types.
const (
	Varchar   Kind = 1
	Number    Kind = 2
	Date      Kind = 12
	Raw       Kind = 23
	Clob      Kind = 112
	Timestamp Kind = 180
)

// Column describes a result column.
type Column struct {
	Name              string
	Kind              Kind
	Size, Prec, Scale int
}

// Result is the answer to a statement; all rows are read.
type Result struct {
	Columns  []Column
	Rows     [][]any // string, int64, float64, time.Time, []byte or nil
	Affected int64
	Kind     string // first word of the statement, lower case; of DDL the first two
}

// env is what a statement sees of the session.
func (s *Session) env() *translate.Env {
	d := s.Engine.model
	now := d.Now()
	return &translate.Env{
		Now: toDays(now.UTC()), User: s.Self.Username, Zone: "+00:00", DateMask: s.dateMask, Rank: d.Release.Rank,
		Context: s.userenv, IsDate: func(c string) bool { return s.Engine.dates[c] },
	}
}

// userenv answers SYS_CONTEXT('USERENV', name) and USERENV(name). CON_NAME
// and its kin came with 12.1 (ORA-02003 before).
func (s *Session) userenv(name string) (string, bool) {
	d, in := s.Engine.model, s.Engine.inst
	var v string
	ok := true
	d.Locked(func() {
		switch name {
		case "SID":
			v = strconv.Itoa(s.Self.SID)
		case "SESSIONID":
			v = strconv.FormatInt(s.Self.Audsid, 10)
		case "SESSION_USER", "CURRENT_USER", "CURRENT_SCHEMA", "PROXY_USER":
			if v = s.Self.Username; name == "PROXY_USER" {
				v = ""
			}
		case "ISDBA":
			v = yes(s.Self.Sysdba, "TRUE", "FALSE")
		case "INSTANCE":
			v = strconv.Itoa(in.ID)
		case "INSTANCE_NAME":
			v = in.Name
		case "SERVER_HOST":
			v = in.Host
		case "DB_NAME":
			v = d.Name
		case "DB_UNIQUE_NAME":
			v = d.UniqueName
		case "DB_DOMAIN", "CLIENT_IDENTIFIER", "CLIENT_INFO", "NETWORK_PROTOCOL", "IP_ADDRESS":
		case "SERVICE_NAME":
			v = s.Self.Service
		case "HOST", "TERMINAL":
			v = s.Self.Machine
		case "OS_USER":
			v = s.Self.OSUser
		case "MODULE":
			v = s.Self.Module
		case "ACTION":
			v = s.Self.Action
		case "LANGUAGE":
			v = "AMERICAN_AMERICA.AL32UTF8"
		case "LANG":
			v = "US"
		case "DATABASE_ROLE":
			v = "PRIMARY"
		case "CON_NAME", "CON_ID", "CDB_NAME":
			if ok = d.Release.Rank >= 2; !ok {
				return
			}
			switch {
			case name == "CDB_NAME":
				v = yes(d.CDB, d.Name, "")
			case name == "CON_ID":
				v = strconv.Itoa(s.Self.ConID)
			case !d.CDB:
				v = d.Name
			default:
				v = d.PDBName(s.Self.ConID)
			}
		default:
			ok = false
		}
	})
	return v, ok
}

// Query runs one statement without terminator. An error that it raises fires
// the events that wait for it, as in any session.
func (s *Session) Query(ctx context.Context, q string, binds []Bind) (*Result, error) {
	res, err := s.query(ctx, q, binds)
	var e *Error
	if errors.As(err, &e) && s.alive() == nil {
		s.Engine.model.Raise(s.Self, e.Code)
	}
	return res, err
}

func (s *Session) query(ctx context.Context, q string, binds []Bind) (*Result, error) {
	d := s.Engine.model
	if err := s.alive(); err != nil {
		return nil, err
	}
	d.Locked(func() {
		s.Self.LastCall = d.NowLocked()
		s.Self.Calls++
	})
	st, err := translate.Translate(q, s.env())
	if err != nil {
		return nil, err
	}
	if st.Kind != "select" {
		return s.command(ctx, q, st.Kind)
	}
	st.SQL = connectByLevel(st.SQL)
	args, err := arguments(st, binds)
	if err != nil {
		return nil, err
	}
	if err := s.privileges(st, q); err != nil {
		return nil, err
	}
	for _, w := range st.Words {
		if personal(s.Engine.base(w)) {
			s.Engine.alone.Lock()
			defer s.Engine.alone.Unlock()
			break
		}
	}
	s.Engine.forgetFiles(st.Words)
	if err := s.Engine.refresh(ctx, st.Words, s.Self); err != nil {
		return nil, mapError(err, q)
	}
	res, err := s.Engine.selectRows(ctx, st, q, args)
	if err == nil {
		s.Engine.gen.Ran(s.Self, q, 3, len(res.Rows)) // 3: SELECT (facts/trace-format.md 4)
	}
	return res, err
}

// alive is what a killed session or a session whose process ended gets.
func (s *Session) alive() error {
	var err error
	s.Engine.model.Locked(func() {
		switch {
		case s.Self.Killed:
			err = &Error{Code: 28, Message: "your session has been killed"}
		case !s.Self.Alive() || s.Self.Proc != nil && !s.Self.Proc.Alive():
			err = &Error{Code: 3113, Message: "end-of-file on communication channel"}
		}
	})
	return err
}

// privileges: a user without the catalog sees no V$ view at all, which is
// ORA-00942, not ORA-01031 (facts/views-and-sqlplus.md 3.1).
func (s *Session) privileges(st *translate.Statement, q string) error {
	if s.Self.Sysdba || s.Self.Username == "SYSTEM" || s.Self.Username == "MONITOR" {
		return nil
	}
	for _, w := range st.Words {
		view := strings.Replace(w, "V_$", "V$", 1)
		if _, ok := s.Engine.views[view]; ok && (strings.Contains(view, "V$") || strings.HasPrefix(view, "DBA_")) {
			return &Error{Code: 942, Offset: offset(q, w), Message: "table or view does not exist"}
		}
	}
	return nil
}

var killSession = regexp.MustCompile(`(?i)^alter\s+system\s+(?:kill|disconnect)\s+session\s+'\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*@(\d+)\s*)?'`)

// command carries out the statements that are no queries.
func (s *Session) command(ctx context.Context, q, kind string) (*Result, error) {
	if kind == "create" || kind == "drop" || kind == "grant" || kind == "insert" {
		s.Engine.alone.Lock()
		res, ok, err := s.schema(ctx, q, kind)
		s.Engine.alone.Unlock()
		if ok {
			return res, err
		}
	}
	low := strings.Join(strings.Fields(strings.ToLower(q)), " ")
	res := &Result{Kind: kind}
	switch {
	case kind == "commit" || kind == "rollback" || kind == "savepoint" || strings.HasPrefix(low, "set transaction") || strings.HasPrefix(low, "set role"):
		return res, nil
	case strings.HasPrefix(low, "alter system flush ") && s.Self.Sysdba:
		return res, nil
	case strings.HasPrefix(low, "alter session set "):
		return res, s.alterSession(q, low)
	case killSession.MatchString(strings.TrimSpace(q)):
		m := killSession.FindStringSubmatch(strings.TrimSpace(q))
		ref := m[1] + "," + m[2]
		if m[3] != "" {
			ref += ",@" + m[3]
		}
		victim, err := s.Engine.model.Find(ref)
		if err != nil {
			return nil, &Error{Code: 30, Message: "User session ID does not exist."}
		}
		s.Engine.model.Kill(victim)
		return res, nil
	case kind == "insert" || kind == "update" || kind == "delete" || kind == "merge":
		return nil, &Error{Code: 2030, Message: "can only select from fixed tables/views"}
	case kind == "create" || kind == "drop" || kind == "alter" || kind == "grant" || kind == "revoke" || kind == "truncate":
		return nil, &Error{Code: 1031, Message: "insufficient privileges"}
	}
	return nil, &Error{Code: 900, Message: "invalid SQL statement"}
}

var maskSetting = regexp.MustCompile(`(?i)nls_date_format\s*=\s*'([^']*)'`)

func (s *Session) alterSession(q, low string) error {
	if m := maskSetting.FindStringSubmatch(q); m != nil {
		s.dateMask = m[1]
	}
	if m := eventSetting.FindStringSubmatch(q); m != nil {
		return s.setEvents(strings.ReplaceAll(m[1], "''", "'"))
	}
	if m := identifierSetting.FindStringSubmatch(q); m != nil && s.Self.Proc != nil {
		s.Engine.model.Locked(func() { s.Self.Proc.Identifier = m[1] })
		s.Engine.model.Touch()
	}
	if sizeSetting.MatchString(q) && s.Self.Proc != nil {
		s.Engine.model.Locked(func() { s.Self.Proc.Unlimit = true })
	}
	if name, ok := strings.CutPrefix(low, "alter session set container"); ok {
		name = strings.Trim(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "=")), `"`)
		return s.container(name)
	}
	return nil
}

var (
	eventSetting      = regexp.MustCompile(`(?is)^\s*alter\s+session\s+set\s+events\s*=?\s*'(.*)'\s*$`)
	identifierSetting = regexp.MustCompile(`(?i)tracefile_identifier\s*=\s*'?(\w+)'?`)
	sizeSetting       = regexp.MustCompile(`(?i)max_dump_file_size\s*=\s*'?unlimited'?`)
)

// setEvents is ALTER SESSION SET EVENTS: the pair of errors is the one of
// ORADEBUG (facts/oradebug.md 2.4).
func (s *Session) setEvents(text string) error {
	spec, err := oradebug.ParseSpecFor(text, s.Engine.model.Release.Language())
	var se *oradebug.SpecError
	if errors.As(err, &se) {
		lines := se.Lines()
		code, convErr := strconv.Atoi(lines[0][4:9])
		if convErr != nil {
			code = se.ORA
		}
		_, first, _ := strings.Cut(lines[0], ": ")
		return &Error{Code: code, Message: strings.Join(append([]string{first}, lines[1:]...), "\n")}
	}
	if err != nil {
		return err
	}
	s.Engine.model.Locked(func() {
		if p := s.Self.Proc; p != nil {
			p.Set(instance.OfSession, spec)
		}
	})
	return nil
}

func (s *Session) container(name string) error {
	d := s.Engine.model
	found := false
	d.Locked(func() {
		if strings.EqualFold(name, "cdb$root") && d.CDB {
			s.Self.ConID, found = 1, true
		}
		for _, p := range d.PDBs {
			if strings.EqualFold(name, p.Name) {
				s.Self.ConID, found = p.ConID, true
			}
		}
	})
	if !found {
		return &Error{Code: 65011, Message: "Pluggable database " + strings.ToUpper(name) + " does not exist."}
	}
	return nil
}

// arguments orders the binds as the statement has them.
func arguments(st *translate.Statement, binds []Bind) ([]any, error) {
	byName, named := map[string]any{}, false
	for _, b := range binds {
		if b.Name != "" {
			named = true
			byName[strings.ToUpper(strings.TrimPrefix(b.Name, ":"))] = b.Value
		}
	}
	args := make([]any, len(st.Binds))
	for i, n := range st.Binds {
		var v any
		ok := false
		switch {
		case named:
			v, ok = byName[n]
		case i < len(binds):
			v, ok = binds[i].Value, true
		}
		if !ok {
			return nil, &Error{Code: 1008, Message: "not all variables bound"}
		}
		switch x := v.(type) {
		case time.Time:
			v = toDays(x)
		case string:
			v = null(x)
		}
		args[i] = v
	}
	if !named && len(binds) > len(st.Binds) {
		return nil, &Error{Code: 1036, Message: "illegal variable name/number"}
	}
	return args, nil
}

// mapError finds the ORA error that Oracle would raise where SQLite failed.
func mapError(err error, q string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "interrupted") {
		return &Error{Code: 1013, Message: "user requested cancel of current operation"}
	}
	text := err.Error()
	if m := oraText.FindStringSubmatch(text); m != nil {
		code, convErr := strconv.Atoi(m[1])
		if convErr == nil {
			return &Error{Code: code, Message: strings.TrimSpace(m[2])}
		}
	}
	for _, r := range sqliteErrors() {
		if m := r.re.FindStringSubmatch(text); m != nil {
			return r.make(q, m[1])
		}
	}
	return &Error{Code: 900, Message: fmt.Sprintf("invalid SQL statement (the simulator's SQL engine says: %s)", text)}
}

var oraText = regexp.MustCompile(`ORA-(\d{5}): ([^\n(]*)`)

type sqliteError struct {
	re   *regexp.Regexp
	make func(q, word string) *Error
}

func sqliteErrors() []sqliteError {
	fixed := func(code int, msg string) func(q, w string) *Error {
		return func(q, w string) *Error { return &Error{Code: code, Offset: offset(q, w), Message: msg} }
	}
	invalid := func(q, w string) *Error {
		name := strings.NewReplacer("[", "", "]", "", `"`, "").Replace(w)
		return &Error{Code: 904, Offset: offset(q, name), Message: `"` + strings.ReplaceAll(strings.ToUpper(name), ".", `"."`) + `": invalid identifier`}
	}
	return []sqliteError{
		{regexp.MustCompile(`no such table: (\S+)`), fixed(942, "table or view does not exist")},
		{regexp.MustCompile(`no such column: ([^ ]+)`), invalid},
		{regexp.MustCompile(`no such function: (\S+)`), invalid},
		{regexp.MustCompile(`ambiguous column name: (\S+)`), fixed(918, "column ambiguously defined")},
		{regexp.MustCompile(`wrong number of arguments to function (\w+)`), fixed(909, "invalid number of arguments")},
		{regexp.MustCompile(`misuse of aggregate:? (?:function )?(\w+)`), fixed(934, "group function is not allowed here")},
		{regexp.MustCompile(`SELECTs to the left and right of (\w+)`), fixed(1789, "query block has incorrect number of result columns")},
		{regexp.MustCompile(`incomplete (input)`), fixed(936, "missing expression")},
		{regexp.MustCompile(`near "([^"]*)": syntax error`), fixed(933, "SQL command not properly ended")},
	}
}

// offset is where a word stands in a statement, in bytes.
func offset(q, word string) int {
	return max(0, strings.Index(asciiLower(q), asciiLower(word)))
}

// asciiLower keeps the length, which strings.ToLower does not for broken
// UTF-8.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// FormatDate renders a date by the session's NLS_DATE_FORMAT.
func (s *Session) FormatDate(t time.Time) string {
	out, err := formatDate(t, s.dateMask)
	if err != nil {
		return t.Format("02-JAN-06")
	}
	return out
}
