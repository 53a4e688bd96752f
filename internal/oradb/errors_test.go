package oradb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// driverError looks like the driver's own error.
type driverError struct {
	code    int
	message string
}

func (e *driverError) Code() int       { return e.code }
func (e *driverError) Message() string { return e.message }
func (e *driverError) Error() string   { return fmt.Sprintf("ORA-%05d: %s", e.code, e.message) }

func config(target string, exists string, environ ...string) *Config {
	t, err := connect.Parse(target)
	if err != nil {
		panic(err)
	}
	return &Config{
		Target: t,
		LookupEnv: func(name string) (string, bool) {
			for _, p := range environ {
				if k, v, _ := strings.Cut(p, "="); k == name {
					return v, true
				}
			}
			return "", false
		},
		Exists: func(path string) bool { return exists != "" && path == exists },
	}
}

func TestExplainMapsNumbersToCodesAndHints(t *testing.T) {
	for _, c := range []struct {
		number int
		code   exit.Code
		hint   string
	}{
		{12154, exit.CannotConnect, "tnsnames.ora"},
		{12541, exit.CannotConnect, "lsnrctl"},
		{12514, exit.CannotConnect, "v$services"},
		{12505, exit.CannotConnect, "v$services"},
		{12170, exit.CannotConnect, "firewall"},
		{12545, exit.CannotConnect, "firewall"},
		{12528, exit.CannotConnect, "not open"},
		{1033, exit.CannotConnect, "not open"},
		{1034, exit.CannotConnect, "not open"},
		{1017, exit.CannotConnect, "as sysdba"},
		{28009, exit.CannotConnect, "as sysdba"},
		{28000, exit.CannotConnect, "unlock"},
		{28001, exit.CannotConnect, "expired"},
		{28040, exit.CannotConnect, "19c"},
		{18, exit.CannotConnect, "no more sessions"},
		{20, exit.CannotConnect, "no more sessions"},
		{12519, exit.CannotConnect, "no more sessions"},
		{28, exit.CannotConnect, "killed"},
		{3113, exit.CannotConnect, "lost"},
		{3135, exit.CannotConnect, "lost"},
		{12547, exit.CannotConnect, "lost"},
		{1031, exit.NotAllowed, "select_catalog_role"},
		{942, exit.NotAllowed, "select_catalog_role"},
		{1045, exit.NotAllowed, "create session"},
		{3156, exit.CannotConnect, "too slowly"},
		{65011, exit.Failed, "v$pdbs"},
		{600, exit.Failed, ""},
		{1555, exit.Failed, ""},
	} {
		cause := &driverError{c.number, "the text\nHelp: https://docs.oracle.com/error-help/db/"}
		err := config("scott@db1:1521/s", "").Explain(fmt.Errorf(`user="scott" standalone params={password=SECRET-***}: %w`, cause))
		if exit.CodeOf(err) != c.code || (c.hint == "") != (exit.HintOf(err) == "") || !strings.Contains(exit.HintOf(err), c.hint) {
			t.Errorf("ORA-%05d: code %d, hint %q; want %d, %q", c.number, exit.CodeOf(err), exit.HintOf(err), c.code, c.hint)
		}
		if want := fmt.Sprintf("scott@db1:1521/s: ORA-%05d: the text", c.number); err.Error() != want {
			t.Errorf("message %q, want %q", err.Error(), want)
		}
		if !errors.Is(err, cause) {
			t.Errorf("ORA-%05d: the cause is lost", c.number)
		}
	}
}

func TestRefusedRoleSaysWhereItComesFrom(t *testing.T) {
	for target, want := range map[string]string{"scott@db1 as sysdba": "V$PWFILE_USERS", "/ as sysdba": "OSDBA", "scott@db1": "select_catalog_role"} {
		err := config(target, "").Explain(&driverError{1031, "insufficient privileges"})
		if exit.CodeOf(err) != exit.NotAllowed || !strings.Contains(exit.HintOf(err), want) {
			t.Errorf("%s: code %d, hint %q", target, exit.CodeOf(err), exit.HintOf(err))
		}
	}
}

func TestExplainOtherErrors(t *testing.T) {
	c := config("scott@db1", "")
	if c.Explain(nil) != nil {
		t.Error("nil became an error")
	}
	kept := exit.Errorf(exit.Usage, "h", "m")
	if got := c.Explain(fmt.Errorf("outer: %w", kept)); exit.CodeOf(got) != exit.Usage {
		t.Errorf("an error with a code was changed: %v", got)
	}
	if got := c.Explain(context.Canceled); !errors.Is(got, context.Canceled) || exit.CodeOf(got) != exit.Failed {
		t.Errorf("an interruption is main's to judge: %v", got)
	}
	if got := c.Explain(context.DeadlineExceeded); exit.CodeOf(got) != exit.CannotConnect || !strings.Contains(got.Error(), "no answer in time") {
		t.Errorf("time-out: %v", got)
	}
	if got := c.Explain(driver.ErrBadConn); exit.CodeOf(got) != exit.CannotConnect || !strings.Contains(got.Error(), "lost") {
		t.Errorf("bad connection: %v", got)
	}
	if got := c.Explain(errors.New("x ORA-12541: TNS:no listener\nmore")); exit.CodeOf(got) != exit.CannotConnect || got.Error() != "scott@db1: ORA-12541: TNS:no listener" {
		t.Errorf("number in a text: %v", got)
	}
	if got := c.Explain(&driverError{0, "DPI-1010: not connected"}); exit.CodeOf(got) != exit.Failed || !strings.Contains(got.Error(), "DPI-1010") {
		t.Errorf("driver's own: %v", got)
	}
}

func TestProblemP15_LocalConnectionThatOnlySqlplusCanMake(t *testing.T) {
	for _, number := range []int{12154, 1017} {
		err := config("/ as sysdba", "", "ORACLE_SID=ORCL", "TWO_TASK=").Explain(&driverError{number, "x"})
		for _, part := range []string{"sqlplus", "ORACLE_SID=ORCL", "TWO_TASK="} {
			if !strings.Contains(exit.HintOf(err), part) {
				t.Errorf("ORA-%05d: hint lacks %q: %s", number, part, exit.HintOf(err))
			}
		}
	}
}

// missing is the driver's text when no client library is there (facts/views-and-sqlplus.md 6.2).
const missing = `ORA-00000: DPI-1047: Cannot locate a 64-bit Oracle Client library: "libclntsh.so: cannot open shared object file: No such file or directory". See https://oracle.github.io/odpi/doc/installation.html#linux for help`

func TestMissingClientSaysExactlyWhatToDo(t *testing.T) {
	err := errors.New(missing)
	for name, c := range map[string]struct {
		cfg   *Config
		hint  string
		cure  string
		cured bool
	}{
		"nothing there": {config("a@b", ""), "Instant Client Basic", "", false},
		"home without library": {
			config("a@b", "", "ORACLE_HOME=/u01/db"), "ORACLE_HOME=/u01/db has no lib/libclntsh.so", "", false,
		},
		"home with library": {
			config("a@b", "/u01/db/lib/libclntsh.so", "ORACLE_HOME=/u01/db"), "export LD_LIBRARY_PATH=/u01/db/lib", "/u01/db/lib", true,
		},
		"path set": {
			config("a@b", "/u01/db/lib/libclntsh.so", "ORACLE_HOME=/u01/db", "LD_LIBRARY_PATH=/a:/b"), "export LD_LIBRARY_PATH=/u01/db/lib", "/u01/db/lib:/a:/b", true,
		},
		"searched already": {
			config("a@b", "/u01/db/lib/libclntsh.so", "ORACLE_HOME=/u01/db", "LD_LIBRARY_PATH=/u01/db/lib"), "export LD_LIBRARY_PATH=/u01/db/lib", "", false,
		},
		"relative home": {config("a@b", "db/lib/libclntsh.so", "ORACLE_HOME=db"), "Instant Client Basic", "", false},
	} {
		got := c.cfg.Explain(err)
		if exit.CodeOf(got) != exit.ToolMissing || !strings.Contains(exit.HintOf(got), c.hint) || !strings.Contains(exit.HintOf(got), "sqlplus") {
			t.Errorf("%s: code %d, hint %q", name, exit.CodeOf(got), exit.HintOf(got))
		}
		if want := "no Oracle client library was found (DPI-1047: libclntsh.so: cannot open shared object file: No such file or directory)"; got.Error() != want {
			t.Errorf("%s: %s", name, got)
		}
		path, ok := c.cfg.Cure(got)
		if path != c.cure || ok != c.cured {
			t.Errorf("%s: cure %q %v, want %q %v", name, path, ok, c.cure, c.cured)
		}
	}
	if _, ok := config("a@b", "/u01/db/lib/libclntsh.so", "ORACLE_HOME=/u01/db").Cure(errors.New("ORA-12154")); ok {
		t.Error("another error has no cure of this kind")
	}
	for _, text := range []string{"DPI-1050: Oracle Client library is at version 18.3 but version 19.1 or higher is needed", "DPI-1072: the Oracle Client library version is unsupported"} {
		got := config("a@b", "").Explain(errors.New("ORA-00000: " + text + "\nHelp"))
		if exit.CodeOf(got) != exit.ToolMissing || !strings.Contains(got.Error(), text) || !strings.Contains(exit.HintOf(got), MinClient) {
			t.Errorf("%s: %v %q", text, got, exit.HintOf(got))
		}
	}
}
