package sqlplusd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

type world struct {
	db   *instance.Database
	pool *engine.Pool
	dir  string
}

func newWorld(t *testing.T, rel string) *world {
	t.Helper()
	r, err := release.Find(rel)
	if err != nil {
		t.Fatal(err)
	}
	db := instance.New(instance.Config{Release: r, Sessions: 10, Seed: 1, Now: fixedNow})
	db.Quiet(10)
	w := &world{db: db, pool: engine.NewPool(db), dir: t.TempDir()}
	t.Cleanup(w.pool.Close)
	return w
}

func (w *world) run(t *testing.T, stdin string, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code, err := Main(context.Background(), Config{
		DB: w.db, Engine: w.pool.Get, Stdin: strings.NewReader(stdin), Stdout: &out, Files: Dir(w.dir), Env: map[string]string{}, OSAuth: true,
		Machine: "client1", OSUser: "dba", PID: "99", Login: []string{"login.sql"},
	}, args)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), code
}

const quiet = "set feedback off heading off pagesize 0\n"

// TestMarkupCSV: SET MARKUP CSV, from 12.2 on.
func TestMarkupCSV(t *testing.T) {
	const ask = "connect / as sysdba\nset feedback off\nset markup csv on%s\nselect 7 n, 'a \"b\", c' s, null x from dual;\nset markup csv off\nselect 7 n from dual;\nexit\n"
	for _, c := range []struct{ release, more, want string }{
		{"19c", "", "\n\"N\",\"S\",\"X\"\n7,\"a \"\"b\"\", c\",\n"},
		{"12.2", " delimiter | quote off", "\nN|S|X\n7|a \"b\", c|\n"},
	} {
		w := newWorld(t, c.release)
		out, code := w.run(t, strings.Replace(ask, "%s", c.more, 1), "-S", "/nolog")
		if code != 0 || !strings.Contains(out, c.want) || !strings.Contains(out, "----------\n         7\n") {
			t.Errorf("%s%s: exit %d\n%s", c.release, c.more, code, out)
		}
	}
	w := newWorld(t, "12.1")
	if out, _ := w.run(t, strings.Replace(ask, "%s", "", 1), "-S", "/nolog"); strings.Contains(out, `"N"`) {
		t.Errorf("12.1 wrote CSV:\n%s", out)
	}
}

// TestCommands: what SQL*Plus answers, line by line
// (facts/views-and-sqlplus.md 3.3 to 3.6).
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name, script, want string
		code               int
	}{
		{"prompt", "prompt hello  world\nexit\n", "hello  world\n", 0},
		{"exit code modulo 256", "exit 942\n", "", 174},
		{"exit failure", "exit failure\n", "", 1},
		{"exit at end of input", "prompt x\n", "x\n", 0},
		{"comments", "rem nothing\n-- nothing\n/* nothing\nnothing */\nprompt x\n", "x\n", 0},
		{"select", quiet + "select 'a' from dual;\n", "a\n", 0},
		{"slash runs again", quiet + "select 'a' from dual;\n/\n", "a\na\n", 0},
		{"terminator and slash run twice", quiet + "select 'a' from dual;\n/\nprompt end\n", "a\na\nend\n", 0},
		{"nothing to run", "/\n", "SP2-0103: Nothing in SQL buffer to run.\n", 0},
		{"unknown command", "recovery database\n", "SP2-0734: unknown command beginning \"recovery d...\" - rest of line ignored.\n", 0},
		{"unknown short command", "foo\n", "SP2-0042: unknown command \"foo\" - rest of line ignored.\n", 0},
		{"unknown option", "set foo on\n", "SP2-0158: unknown SET option \"foo\"\n", 0},
		{"blank line ends a statement", quiet + "select 'a'\n\nfrom dual;\nprompt x\n", "SP2-0042: unknown command \"from dual\" - rest of line ignored.\nx\n", 0},
		{"blank line with sqlblanklines", quiet + "set sqlblanklines on\nselect 'a'\n\nfrom dual;\n", "a\n", 0},
		{"define", "define x=abc\nprompt &x..\n", "abc.\n", 0},
		{"define off", "set define off\nprompt R&D\n", "R&D\n", 0},
		{"undefined swallows a line", "prompt &nothing!\nthe next line\nprompt end\n", "Enter value for nothing:\nthe next line!\nend\n", 0},
		{"define character", "set define ^\ndefine x=1\nprompt ^x & &x\n", "1 & &x\n", 0},
		{"variable as first word", "define x=prompt\n&x hello\n", "SP2-0042: unknown command \"&x hello\" - rest of line ignored.\n", 0},
		{"new_value", quiet + "column c new_value v\nselect 'got' c from dual;\nprompt v=&v\n", "got\nv=got\n", 0},
		{"new_value without a row", quiet + "define v=old\ncolumn c new_value v\nselect 'got' c from dual where 1=0;\nprompt v=&v\n", "v=old\n", 0},
		{"continuation", "prompt one -\ntwo\n", "one two\n", 0},
		{"oradebug without target", "oradebug eventdump session\n", "ORA-00074: no process has been specified\n", 0},
		{"whenever does not see oradebug", "whenever sqlerror exit 3\noradebug eventdump session\nprompt on\n", "ORA-00074: no process has been specified\non\n", 0},
		{"whenever sees sql", "whenever sqlerror exit 3\nselect * from nowhere;\nprompt never\n", "select * from nowhere\n              *\nERROR at line 1:\nORA-00942: table or view does not exist\n\n\n", 3},
		{"sqlcode as exit code", "whenever sqlerror exit sql.sqlcode\nselect * from nowhere;\n", "select * from nowhere\n              *\nERROR at line 1:\nORA-00942: table or view does not exist\n\n\n", 174},
		{"error in the second line", "select 1,\n nosuch from dual;\n", " nosuch from dual\n *\nERROR at line 2:\nORA-00904: \"NOSUCH\": invalid identifier\n\n\n", 0},
		{"failed connect", "connect sys/wrong as sysdba\nselect 1 from dual;\n", "ERROR:\nORA-01017: invalid username/password; logon denied\n\n\nWarning: You are no longer connected to ORACLE.\nSP2-0640: Not connected\n", 0},
		{"failed connect with whenever", "whenever sqlerror exit 9\nconnect sys/wrong as sysdba\n", "ERROR:\nORA-01017: invalid username/password; logon denied\n\n\nWarning: You are no longer connected to ORACLE.\n", 9},
		{"sys needs sysdba", "connect sys/practice\n", "ERROR:\nORA-28009: connection as SYS should be as SYSDBA or SYSOPER\n\n\nWarning: You are no longer connected to ORACLE.\n", 0},
		{"oradebug without sysdba", "connect system/practice\noradebug setmypid\n", "Connected.\nORA-01031: insufficient privileges\n", 0},
		{"plsql guard passes", "set feedback off\ndeclare n number; begin\n select count(*) into n from v$instance;\n if n <> 1 then raise_application_error(-20001, 'gone'); end if;\nend;\n/\nprompt on\n", "on\n", 0},
		{"plsql guard raises", "whenever sqlerror exit 12\nbegin\n raise_application_error(-20001, 'session gone');\nend;\n/\nprompt never\n", "begin\n*\nERROR at line 1:\nORA-20001: session gone\nORA-06512: at line 2\n\n\n", 12},
		{"variables", "set feedback off\nvariable n number\nexec :n := 2 * 21\nprint n\n", "\n         N\n----------\n        42\n\n", 0},
		{"undeclared bind", "select :x from dual;\n", "SP2-0552: Bind variable \"X\" not declared.\n", 0},
		{"serveroutput", "set serveroutput on feedback off\nexec dbms_output.put_line('said')\n", "said\n", 0},
		{"show user", "show user\n", "USER is \"SYS\"\n", 0},
		{"host is refused", "host ls\n", "SP2-0738: Restricted command \"HOST\" not available\n", 0},
		{"missing script", "@nowhere\n", "SP2-0310: unable to open file \"nowhere.sql\"\n", 0},
		{"oserror", "whenever oserror exit 11\n@nowhere\n", "SP2-0310: unable to open file \"nowhere.sql\"\n", 11},
		{"echo is of scripts only", "set echo on\nprompt x\n", "x\n", 0},
		{"feedback", "set heading off pagesize 0 feedback 1\nselect 'a' from dual;\n", "a\n\n1 row selected.\n\n", 0},
		{"wrapped in its column", "set feedback off\ncolumn a format a3\nselect 'abcdefgh' a, 'x' b from dual;\n", "\nA   B\n--- -\nabc x\ndef\ngh\n\n\n", 0},
		{"wrap off", "set feedback off wrap off\ncolumn a format a3\nselect 'abcdefgh' a, 'x' b from dual;\n", "\nA   B\n--- -\nabc x\n\n", 0},
		{"never wider than linesize", "set feedback off linesize 10 pagesize 14\nselect value from v$parameter where name = 'instance_name';\n", "\nVALUE\n----------\nORCL\n\n", 0},
		{"show parameter", "set feedback off\nshow parameter instance_name\n", "\nNAME                                 TYPE        VALUE\n------------------------------------ ----------- ------------------------------\ninstance_name                        string      ORCL\n\n", 0},
		{"no rows", "select 'a' from dual where 1=0;\n", "\nno rows selected\n\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, code := newWorld(t, "19c").run(t, c.script, "-S", "/ as sysdba")
			if got != c.want || code != c.code {
				t.Errorf("exit code %d, want %d\n got %q\nwant %q", code, c.code, got, c.want)
			}
		})
	}
}

func TestScriptsAndSpool(t *testing.T) {
	w := newWorld(t, "19c")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("login.sql", "define from_login=yes\n")
	write("outer.sql", "set echo off\nspool log.txt\n@@inner one\nprompt back &from_login\nspool off\nprompt after\n")
	write("inner.sql", "prompt in &1\n")
	got, code := w.run(t, "@outer\nexit\n", "-S", "/ as sysdba")
	if got != "in one\nback yes\nafter\n" || code != 0 {
		t.Errorf("exit code %d, output %q", code, got)
	}
	log, err := os.ReadFile(filepath.Join(w.dir, "log.txt"))
	if err != nil || string(log) != "in one\nback yes\n" {
		t.Errorf("spooled %q, %v", log, err)
	}
	if got, code = w.run(t, "", "-S", "/ as sysdba", "@outer"); !strings.HasSuffix(got, "after\n") || code != 0 {
		t.Errorf("as argument: %q, %d", got, code)
	}
}

func TestLogonLoop(t *testing.T) {
	w := newWorld(t, "19c")
	got, code := w.run(t, "", "-S", "-L", "sys/wrong as sysdba")
	if code != 1 || !strings.Contains(got, "SP2-0751: Unable to connect to Oracle.  Exiting SQL*Plus\n") {
		t.Errorf("-L: %d %q", code, got)
	}
	// Without -L it asks again, and eats the script.
	got, code = w.run(t, "prompt one\nprompt two\nprompt three\nprompt four\n", "-S", "sys/wrong as sysdba")
	if code != 1 || !strings.Contains(got, "SP2-0157: unable to CONNECT to ORACLE after 3 attempts") {
		t.Errorf("without -L: %d %q", code, got)
	}
}

func TestFaults(t *testing.T) {
	for f, want := range map[string]string{
		"sqlplus-no-start":  "SP2-0667: Message file sp1<lang>.msb not found",
		"not-open":          "SP2-0640: Not connected",
		"oradebug-disabled": "ORA-32519: insufficient privileges to execute ORADEBUG command: SETMYPID",
		"sqlplus-language":  "명령문이 처리되었습니다.",
		"lost-contact":      "ORA-03113: end-of-file on communication channel",
	} {
		w := newWorld(t, "19c")
		x, err := fault.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.db.Fault(x); err != nil {
			t.Fatal(err)
		}
		got, _ := w.run(t, "oradebug setmypid\nselect 1 from dual;\nconnect system/practice\nselect 2 from dual;\n", "-S", "/ as sysdba")
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", f, got, want)
		}
	}
}

// TestAssumptionsSwitch: the other settings are played as well.
func TestAssumptionsSwitch(t *testing.T) {
	set, _ := assume.Set{}.With(assume.WheneverIgnoresOradebug, false)
	w := newWorld(t, "19c")
	w.db.Assume = set
	if got, code := w.run(t, "whenever sqlerror exit 5\noradebug eventdump session\nprompt never\n", "-S", "/ as sysdba"); code != 5 || strings.Contains(got, "never") {
		t.Errorf("whenever saw nothing: %d %q", code, got)
	}
}

// TestSecretsDoNotShow: a password in CONNECT is in no output and no step.
func TestSecretsDoNotShow(t *testing.T) {
	w := newWorld(t, "19c")
	var steps []Step
	var out bytes.Buffer
	_, err := Main(context.Background(), Config{
		DB: w.db, Engine: w.pool.Get, Stdin: strings.NewReader("connect sys/practice as sysdba\nprompt done\n"), Stdout: &out, Files: Dir(w.dir),
		After: func(s Step) { steps = append(steps, s) },
	}, []string{"-S", "/nolog"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if strings.Contains(s.Command, "practice") {
			t.Errorf("the step holds the password: %q", s.Command)
		}
	}
	if len(steps) != 2 || strings.Contains(out.String(), "practice") {
		t.Errorf("%d steps, output %q", len(steps), out.String())
	}
}

// BenchmarkCommands measures the conversation: one ORADEBUG command at a time.
func BenchmarkCommands(b *testing.B) {
	r, err := release.Find("19c")
	if err != nil {
		b.Fatal(err)
	}
	db := instance.New(instance.Config{Release: r, Sessions: 10, Seed: 1, Now: fixedNow})
	db.Quiet(10)
	pool := engine.NewPool(db)
	defer pool.Close()
	in := New(Config{DB: db, Engine: pool.Get, Stdin: strings.NewReader(""), Stdout: io.Discard, Files: Dir(b.TempDir()), OSAuth: true})
	if err := in.logon(logon{slash: true, role: "SYSDBA"}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() { // BenchmarkDoor is the same through the socket
		if err := in.one(context.Background(), "oradebug setmypid", in.base); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
}
