package sessions

import (
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/shell"
)

// Field is a text column that a selector can ask for; its value is the
// inventory's column name.
type Field string

// The selectable text columns.
const (
	FieldUsername   Field = "username"
	FieldService    Field = "service_name"
	FieldProgram    Field = "program"
	FieldModule     Field = "module"
	FieldAction     Field = "action"
	FieldClientID   Field = "client_identifier"
	FieldClientInfo Field = "client_info"
	FieldMachine    Field = "machine"
	FieldOSUser     Field = "osuser"
	FieldSQLID      Field = "sql_id"
	FieldPDB        Field = "con_name"
	FieldStatus     Field = "status"
)

// flagOf names the command-line flag of each field, in the order in which
// conditions are printed.
var flagOf = []struct {
	field Field
	flag  string
}{
	{FieldUsername, "username"},
	{FieldService, "service"},
	{FieldProgram, "program"},
	{FieldModule, "module"},
	{FieldAction, "action"},
	{FieldClientID, "client-id"},
	{FieldClientInfo, "client-info"},
	{FieldMachine, "machine"},
	{FieldOSUser, "osuser"},
	{FieldSQLID, "sql-id"},
	{FieldPDB, "pdb"},
	{FieldStatus, "status"},
}

// Flag returns the command-line flag that sets the field, without dashes.
func (f Field) Flag() string {
	for _, e := range flagOf {
		if e.field == f {
			return e.flag
		}
	}
	return string(f)
}

// Fields lists the selectable text columns in printing order.
func Fields() []Field {
	out := make([]Field, len(flagOf))
	for i, e := range flagOf {
		out[i] = e.field
	}
	return out
}

// Selector says which application sessions are wanted. Terms of one field are
// alternatives (OR); different fields, instances and sids all have to hold
// (AND); a negated term excludes. The zero Selector matches every application
// session. It only ever narrows: what is never a target stays out (Classify).
//
// There is no free predicate, on purpose: conditions are typed and reach the
// database as binds.
type Selector struct {
	Terms      []Term
	Insts      []InstTerm
	SIDs       []SIDTerm
	Like       bool // text values are patterns with % and _
	IgnoreCase bool
	AllApp     bool // asked for by name; generate and enable demand it or a term
}

// Term is one condition on a text column. Value is as typed after the "!".
type Term struct {
	Field  Field
	Value  string
	Negate bool
}

// InstTerm is one condition on the instance number.
type InstTerm struct {
	InstID int
	Negate bool
}

// SIDTerm is one condition on the session; Serial and InstID 0 mean any.
type SIDTerm struct {
	SID    int
	Serial int
	InstID int
	Negate bool
}

// IsZero reports whether the selector holds no condition at all; AllApp is
// not a condition.
func (s *Selector) IsZero() bool {
	return len(s.Terms) == 0 && len(s.Insts) == 0 && len(s.SIDs) == 0
}

// Add appends a condition on a text column as typed: a leading "!" negates,
// and "\!" stands for a value that starts with an exclamation mark.
//
// An empty value is refused: it is what an unset shell variable leaves, and
// Oracle knows no empty text, only NULL.
func (s *Selector) Add(f Field, raw string) error {
	t := Term{Field: f, Value: raw}
	if v, ok := strings.CutPrefix(raw, "!"); ok {
		t.Negate, t.Value = true, v
	} else if strings.HasPrefix(raw, `\!`) {
		t.Value = raw[1:]
	}
	if t.Value == "" {
		return usagef(fmt.Sprintf("give a value; for sessions without one type --like --%s '!%%'", f.Flag()),
			"--%s is empty", f.Flag())
	}
	if strings.ContainsRune(t.Value, 0) {
		return usagef("remove the NUL character", "--%s holds a NUL character", f.Flag())
	}
	s.Terms = append(s.Terms, t)
	return nil
}

// AddInst appends a condition on the instance number: "2" or "!2".
func (s *Selector) AddInst(raw string) error {
	v, neg := strings.CutPrefix(raw, "!")
	n, ok := positive(v)
	if !ok {
		return usagef("give the instance number, for example --inst 2", "--inst %q is not an instance number", raw)
	}
	s.Insts = append(s.Insts, InstTerm{InstID: n, Negate: neg})
	return nil
}

// AddSID appends a condition on the session: SID[,SERIAL#[,@INST]], negated
// by a leading "!". A sid alone is taken on every instance.
func (s *Selector) AddSID(raw string) error {
	v, neg := strings.CutPrefix(raw, "!")
	t := SIDTerm{Negate: neg}
	parts := strings.Split(v, ",")
	bad := func(what string) error {
		return usagef("type --sid SID, --sid SID,SERIAL# or --sid SID,SERIAL#,@INST, for example --sid 123,4567,@2",
			"--sid %q: %s", raw, what)
	}
	if len(parts) > 3 {
		return bad("too many parts")
	}
	var ok bool
	if t.SID, ok = positive(parts[0]); !ok {
		return bad("the sid is not a number")
	}
	if len(parts) > 1 {
		if t.Serial, ok = positive(parts[1]); !ok {
			return bad("the serial# is not a number")
		}
	}
	if len(parts) > 2 {
		inst, at := strings.CutPrefix(strings.TrimSpace(parts[2]), "@")
		if !at {
			return bad("the instance needs an @ before it")
		}
		if t.InstID, ok = positive(inst); !ok {
			return bad("the instance is not a number")
		}
	}
	s.SIDs = append(s.SIDs, t)
	return nil
}

// Normalize brings the values into the form that is compared: STATUS has a
// fixed set of upper-case words, so it is taken in any case. It returns an
// error for a status that no session can have.
func (s *Selector) Normalize() error {
	for i := range s.Terms {
		t := &s.Terms[i]
		if t.Field != FieldStatus {
			continue
		}
		t.Value = strings.ToUpper(t.Value)
		if s.Like {
			continue
		}
		switch t.Value {
		case "ACTIVE", "INACTIVE", "CACHED", "SNIPED", "KILLED":
		default:
			return usagef("type ACTIVE, INACTIVE, CACHED, SNIPED or KILLED (killed sessions are listed, never traced)",
				"--status %q is no session status", t.Value)
		}
	}
	return nil
}

// String prints the selector as the command-line flags that make it, quoted
// for a POSIX shell where needed.
func (s *Selector) String() string {
	var b []string
	add := func(flag, value string, neg bool) {
		if neg {
			value = "!" + value
		} else if strings.HasPrefix(value, "!") {
			value = `\` + value
		}
		b = append(b, "--"+flag+" "+shell.Quote(value))
	}
	for _, e := range flagOf {
		for _, t := range s.Terms {
			if t.Field == e.field {
				add(e.flag, t.Value, t.Negate)
			}
		}
	}
	for _, t := range s.Insts {
		add("inst", strconv.Itoa(t.InstID), t.Negate)
	}
	for _, t := range s.SIDs {
		v := strconv.Itoa(t.SID)
		if t.Serial != 0 {
			v += "," + strconv.Itoa(t.Serial)
			if t.InstID != 0 {
				v += ",@" + strconv.Itoa(t.InstID)
			}
		}
		add("sid", v, t.Negate)
	}
	if s.Like {
		b = append(b, "--like")
	}
	if s.IgnoreCase {
		b = append(b, "--ignore-case")
	}
	if s.AllApp || len(b) == 0 {
		b = append(b, "--all-app")
	}
	return strings.Join(b, " ")
}

// positive parses a decimal number from 1 to 2^31-1, blanks around it allowed.
func positive(v string) (int, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32)
	if err != nil || n < 1 || strings.ContainsAny(v, "+-") {
		return 0, false
	}
	return int(n), true
}
