package plsql

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

func machine(t *testing.T) *Machine {
	t.Helper()
	r, err := release.Find("19c")
	if err != nil {
		t.Fatal(err)
	}
	d := instance.New(instance.Config{Release: r, Sessions: 10, Seed: 1, Now: func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }})
	d.Quiet(10)
	e, err := engine.Open(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "SYS", Sysdba: true})
	if err != nil {
		t.Fatal(err)
	}
	return &Machine{SQL: e.NewSession(self), Binds: map[string]any{}}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		block, output string
		code          int
	}{
		{"begin null; end;", "", 0},
		{"declare n number := 2; begin n := n * 21; dbms_output.put_line('n=' || n); end;", "n=42", 0},
		{"declare n pls_integer; begin select count(*) into n from v$session where username = 'APP'; dbms_output.put_line(n); end;", "6", 0},
		{"begin if 1 = 2 then dbms_output.put_line('a'); elsif 1 = 1 then dbms_output.put_line('b'); else dbms_output.put_line('c'); end if; end;", "b", 0},
		{"begin for r in (select name from v$pdbs order by name) loop dbms_output.put_line(r.name); end loop; end;", "APPPDB PDB$SEED RPTPDB", 0},
		{"begin for i in 1 .. 3 loop if i = 2 then null; else dbms_output.put_line(i); end if; end loop; end;", "1 3", 0},
		{"declare i number := 0; begin loop i := i + 1; exit when i > 4; end loop; dbms_output.put_line(i); end;", "5", 0},
		{"declare i number := 0; begin while i < 3 loop i := i + 1; end loop; dbms_output.put_line(i); end;", "3", 0},
		{"begin return; dbms_output.put_line('never'); end;", "", 0},
		{"declare x number; begin select 1 into x from dual where 1 = 0; exception when no_data_found then dbms_output.put_line('none'); end;", "none", 0},
		{"declare x number; begin x := 1 / 0; exception when no_data_found then null; when others then dbms_output.put_line(sqlcode || ' ' || substr(sqlerrm, 1, 9)); end;", "-1476 ORA-01476", 0},
		{"begin begin raise_application_error(-20001, 'in'); exception when others then dbms_output.put_line('caught'); end; dbms_output.put_line('on'); end;", "caught on", 0},
		{"begin raise_application_error(-20001, 'x'); exception when others then raise; end;", "", 20001},
		{"begin raise_application_error(-1, 'x'); end;", "", 21000},
		{"declare x number; begin select sid into x from v$session; end;", "", 1422},
		{"begin execute immediate 'alter session set cursor_sharing = force'; end;", "", 0},
		{"declare n number; begin execute immediate 'select count(*) from v$instance' into n; dbms_output.put_line(n); end;", "1", 0},
		{"begin nothing.like_this(1); end;", "", 6550},
		{"begin x := 1; end;", "", 6550},
		{"begin null end;", "", 6550},
		{"begin select 1 from dual; end;", "", 6550},
		{"begin dbms_output.put_line('unfinished);", "", 1756},
		{"begin loop null;", "", 6550},
		{"call dbms_session.set_identifier('x')", "", 0},
	} {
		m := machine(t)
		err := m.Run(context.Background(), c.block)
		code := 0
		if err != nil {
			var pe *Error
			if !errors.As(err, &pe) {
				t.Errorf("%s: %v (%T)", c.block, err, err)
				continue
			}
			code = pe.Code
		}
		out := strings.Join(m.Output, " ")
		if code != c.code || !strings.HasPrefix(out, c.output) || c.output == "" && out != "" {
			t.Errorf("%s\n code %d (%v), output %q; want %d, %q", c.block, code, err, out, c.code, c.output)
		}
	}
}

// TestMonitor: DBMS_MONITOR is seen in V$SESSION, as in Oracle.
func TestMonitor(t *testing.T) {
	m := machine(t)
	m.Binds["X"] = nil
	err := m.Run(context.Background(), `declare s number; n number; begin
  select sid, serial# into s, n from v$session where username = 'APP' and rownum = 1;
  dbms_monitor.session_trace_enable(session_id => s, serial_num => n, waits => true, binds => true);
  select count(*) into :x from v$session where sql_trace = 'ENABLED' and sql_trace_binds = 'TRUE';
end;`)
	if err != nil || m.Binds["X"] != int64(1) {
		t.Errorf("%v, %v sessions are traced", err, m.Binds["X"])
	}
}

func TestSleepCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	err := machine(t).Run(ctx, "begin dbms_session.sleep(60); end;")
	if err == nil || !strings.HasPrefix(err.Error(), "ORA-01013") {
		t.Errorf("got %v", err)
	}
}
