package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

func open(t testing.TB, name string, instances, sessions int) *Session {
	t.Helper()
	r, err := release.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	d := instance.New(instance.Config{Release: r, Instances: instances, Sessions: sessions, Seed: 5, Now: fixedNow})
	d.Quiet(sessions)
	e, err := Open(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "SYS", Sysdba: true, Bequeath: true, Program: "ringtrace"})
	if err != nil {
		t.Fatal(err)
	}
	return e.NewSession(self)
}

func flat(r *Result) string {
	var rows []string
	for _, row := range r.Rows {
		var f []string
		for _, v := range row {
			switch x := v.(type) {
			case nil:
				f = append(f, "NULL")
			case time.Time:
				f = append(f, x.Format("2006-01-02 15:04:05"))
			case []byte:
				f = append(f, fmt.Sprintf("%X", x))
			default:
				f = append(f, fmt.Sprint(x))
			}
		}
		rows = append(rows, strings.Join(f, ","))
	}
	return strings.Join(rows, ";")
}

// TestOracleSQL: what Oracle would answer; where SQLite alone would answer
// otherwise, the case is here for that reason.
func TestOracleSQL(t *testing.T) {
	s := open(t, "19c", 1, 20)
	for _, c := range []struct{ q, want string }{
		{"select 1 from dual", "1"},
		{"select 1/2 from dual", "0.5"},
		{"select 'x' from dual where '' is null", "x"},
		{"select 'a' || null || 'b' from dual", "ab"},
		{"select nvl(null || null, 'none') from dual", "none"},
		{"select sysdate from dual", "2026-03-14 15:09:26"},
		{"select to_char(sysdate - 1/24, 'YYYY-MM-DD HH24:MI:SS') from dual", "2026-03-14 14:09:26"},
		{"select to_char(sysdate) from dual", "14-MAR-26"},
		{"select to_char(sysdate,'Mon DD') from dual", "Mar 14"},
		{"select round((trunc(sysdate,'MI') - trunc(sysdate,'HH24')) * 1440) from dual", "9"},
		{"select decode(count(*),1,'session_event','help') rt from v$session where sid = sys_context('userenv','sid')", "session_event"},
		{"select count(*) from V$SESSION where USERNAME='APP'", "12"},
		{"select count(*) from v$session where username like 'app'", "0"},
		{"select count(*) from sys.v_$session s, sys.v_$process p where p.addr = s.paddr and s.username = 'BATCH'", "4"},
		{"select s.username from v$session s, v$process p where s.paddr = p.addr(+) and p.addr is null", "LEGACY"},
		{"select username from (select username from v$session where username is not null order by username desc) where rownum <= 1", "WEBSHARED"},
		{"select username from v$session where username is not null order by username fetch first 1 rows only", "APP"},
		{"select listagg(name, ',') within group (order by name) from v$pdbs", "APPPDB,PDB$SEED,RPTPDB"},
		{"select max(logon_time) - max(logon_time) from v$session", "0"},
		{"select case when sys_extract_utc(systimestamp) > to_timestamp('2026-03-14 15:00:00', 'YYYY-MM-DD HH24:MI:SS') then 'late' else 'early' end from dual", "late"},
		{"select substr('abc',-2,1), instr('a_b_c','_',1,2), lpad('7',3,'0'), replace('abc','b') from dual", "b,4,007,ac"},
		{"select regexp_substr('x12y','[0-9]+') from dual", "12"},
		{"select q'[it's]' from dual", "it's"},
		{"select extract(year from date '2024-02-03') from dual", "2024"},
		{"select user, userenv('instance'), sys_context('USERENV','ISDBA') from dual", "SYS,1,TRUE"},
		{"select distinct server from v$session where type='USER' order by 1", "DEDICATED;NONE;PSEUDO"},
		{"select count(*) from v$process where spid is null and pid = 1", "1"},
		{"select count(*) from v$session minus select 5 from dual", "*"},
		{"select value from v$parameter where name = 'cluster_database'", "FALSE"},
		{"select value from v$system_parameter where name = 'pga_aggregate_limit' and con_id = 0", "4294967296"},
		{"select to_char(1234.5,'9,999.99'), to_char(255,'XX'), to_char(7,'FM000') from dual", " 1,234.50,FF,007"},
		{"with a as (select username u, count(*) n from v$session where username is not null group by username) select u, n from a where n > 3 order by n desc", "APP,12;BATCH,4"},
	} {
		r, err := s.Query(context.Background(), c.q, nil)
		if err != nil {
			t.Errorf("%s: %v", c.q, err)
			continue
		}
		if got := flat(r); got != c.want && c.want != "*" {
			t.Errorf("%s\n got %q\nwant %q", c.q, got, c.want)
		}
	}
}

func TestOracleErrors(t *testing.T) {
	s := open(t, "19c", 1, 5)
	for _, c := range []struct {
		q      string
		code   int
		offset int // -1: not compared
	}{
		{"select * from no_such_view", 942, 14},
		{"select nosuch from v$session", 904, 7},
		{"select sid serial from v$session where", 936, -1},
		{"select from dual", 936, 7},
		{"select 1", 923, -1},
		{"select sid, count(*) from v$session", 937, 7},
		{"select sid, username, count(*) from v$session group by sid", 979, 12},
		{"select 'x from dual", 1756, 7},
		{"select (1 from dual", 907, -1},
		{"select 1 from dual;", 911, 18},
		{"select sid from v$session, v$process, v$px_session where sid = 1", 918, -1},
		{"select to_number('x') from dual", 1722, -1},
		{"select 1/0 from dual", 1476, -1},
		{"select sysdate from dual where sysdate > to_date('x','YYYY')", 1861, -1},
		{"select sid from v$session where sid = :1", 1008, -1},
		{"select sys_context('userenv','nothing') from dual", 2003, -1},
		{"delete from v$session", 2030, -1},
		{"create table t (x number)", 1031, -1},
		{"selekt 1 from dual", 900, -1},
		{"alter session set container = nowhere", 65011, -1},
		{"alter system kill session '99999,1'", 30, -1},
		{"select sid from v$session group sid", 933, -1},
	} {
		_, err := s.Query(context.Background(), c.q, nil)
		var oe *Error
		if !errors.As(err, &oe) {
			t.Errorf("%s: %v, want ORA-%05d", c.q, err, c.code)
			continue
		}
		if oe.Code != c.code || c.offset >= 0 && oe.Offset != c.offset {
			t.Errorf("%s: %v at %d, want ORA-%05d at %d", c.q, err, oe.Offset, c.code, c.offset)
		}
	}
}

// TestReleaseDecides: what a release has not got is an error there.
func TestReleaseDecides(t *testing.T) {
	for _, c := range []struct {
		release, q string
		code       int
	}{
		{"11.2", "select con_id from v$session", 904},
		{"11.2", "select name from v$pdbs", 942},
		{"11.2", "select sid from v$session fetch first 1 rows only", 933},
		{"11.2", "select sys_context('userenv','con_name') from dual", 2003},
		{"12.1", "select trace_filename from v$diag_trace_file", 942},
		{"19c", "select con_id from v$session", 0},
		{"23ai", "select 1", 0},
	} {
		_, err := open(t, c.release, 1, 2).Query(context.Background(), c.q, nil)
		var oe *Error
		switch {
		case c.code == 0 && err != nil, c.code != 0 && (!errors.As(err, &oe) || oe.Code != c.code):
			t.Errorf("%s: %s: %v, want ORA-%05d", c.release, c.q, err, c.code)
		}
	}
}

func TestPrivileges(t *testing.T) {
	s := open(t, "19c", 1, 5)
	d := s.Engine.model
	plain, err := d.Logon(d.Instances[0], instance.Logon{User: "APP"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Engine.NewSession(plain).Query(context.Background(), "select sid from v$session", nil)
	var oe *Error
	if !errors.As(err, &oe) || oe.Code != 942 {
		t.Errorf("a user without the catalog got %v, want ORA-00942", err)
	}
	d.Kill(s.Self)
	if _, err = s.Query(context.Background(), "select 1 from dual", nil); !errors.As(err, &oe) || oe.Code != 28 {
		t.Errorf("a killed session got %v, want ORA-00028", err)
	}
}

// TestGlobalViews: V$ is local, GV$ has every instance
// (facts/views-and-sqlplus.md 2.5).
func TestGlobalViews(t *testing.T) {
	s := open(t, "19c", 3, 30)
	for q, want := range map[string]string{
		"select count(distinct inst_id) from gv$session":         "3",
		"select count(*) from gv$session where username='APP'":   "18",
		"select count(*) from v$session where username='APP'":    "6",
		"select instance_name from v$instance":                   "ORCL1",
		"select instance_name from gv$instance order by inst_id": "ORCL1;ORCL2;ORCL3",
	} {
		r, err := s.Query(context.Background(), q, nil)
		if err != nil || flat(r) != want {
			t.Errorf("%s: %v %v, want %s", q, r, err, want)
		}
	}
}

// TestRowsFollowTheModel: a logoff is seen by the next statement.
func TestRowsFollowTheModel(t *testing.T) {
	s := open(t, "19c", 1, 5)
	d := s.Engine.model
	n, err := d.Logon(d.Instances[0], instance.Logon{User: "LATE"})
	if err != nil {
		t.Fatal(err)
	}
	count := func() string {
		r, err := s.Query(context.Background(), "select count(*) from v$session where username = :u", []Bind{{Value: "LATE"}})
		if err != nil {
			t.Fatal(err)
		}
		return flat(r)
	}
	if got := count(); got != "1" {
		t.Errorf("after logon %s, want 1", got)
	}
	d.Logoff(n)
	if got := count(); got != "0" {
		t.Errorf("after logoff %s, want 0", got)
	}
}

func TestThroughDatabaseSQL(t *testing.T) {
	s := open(t, "19c", 1, 10)
	db := OpenDB(&Connector{Engine: s.Engine, Logon: instance.Logon{User: "SYSTEM", Program: "ringtrace"}})
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	var sid int
	var user string
	var logon time.Time
	row := db.QueryRow("select sid, username, logon_time from v$session where username = :1 and server = :2 and rownum = 1", "APP", "DEDICATED")
	if err := row.Scan(&sid, &user, &logon); err != nil {
		t.Fatal(err)
	}
	if sid < 1 || user != "APP" || logon.Year() != 2025 {
		t.Errorf("got %d %s %v", sid, user, logon)
	}
	if err := db.QueryRow("select * from nowhere").Scan(&sid); err == nil || err.Error() != "ORA-00942: table or view does not exist" {
		t.Errorf("got %v", err)
	}
}

// BenchmarkJoin joins 100,000 sessions with 100,000 processes; the target is
// half a second. cpu-s/scan is the floor: the same number of rows and columns
// read from one table.
func BenchmarkJoin(b *testing.B) {
	s := open(b, "19c", 1, 100_000)
	join := "select s.sid, s.serial#, s.username, p.pid, p.spid from v$session s join v$process p on p.addr = s.paddr"
	scan := "select sid, serial#, username, ownerid, process from v$session"
	type cost struct{ wall, cpu time.Duration }
	run := func(q string, into *cost) {
		start, used := time.Now(), cpuTime()
		r, err := s.Query(context.Background(), q, nil)
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Rows) < 100_000 {
			b.Fatalf("%d rows", len(r.Rows))
		}
		into.wall += time.Since(start)
		into.cpu += cpuTime() - used
	}
	var load, ours, floor cost
	run(join, &load)
	for b.Loop() {
		run(join, &ours)
		run(scan, &floor)
	}
	n := float64(b.N)
	b.ReportMetric(ours.wall.Seconds()/n, "s/join")
	b.ReportMetric(ours.cpu.Seconds()/n, "cpu-s/join")
	b.ReportMetric(floor.cpu.Seconds()/n, "cpu-s/scan")
	b.ReportMetric(load.cpu.Seconds(), "cpu-s/load")
	b.ReportMetric(0, "ns/op") // of both together: of no interest
}

// BenchmarkOpen is what every `-c sim:` pays before its first statement.
func BenchmarkOpen(b *testing.B) {
	s := open(b, "19c", 1, 60)
	for b.Loop() {
		e, err := Open(s.Engine.model, s.Engine.inst)
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
