package sessions

import (
	"database/sql"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// The condition is evaluated by a database that we did not write, for random
// selectors over random sessions, and has to agree with Match. SQLite stands in
// for Oracle where both do the same: three-valued logic, LIKE … ESCAPE, upper.
func TestWhereAgreesWithMatch(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(q string, args ...any) {
		t.Helper()
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	exec("pragma case_sensitive_like = on")
	exec(`create table s (id integer, inst_id integer, sid integer, serial_ integer, username text, service_name text, program text, module text,
		action text, client_identifier text, client_info text, machine text, osuser text, sql_id text, con_name text, status text)`)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	word := func() string {
		return pick("", "", "APP", "app", "App", "A_P", "A%", `D\u`, `D\\u`, "AP P", "!x", "it's", "é")
	}
	var list []Session
	for i := range 120 {
		s := Session{InstID: 1 + rng.IntN(3), SID: 1 + rng.IntN(4), Serial: 1 + rng.IntN(3)}
		for _, c := range []column{
			colUsername, colServiceName, colProgram, colModule, colAction, colClientIdentifier, colClientInfo,
			colMachine, colOSUser, colSQLID, colConName, colStatus,
		} {
			r := Row{Session: s}
			*r.textOf(c) = word()
			s = r.Session
		}
		list = append(list, s)
		args := []any{i, s.InstID, s.SID, s.Serial}
		for _, f := range Fields() {
			var v any
			if x := s.text(f); x != "" {
				v = x
			}
			args = append(args, v)
		}
		cols := []string{"id", "inst_id", "sid", "serial_"}
		for _, f := range Fields() {
			cols = append(cols, string(f))
		}
		exec("insert into s ("+strings.Join(cols, ",")+") values (?"+strings.Repeat(",?", len(args)-1)+")", args...)
	}
	placeholder := regexp.MustCompile(`:(\d+)`)
	hits := 0
	for range 3000 {
		sel := &Selector{Like: rng.IntN(2) == 0, IgnoreCase: rng.IntN(3) == 0}
		for range rng.IntN(4) {
			v := pick("APP", "app", "A_P", "A%", "%P", `D\u`, `D\\u`, `A\_P`, `\%`, "%", "_", "__P", `\`, "it's", "é", "É", "AP P", `\!x`)
			if rng.IntN(3) == 0 {
				v = "!" + v
			}
			f := Fields()[rng.IntN(len(Fields()))]
			if err := sel.Add(f, v); err != nil {
				t.Fatal(err)
			}
		}
		for range rng.IntN(3) {
			_ = sel.AddInst(pick("1", "2", "!1", "!3"))
		}
		for range rng.IntN(3) {
			_ = sel.AddSID(pick("1", "2,1", "3,2,@1", "!1", "!2,2", "!4,1,@2"))
		}
		if sel.IgnoreCase && strings.Contains(sel.String(), "é") || strings.Contains(sel.String(), "É") {
			continue // SQLite's upper knows ASCII only
		}
		var args []any
		cond := sel.Where("s.inst_id", "s.con_name", func(v any) string {
			args = append(args, v)
			return ":" + itoa(len(args))
		})
		if cond == "" {
			cond = "1 = 1"
		}
		cond = placeholder.ReplaceAllString(strings.ReplaceAll(cond, "serial#", "serial_"), "?$1")
		rows, err := db.Query("select id from s where "+cond, args...)
		if err != nil {
			t.Fatalf("%s\n%s: %v", sel, cond, err)
		}
		got := map[int]bool{}
		for rows.Next() {
			var id int
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			got[id] = true
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		for i := range list {
			want := sel.Match(&list[i])
			if want {
				hits++
			}
			if got[i] != want {
				t.Fatalf("%s\n%s %v\n%+v: database %v, Match %v", sel, cond, args, list[i], got[i], want)
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d matches: the test compares too little", hits)
	}
}
