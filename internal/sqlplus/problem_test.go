//go:build unix

package sqlplus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// One lost line yields a chain of SP2 errors while the exit status is 0.
func TestProblemP03_ChainOfSP2IsAFailure(t *testing.T) {
	c := start(t, playOptions(t, transcript{Exit: 0, Answers: []answer{
		{Has: "first", Lines: []string{`SP2-0734: unknown command beginning "recovery d..." - rest of line ignored.`, "SP2-0044: For a list of known commands enter HELP"}},
		{Has: "alter", Lines: []string{`SP2-0734: unknown command beginning "recovery d..." - rest of line ignored.`}},
	}}))
	lines, err := c.Do(context.Background(), "select 'first' from dual")
	if e := FindError(lines); err != nil || e == nil || e.Prefix != "SP2" || e.Number != 734 {
		t.Errorf("%q %v", lines, err)
	}
	if _, err := c.Query(context.Background(), "select 'first' x from dual"); err == nil || !strings.Contains(err.Error(), "SP2-0734") {
		t.Errorf("a query: %v", err)
	}
	if err := c.Exec(context.Background(), "alter session set x = 1"); err == nil || !strings.Contains(err.Error(), "SP2-0734") {
		t.Errorf("a statement: %v", err)
	}
}

// The child ends with 0 whatever happened; the output says ORA-01031.
func TestProblemP04_ExitStatusIsNotTheJudge(t *testing.T) {
	o := playOptions(t, transcript{Exit: 0, NotOn: true, Connect: []string{"ERROR:", "ORA-01031: insufficient privileges"}})
	if _, err := Start(context.Background(), o); exit.CodeOf(err) != exit.NotAllowed || !strings.Contains(err.Error(), "ORA-01031") {
		t.Errorf("logon: code %d, %v", exit.CodeOf(err), err)
	}
	c := start(t, playOptions(t, transcript{Exit: 0, Answers: []answer{{Has: "select", Lines: []string{"select x", "       *", "ERROR at line 1:", "ORA-01031: insufficient privileges"}}}}))
	_, err := c.Query(context.Background(), "select x from v$session")
	var e *OracleError
	if e, _ = err.(*OracleError); e == nil || e.Code() != 1031 {
		t.Errorf("query: %v", err)
	}
	// A query that says nothing at all has not worked either.
	c = start(t, playOptions(t, transcript{}))
	if r, err := c.Query(context.Background(), "select x from v$session"); err == nil {
		t.Errorf("silence is taken as %v", r)
	}
}

// From 12.2 on ORACLE_PATH is searched for login.sql, before SQLPATH and the
// current folder: none of them reaches the child. A glogin.sql runs whatever
// we do, and is undone by the settings that follow.
func TestProblemP07_LoginScriptsAreNeutralised(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	o := playOptions(t, transcript{Record: record})
	o.Environ = append(o.Environ, "SQLPATH=/home/dba/sql", "ORACLE_PATH=/home/dba/sql", "NLS_LANG=GERMAN_GERMANY.WE8MSWIN1252", "NLS_DATE_FORMAT=DD.MM.YY", "NLS_SORT=GERMAN", "ORACLE_SID=ORCL")
	start(t, o)
	r := readRecord(t, record)
	for _, e := range r.Environ {
		switch name, value, _ := strings.Cut(e, "="); name {
		case "SQLPATH", "ORACLE_PATH", "NLS_DATE_FORMAT", "NLS_SORT":
			t.Errorf("the child has %s", e)
		case "NLS_LANG":
			if value != "AMERICAN_AMERICA.AL32UTF8" {
				t.Errorf("the child has %s", e)
			}
		}
	}
	if !slices.Contains(r.Environ, "ORACLE_SID=ORCL") {
		t.Error("ORACLE_SID did not reach the child")
	}
	if r.Files != 0 || !strings.HasPrefix(r.Dir, o.TempDir) {
		t.Errorf("the working folder %s holds %d files", r.Dir, r.Files)
	}
	login := filepath.Join(t.TempDir(), "glogin.sql")
	hostile := "prompt welcome to the database\nselect 'ORA-00600' from dual;\nset define on\nset sqlprompt \"SQL> \"\nset feedback off\nset heading on\nset pagesize 14\nset linesize 40\nset echo on\n" +
		"set sqlterminator off\nset numwidth 3\nset null NIL\nset colsep |\nset trimout off\nset time on\nset timing on\nset sqlblanklines on\ndefine ringtrace = hello\n" +
		"column username format a3\n"
	if err := os.WriteFile(login, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, simOptions(t, "?sessions=10", "_SQLPLUS_TEST_LOGIN="+login))
	res, err := c.Query(context.Background(), "select s.username, 'a  &ringtrace' lit from v$session s where s.username = :1", named("SYS")...)
	if err != nil || len(res.Rows) == 0 || res.Rows[0][0] != "SYS" || res.Rows[0][1] != "a  &ringtrace" {
		t.Errorf("after a hostile glogin.sql: %v %v", res, err)
	}
}

// The password is in nobody's argument list or environment, and in nothing
// that is written or printed.
func TestProblemP13_PasswordIsOnStandardInputOnly(t *testing.T) {
	const password = "tig3r S3cret&x"
	record := filepath.Join(t.TempDir(), "record")
	var dialogue bytes.Buffer
	o := playOptions(t, transcript{
		Record: record, Connect: []string{"ERROR:", "ORA-28002: the password " + password + " will expire", "Connected."},
		Answers: []answer{{Has: "select", Lines: []string{"your password is " + password}}},
	})
	o.Target = connect.Target{Kind: connect.Remote, User: "sys", Address: "db1:1521/s", Role: "SYSDBA"}
	o.Password, o.Dialogue = password, &dialogue
	o.Environ = append(o.Environ, "RINGTRACE_PASSWORD="+password, "RINGTRACE_PASSWORD_2="+password)
	c := start(t, o)
	if _, err := c.Do(context.Background(), "select 1 from dual"); err != nil {
		t.Fatal(err)
	}
	r := readRecord(t, record)
	if got := strings.Join(r.Args[1:], " "); got != "-S -L /nolog" {
		t.Errorf("arguments %q", got)
	}
	for _, e := range r.Environ {
		// What the played sqlplus is to answer holds the password and is in a
		// variable of its own.
		if strings.Contains(e, "tig3r") && !strings.HasPrefix(e, playTranscript) {
			t.Errorf("the child's environment holds the password: %s", e)
		}
	}
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	if len(all) == 0 {
		t.Error("no process list here: nothing was checked")
	}
	for _, path := range all {
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte("tig3r")) {
			t.Errorf("%s holds the password", path)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if s := dialogue.String(); strings.Contains(s, "tig3r") || !strings.Contains(s, `> connect sys/"********"@db1:1521/s as sysdba`) {
		t.Errorf("the dialogue:\n%s", s)
	}
	refused := playOptions(t, transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-01017: invalid " + password}})
	refused.Target, refused.Password = o.Target, password
	_, err := Start(context.Background(), refused)
	if err == nil || strings.Contains(err.Error()+exit.HintOf(err), "tig3r") || exit.CodeOf(err) != exit.CannotConnect {
		t.Errorf("the refusal: %v", err)
	}
	quoted := refused
	quoted.Password = `a"b`
	if _, err := Start(context.Background(), quoted); exit.CodeOf(err) != exit.Usage {
		t.Errorf("a quote in the password: %v", err)
	}
}

// A local connection goes through sqlplus, and its failures name the variables
// that were seen.
func TestProblemP15_LocalConnectionNamesTheVariables(t *testing.T) {
	for number, text := range map[string]string{"ORA-12154": "TNS:could not resolve", "ORA-01017": "invalid username/password", "ORA-01034": "ORACLE not available"} {
		o := playOptions(t, transcript{NotOn: true, Connect: []string{"ERROR:", number + ": " + text}})
		o.Environ = append(o.Environ, "ORACLE_SID=ORCL", "TWO_TASK=")
		_, err := Start(context.Background(), o)
		for _, want := range []string{"ORACLE_SID=ORCL", "TWO_TASK="} {
			if exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(exit.HintOf(err), want) {
				t.Errorf("%s: code %d, hint %q", number, exit.CodeOf(err), exit.HintOf(err))
			}
		}
	}
	c := start(t, simOptions(t, "?sessions=10"))
	res, err := c.Query(context.Background(), "select i.instance_name from v$instance i")
	if err != nil || len(res.Rows) != 1 {
		t.Errorf("/ as sysdba: %v %v", res, err)
	}
}

// A request may wait on its target: it costs its own time-out, only our own
// child is stopped, and a new conversation works.
func TestProblemO05_RequestThatWaitsOnItsTarget(t *testing.T) {
	o := playOptions(t, transcript{Swallow: true, Answers: []answer{{Has: "setorapid 40", Act: "stall"}}})
	c := start(t, o)
	if _, err := c.Do(context.Background(), "oradebug setorapid 38"); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if _, err := c.Do(within(t, 200*time.Millisecond), "oradebug setorapid 40"); err == nil {
		t.Fatal("it was answered")
	}
	if d := time.Since(begun); d > 10*time.Second {
		t.Errorf("one stuck target cost %v", d)
	}
	again := start(t, playOptions(t, transcript{}))
	if _, err := again.Do(context.Background(), "oradebug setorapid 41"); err != nil {
		t.Errorf("block 3: %v", err)
	}
}

// An instance that hangs, or has no process left, does not answer the logon:
// the way that is left is named, and what it cannot do.
func TestProblemP17_InstanceThatDoesNotAnswer(t *testing.T) {
	hung := playOptions(t, transcript{Connect: []string{}, Hang: true})
	hung.ConnectTimeout = 300 * time.Millisecond
	full := playOptions(t, transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-00020: maximum number of processes (300) exceeded"}})
	for name, o := range map[string]Options{"hung": hung, "full": full} {
		_, err := Start(context.Background(), o)
		if exit.CodeOf(err) != exit.CannotConnect {
			t.Errorf("%s: code %d, %v", name, exit.CodeOf(err), err)
		}
		for _, want := range []string{"sqlplus -prelim", "no V$ query works there", "--prelim"} {
			if !strings.Contains(exit.HintOf(err), want) {
				t.Errorf("%s: the hint lacks %q: %s", name, want, exit.HintOf(err))
			}
		}
		if strings.Contains(exit.HintOf(err), "tnsping") {
			t.Errorf("%s: a local connection has no network: %s", name, exit.HintOf(err))
		}
	}
}
