//go:build unix

package sqlplus

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
)

func named(values ...driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(values))
	for i, v := range values {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

// hostile are texts that a careless client gets wrong.
var hostile = []string{
	"APP", " ", "  two  ", "trailing   ", "\ttab", "line\nend", "cr\r\n", "nul\x00byte", "&amp &x", "it's", `"q"`, `back\slash\n`, "a|b|~", "~r|+1:x|~", "^caret^",
	"~e|~", "~~E:0123456789abcdef:5", "ORA-00600: internal", "SP2-0640: Not connected", "R&D-", "-", "/", ".", "#", ";", "--x", "/*", "a;", "x -", "naïve", "日本語", "😀", "\u2028", "\x1b[2J", "\x7f",
	strings.Repeat("x", 899), strings.Repeat("é", 901), strings.Repeat("a b\n", 150), strings.Repeat("'", 1500), strings.Repeat(" ", 3000),
}

func TestQueryReturnsEveryTextAsItIs(t *testing.T) {
	c := start(t, simOptions(t, "?sessions=1"))
	for _, form := range []string{"short", "long"} {
		for _, want := range hostile {
			if strings.Contains(want, "\x00") {
				continue // the simulator's database has no NUL bytes: see TestGuard
			}
			res, err := ask(c, form, "select :1 v, 1 n, null z from dual", want)
			if err != nil {
				t.Errorf("%s %.40q: %v", form, want, err)
				continue
			}
			if len(res.Rows) != 1 || res.Rows[0][0] != want || res.Rows[0][1] != "1" || res.Rows[0][2] != nil {
				t.Errorf("%s %.40q came as %.60q", form, want, res.Rows)
			}
		}
	}
}

// ask runs a query in one of its forms.
func ask(c *Conversation, form, text string, args ...driver.Value) (r *Result, err error) {
	s, err := parseStatement(text, named(args...))
	if err != nil {
		return nil, err
	}
	q, err := parseQuery(s)
	if err != nil {
		return nil, err
	}
	err = c.Locked(context.Background(), func(l *Locked) error {
		if form == "long" {
			r, err = l.long(context.Background(), q)
		} else {
			r, err = l.short(context.Background(), q)
		}
		return err
	})
	return r, err
}

func TestValuesBeyondAVarchar(t *testing.T) {
	c := start(t, simOptions(t, "?sessions=1"))
	for _, form := range []string{"short", "long"} {
		res, err := ask(c, form, "select rpad('x', 3000, 'ab ') || rpad('y', 3999, 'c') || rpad('z', 3500, '|\\^') v, 'end' e from dual")
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		v := fmt.Sprint(res.Rows[0][0])
		if len(v) != 10499 || !strings.HasSuffix(v, `|\^|`) || !strings.HasPrefix(v, "xab ab ") || res.Rows[0][1] != "end" {
			t.Errorf("%s: %d characters, %.20q … %q", form, len(v), v, v[max(0, len(v)-10):])
		}
	}
}

// When the short form is refused, the long one is asked.
func TestLongFormFollowsARefusal(t *testing.T) {
	for _, refusal := range []string{"ORA-01489: result of string concatenation is too long", "ORA-22835: Buffer too small for CLOB to CHAR or BLOB to RAW conversion (actual: 9000, maximum: 4000)"} {
		c := start(t, playOptions(t, transcript{Answers: []answer{
			{Has: "row_number", Lines: []string{"~q|1|1|2|+901:z|~", "~q|1|1|1|+901:" + strings.Repeat("y", 900) + "|~", "~q|1|2|1|-|~", "~e|~", ""}},
			{Has: "greatest", Lines: []string{"~r|+3:901|~", "~e|~"}},
			{Has: "~r|", Lines: []string{"select t from …", "*", "ERROR at line 1:", refusal, "", ""}},
		}}))
		res, err := c.Query(context.Background(), "select a, b from t")
		if err != nil || len(res.Rows) != 1 || res.Rows[0][0] != strings.Repeat("y", 900)+"z" || res.Rows[0][1] != nil {
			t.Errorf("%s: %v %v", refusal, res, err)
		}
	}
}

func TestDamagedAnswersAreErrors(t *testing.T) {
	for name, lines := range map[string][]string{
		"no end":         {"~r|+1:x|-|~"},
		"cut row":        {"~r|+1:x|-", "~e|~"},
		"a field less":   {"~r|+1:x|~", "~e|~"},
		"a field more":   {"~r|+1:x|-|-|~", "~e|~"},
		"wrong length":   {"~r|+2:x|-|~", "~e|~"},
		"unknown escape": {`~r|+1:\q|-|~`, "~e|~"},
		"no length":      {"~r|x|-|~", "~e|~"},
		"error after":    {"~r|+1:x|-|~", "ERROR:", "ORA-01555: snapshot too old"},
		"error and end":  {"~r|+1:x|-|~", "ORA-01555: snapshot too old", "~e|~"},
		"piece":          {"~q|1|1|1|-|~", "~e|~"},
	} {
		c := start(t, playOptions(t, transcript{Answers: []answer{{Has: "greatest", Lines: []string{"~r|+1:1|~", "~e|~"}}, {Has: "select", Lines: lines}}}))
		if res, err := c.Query(context.Background(), "select a, b from t"); err == nil {
			t.Errorf("%s: taken as %q", name, res.Rows)
		}
	}
}

func TestFoldedRowsArePutTogether(t *testing.T) {
	c := start(t, playOptions(t, transcript{Answers: []answer{{Has: "select", Lines: []string{"~r|+10:abc^^", "defgh|", "-|~", "", "2 rows selected.", "~e|~"}}}}))
	res, err := c.Query(context.Background(), "select a, b from t")
	if err != nil || !reflect.DeepEqual(res.Rows, [][]driver.Value{{"abc  defgh", nil}}) {
		t.Errorf("%v %v", res, err)
	}
}

func TestTimesComeAsTimes(t *testing.T) {
	o := playOptions(t, transcript{})
	o.Random = strings.NewReader("01234567")
	c := start(t, o)
	g := c.tags()
	for text, want := range map[string]any{
		g.date + "2026-03-14 15:09:26":                          time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC),
		g.timestamp + "2026-03-14 15:09:26.123456000":           time.Date(2026, 3, 14, 15, 9, 26, 123456000, time.UTC),
		g.zoned + "2026-03-14 15:09:26.100000000 +02:00":        time.Date(2026, 3, 14, 13, 9, 26, 100000000, time.UTC),
		"~d01234567 2026-03-14 15:09:26":                        "~d01234567 2026-03-14 15:09:26", // a text of the database: it knows no nonce
		"2026-03-14 15:09:26":                                   "2026-03-14 15:09:26",
		g.date + "9999-99-99 99:99:99":                          "9999-99-99 99:99:99",
		strings.TrimSuffix(g.date, " ") + "2026-03-14 15:09:26": strings.TrimSuffix(g.date, " ") + "2026-03-14 15:09:26",
	} {
		got := g.typed(text)
		if at, ok := got.(time.Time); ok {
			if w, ok := want.(time.Time); !ok || !at.Equal(w) {
				t.Errorf("%q is %v, want %v", text, got, want)
			}
		} else if got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

func TestOrderIsKept(t *testing.T) {
	c := start(t, simOptions(t, "?sessions=30"))
	for query, less := range map[string]func(a, b int) bool{
		"select s.sid from v$session s order by s.sid":                                 func(a, b int) bool { return a < b },
		"select s.sid from v$session s order by 1 desc":                                func(a, b int) bool { return a > b },
		"select s.sid, s.username from v$session s order by s.serial# * 0, s.sid desc": func(a, b int) bool { return a > b },
		"select distinct s.sid from v$session s order by 1":                            func(a, b int) bool { return a < b },
		"with x as (select s.sid from v$session s) select x.sid from x order by x.sid": func(a, b int) bool { return a < b },
	} {
		for _, form := range []string{"short", "long"} {
			res, err := ask(c, form, query)
			if err != nil {
				t.Errorf("%s, %s: %v", query, form, err)
				continue
			}
			last := -1
			for i, r := range res.Rows {
				n, err := strconv.Atoi(fmt.Sprint(r[0]))
				if err != nil {
					t.Fatal(err)
				}
				if i > 0 && !less(last, n) {
					t.Errorf("%s, %s: %d follows %d", query, form, n, last)
					break
				}
				last = n
			}
			if len(res.Rows) < 30 {
				t.Errorf("%s, %s: %d rows", query, form, len(res.Rows))
			}
		}
	}
}

func TestDriver(t *testing.T) {
	c := start(t, simOptions(t, "?sessions=20"))
	db := c.OpenDB()
	defer db.Close()
	var sid int
	var name sql.NullString
	var when string
	err := db.QueryRow(`select s.sid, s.username, to_char(s.logon_time, 'YYYY') y -- a comment; with a semicolon
		from v$session s where s.username = :1 and s.sid > :2 and rownum = 1;`, "APP", 0).Scan(&sid, &name, &when)
	if err != nil || sid == 0 || name.String != "APP" || len(when) != 4 {
		t.Errorf("%d %v %s: %v", sid, name, when, err)
	}
	if err := db.QueryRow("select s.sid from v$session s where s.username = :1", "nobody").Scan(&sid); err != sql.ErrNoRows {
		t.Errorf("no row: %v", err)
	}
	_, err = db.Query("select s.nothing from v$session s")
	if e, _ := err.(*OracleError); e == nil || e.Code() != 904 {
		t.Errorf("ORA-00904: %v", err)
	}
	if _, err := db.Exec("alter session set cursor_sharing = force"); err != nil {
		t.Error(err)
	}
	if _, err := db.Begin(); err == nil {
		t.Error("a transaction began")
	}
	rows, err := db.Query("select s.sid, s.serial# n from v$session s where s.username in (:1, :who)", "APP", sql.Named("who", "BATCH"))
	if err != nil {
		t.Fatal(err)
	}
	cols, _ := rows.Columns()
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Close(); err != nil || !reflect.DeepEqual(cols, []string{"SID", "N"}) || n != 16 {
		t.Errorf("%v %d rows, %v", cols, n, err)
	}
	for _, q := range []string{"select * from v$session", "select s.* from v$session s", "update x set y = 1", "select 1", "select 1 from dual for update", "select :3 x from dual"} {
		if _, err := db.Query(q, 1); err == nil {
			t.Errorf("%s was run", q)
		}
	}
}

func TestLostSessionIsTold(t *testing.T) {
	c := start(t, playOptions(t, transcript{Answers: []answer{{Has: "one", Lines: []string{"ORA-03113: end-of-file on communication channel"}}, {Has: "two", Lines: []string{"SP2-0640: Not connected"}}}}))
	for q, want := range map[string]int{"select 'one' x from dual": 3113, "select 'two' x from dual": 1012} {
		_, err := c.Query(context.Background(), q)
		if e, _ := err.(*OracleError); e == nil || e.Code() != want {
			t.Errorf("%s: %v", q, err)
		}
	}
}

func TestDriverErrorsCarryExitCodes(t *testing.T) {
	o := playOptions(t, transcript{Answers: []answer{{Has: "slow", Act: "stall"}, {Has: "boom", Act: "die"}, {Has: "denied", Lines: []string{"ORA-00942: table or view does not exist"}}}})
	o.Grace = 10 * time.Second
	c := start(t, o)
	db := c.OpenDB()
	defer db.Close()
	for _, q := range []struct {
		name string
		code exit.Code
		hint string
	}{{"denied", exit.Failed, ""}, {"slow", exit.CannotConnect, "load"}, {"boom", exit.CannotConnect, "--dialogue"}, {"any", exit.CannotConnect, "--dialogue"}} {
		limit := 20 * time.Second
		if q.name == "slow" {
			limit = 200 * time.Millisecond
		}
		_, err := db.QueryContext(within(t, limit), "select '"+q.name+"' x from dual")
		if exit.CodeOf(err) != q.code || !strings.Contains(exit.HintOf(err), q.hint) || err == nil {
			t.Errorf("%s: code %d, %v, %q", q.name, exit.CodeOf(err), err, exit.HintOf(err))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := db.QueryContext(ctx, "select 'x' x from dual"); !errors.Is(err, context.Canceled) {
		t.Errorf("an interruption: %v", err)
	}
}
