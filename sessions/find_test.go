package sessions

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
)

// release answers as a database of this release.
func release(version string, list ...v) *fakeDB {
	f := oneInstance(list...)
	f.answers["v$instance"] = fakeAnswer{rows: [][]driver.Value{{int64(1), "ORCL", "db1", version, "2026-11-01 00:00:00", "NO"}}}
	return f
}

func (f *fakeDB) sentTo(view string) string {
	for _, q := range f.asked {
		if viewOf(q) == view {
			return q
		}
	}
	return ""
}

func TestStatementsFollowTheRelease(t *testing.T) {
	for version, c := range map[string]struct{ has, lacks []string }{
		"11.2.0.4.0":  {[]string{"null con_name", "null stid", "from v$process"}, []string{"con_id", "p.stid", "v$containers"}},
		"12.1.0.2.0":  {[]string{"c.name con_name", "p.stid", "v$containers"}, []string{"gv$"}},
		"12.2.0.1.0":  {[]string{"c.name con_name", "p.stid"}, nil},
		"19.0.0.0.0":  {[]string{"c.name con_name", "p.stid"}, nil},
		"23.0.0.0.0":  {[]string{"c.name con_name", "p.stid"}, nil},
		"23.26.0.0.0": {[]string{"c.name con_name", "p.stid"}, nil},
	} {
		f := release(version, v{sid: 1})
		if version == "11.2.0.4.0" {
			// What 11.2 would answer to the questions of later releases.
			f.answers["dba_users"] = fakeAnswer{err: &oraError{904, `"ORACLE_MAINTAINED": invalid identifier`}}
			f.answers["v$parameter"] = fakeAnswer{}
			f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "+00:00", "2026-11-30 02:04:05", nil, nil}}}
		}
		inv := f.find(t, selector(t, "username=APP"))
		q := strings.ReplaceAll(f.sentTo("v$session"), "left join v$", "from v$")
		for _, w := range c.has {
			if !strings.Contains(q, w) {
				t.Errorf("%s: no %q in\n%s", version, w, q)
			}
		}
		for _, w := range c.lacks {
			if strings.Contains(q, w) {
				t.Errorf("%s: %q in\n%s", version, w, q)
			}
		}
		if version == "11.2.0.4.0" {
			for _, q := range f.asked {
				if strings.Contains(q, "con_name'") || strings.Contains(q, "oracle_maintained") || strings.Contains(q, "threaded") || strings.Contains(q, "d.cdb") {
					t.Errorf("11.2 was asked\n%s", q)
				}
			}
			if len(inv.Warnings) != 0 {
				t.Errorf("11.2 warns: %q", inv.Warnings)
			}
		}
	}
}

func TestNoStatementIsCareless(t *testing.T) {
	files, err := filepath.Glob("sql/*.sql")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d statement files, %v", len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := withoutComments(string(b))
		for _, bad := range []string{"*,", "select *", ".*", ";", "&", "\t", "--"} {
			if strings.Contains(strings.ReplaceAll(text, "count(*)", ""), bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	for _, c := range []Capability{CapabilityOf(Release{11, 2}), CapabilityOf(Release{12, 1}), CapabilityOf(Release{19, 0})} {
		for _, rac := range []bool{false, true} {
			for _, s := range []string{"instance", "instances", "database", "own", "threaded", "maintained", "columns", "sessions"} {
				text, err := c.Statement(s, rac, "1")
				if err != nil || !strings.HasPrefix(text, "select ") || strings.Contains(text, "{{") {
					t.Errorf("%s %v: %v\n%s", s, rac, err, text)
				}
				if strings.Contains(text, "gv$") != (rac && (s == "instances" || s == "threaded" || s == "sessions")) {
					t.Errorf("%s rac=%v reads\n%s", s, rac, text)
				}
			}
		}
	}
}

func TestColumnsOfTheDictionaryBeatTheRelease(t *testing.T) {
	f := release("19.0.0.0.0", v{sid: 1})
	f.answers["all_tab_columns"] = fakeAnswer{rows: [][]driver.Value{{"V_$SESSION", "SID"}, {"V_$PROCESS", "PID"}}}
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "+00:00", "2026-11-30 02:04:05", nil, nil}}}
	f.find(t, &Selector{})
	if q := f.sentTo("v$session"); strings.Contains(q, "con_id") {
		t.Errorf("columns that are not there were asked for:\n%s", q)
	}
	// The dictionary shows nothing of ours: the release decides.
	f = release("19.0.0.0.0", v{sid: 1})
	f.answers["all_tab_columns"] = fakeAnswer{}
	f.find(t, &Selector{})
	if q := f.sentTo("v$session"); !strings.Contains(q, "con_id") {
		t.Errorf("an empty dictionary was believed:\n%s", q)
	}
}

func TestTimesHaveTheDatabasesDigits(t *testing.T) {
	f := oneInstance(v{sid: 1})
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "-03:30", "2026-11-30 02:04:05", "CDB$ROOT", "1"}}}
	inv := f.find(t, &Selector{})
	at := inv.Rows[0].LogonTime
	if got := at.Format("2006-01-02 15:04:05"); got != "2026-11-30 03:04:05" {
		t.Errorf("digits %s", got)
	}
	if got := timeText(at); got != "2026-11-30T03:04:05-03:30" {
		t.Errorf("printed %s", got)
	}
	if got := timeText(inv.Now); got != "2026-11-30T02:04:05Z" {
		t.Errorf("clock %s", got)
	}
	if got := timeText(inv.Instances[0].StartupTime); got != "2026-11-01T00:00:00-03:30" {
		t.Errorf("startup %s", got)
	}
}

func TestReasonsInTheirOrder(t *testing.T) {
	all := []v{
		{sid: 99, typ: "BACKGROUND"}, // own comes first
		{sid: 1, typ: "BACKGROUND", username: "NULL"},
		{sid: 2, background: "1"},
		{sid: 3, typ: "RECURSIVE"},
		{sid: 4, pname: "J000", username: "NULL"},
		{sid: 5, pname: "J01A", username: "APP"},
		{sid: 6, pname: "P000"},
		{sid: 7, pname: "PZ99", username: "SYS"},
		{sid: 8, username: "NULL"},
		{sid: 9, username: "SYS", status: "KILLED"},
		{sid: 10, status: "KILLED", noProcess: true},
		{sid: 11, noProcess: true, server: "NONE"},
		{sid: 12, server: "NONE", onProcess: 300, pname: "D000"},
		{sid: 13, server: "POOLED", pname: "L001"},
		{sid: 14, onProcess: 2, notMatched: true},
		{sid: 15, notMatched: true},
		{sid: 16, program: "evil (J000)"}, // a client may call itself anything
		{sid: 17, image: "oracle@db1 (TNS V1-V3)"},
		{sid: 18, image: "oracle@db1 (P007)"},
		{sid: 19, username: "sys"},
		{sid: 20, status: "SNIPED"},
		{sid: 21, image: "ORACLE.EXE (J003)"},
	}
	const want = "1=background 2=background 3=background 4=job_slave 5=job_slave 6=px_slave 7=px_slave 8=background 9=oracle_maintained 10=killed " +
		"11=no_process 12=not_dedicated 13=not_dedicated 14=shared_process 15=not_matched 16=matched 17=matched 18=px_slave 19=matched 20=matched " +
		"21=job_slave 99=own_session"
	inv := oneInstance(all...).find(t, &Selector{})
	if got := verdicts(inv); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	sum := inv.Summary()
	n := sum.Selected
	for _, r := range Reasons() {
		n += sum.Excluded[r]
		if r.Explain() == "unknown reason" {
			t.Errorf("%s is not explained", r)
		}
	}
	if n != sum.Seen || sum.Seen != len(all) {
		t.Errorf("seen %d, accounted for %d of %d", sum.Seen, n, len(all))
	}
}

func TestMaintainedUsersComeFromTheDictionary(t *testing.T) {
	f := oneInstance(v{sid: 1, username: "APEX_030200"}, v{sid: 2, username: "OUR_OWN"}, v{sid: 3, username: "SYS"})
	f.answers["dba_users"] = fakeAnswer{rows: [][]driver.Value{{"SYS"}, {"OUR_OWN"}}}
	if got := verdicts(f.find(t, &Selector{})); got != "1=matched 2=oracle_maintained 3=oracle_maintained" {
		t.Errorf("dictionary: %s", got)
	}
	f.answers["dba_users"] = fakeAnswer{err: &oraError{942, "table or view does not exist"}}
	inv := f.find(t, &Selector{})
	if got := verdicts(inv); got != "1=oracle_maintained 2=matched 3=oracle_maintained" || !hasWarning(inv.Warnings, "DBA_USERS", "ORA-00942", "built-in list") {
		t.Errorf("list: %s %q", got, inv.Warnings)
	}
	for name, want := range map[string]bool{"SYS": true, "SYSTEM": true, "DBSNMP": true, "APEX_220100": true, "FLOWS_030000": true, "APEX_MY": false, "Sys": false, "HR": false, "": false} {
		if MaintainedUser(name) != want {
			t.Errorf("%q is %v", name, !want)
		}
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	f := oneInstance(v{sid: 1})
	no := fakeAnswer{err: &oraError{942, "table or view does not exist\nHelp: https://docs.oracle.com/error-help/db/ora-00942/"}}
	f.answers["v$database"], f.answers["v$parameter"], f.answers["dba_users"] = no, no, no
	inv := f.find(t, &Selector{})
	if verdicts(inv) != "1=matched" || len(inv.Warnings) != 3 {
		t.Errorf("%s %q", verdicts(inv), inv.Warnings)
	}
	for _, w := range inv.Warnings {
		if strings.Contains(w, "\n") || !strings.Contains(w, "ORA-00942") {
			t.Errorf("warning %q", w)
		}
	}
	for view, want := range map[string]exit.Code{"v$instance": exit.NotAllowed, "v$session": exit.NotAllowed} {
		f := oneInstance(v{sid: 1})
		f.answers[view] = no
		_, err := f.tryFind(&Selector{})
		if exit.CodeOf(err) != want || !strings.Contains(exit.HintOf(err), "v_$session") {
			t.Errorf("%s: code %d, %v, hint %q", view, exit.CodeOf(err), err, exit.HintOf(err))
		}
	}
	f = oneInstance(v{sid: 1})
	f.answers["v$instance"] = fakeAnswer{}
	if _, err := f.tryFind(&Selector{}); err == nil {
		t.Error("an empty V$INSTANCE is an error")
	}
	f = release("unknown")
	if _, err := f.tryFind(&Selector{}); err == nil {
		t.Error("a version that is none is an error")
	}
}

func TestLostConnectionEndsTheListing(t *testing.T) {
	for _, late := range []error{driver.ErrBadConn, &oraError{3113, "end-of-file on communication channel"}, errors.New("x")} {
		f := oneInstance(v{sid: 1}, v{sid: 2})
		a := f.answers["v$session"]
		a.late = late
		f.answers["v$session"] = a
		db := sql.OpenDB(f)
		finder, err := Open(context.Background(), db)
		if err != nil {
			t.Fatal(err)
		}
		rows, failed := 0, false
		for _, err := range finder.Sessions(context.Background(), &Selector{}) {
			if err != nil {
				failed = true
				if want := late.Error() != "x"; (exit.CodeOf(err) == exit.CannotConnect) != want {
					t.Errorf("%v: code %d", late, exit.CodeOf(err))
				}
				continue
			}
			rows++
		}
		if rows != 2 || !failed {
			t.Errorf("%v: %d rows, failed %v", late, rows, failed)
		}
		db.Close()
	}
}

func TestParseRelease(t *testing.T) {
	for in, want := range map[string]Release{"11.2.0.4.0": {11, 2}, "19.0.0.0.0": {19, 0}, "9.2.0.8.0": {9, 2}, "23": {23, 0}} {
		if got, err := ParseRelease(in); err != nil || got != want {
			t.Errorf("%s: %v %v", in, got, err)
		}
	}
	for _, in := range []string{"", "x.y", "19c", "-1.2", "1000.1"} {
		if r, err := ParseRelease(in); err == nil {
			t.Errorf("%q is taken as %v", in, r)
		}
	}
}

// many answers n sessions, made one at a time.
func many(n int) *fakeDB {
	f := oneInstance()
	f.answers["v$session"] = fakeAnswer{gen: func(i int) []driver.Value {
		if i >= n {
			return nil
		}
		return v{sid: i + 1, pid: i + 31, module: "module " + itoa(i)}.row(false)
	}}
	return f
}

// A listing of 100,000 sessions must not be held in memory.
func TestListingNeedsBoundedMemory(t *testing.T) {
	const n = 100_000
	db := sql.OpenDB(many(n))
	defer db.Close()
	f, err := Open(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most, rows := heap(), uint64(0), 0
	w := NewCSVWriter(discard{}, false)
	for r, err := range f.Sessions(context.Background(), &Selector{}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if rows++; rows%25_000 == 0 {
			most = max(most, heap())
		}
	}
	if rows != n {
		t.Fatalf("%d rows", rows)
	}
	if grown := int64(most) - int64(before); grown > 4<<20 {
		t.Errorf("heap grew by %d bytes over %d sessions", grown, n)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func BenchmarkListing(b *testing.B) {
	const n = 100_000
	for b.Loop() {
		db := sql.OpenDB(many(n))
		f, err := Open(context.Background(), db)
		if err != nil {
			b.Fatal(err)
		}
		rows := 0
		for _, err := range f.Sessions(context.Background(), &Selector{}) {
			if err != nil {
				b.Fatal(err)
			}
			rows++
		}
		if rows != n {
			b.Fatal(rows)
		}
		db.Close()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "sessions/s")
}

func BenchmarkReadCSV(b *testing.B) {
	var text strings.Builder
	w := NewCSVWriter(&text, false)
	r := hostile()
	const n = 100_000
	for i := range n {
		r.SID, r.Orapid = i+1, i+31
		if err := w.Write(&r); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		inv, err := ReadInventory("bench", strings.NewReader(text.String()))
		if err != nil || len(inv.Rows) != n {
			b.Fatal(err, len(inv.Rows))
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "sessions/s")
}

func TestOffsets(t *testing.T) {
	for in, want := range map[string]int{"+00:00": 0, "+05:30": 19800, "-03:30": -12600, " +01:00": 3600} {
		zone, ok := parseOffset(in)
		if _, got := time.Now().In(zone).Zone(); !ok || got != want {
			t.Errorf("%q: %d %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "UTC", "5", "+99:99x"} {
		if _, ok := parseOffset(in); ok {
			t.Errorf("%q is taken", in)
		}
	}
}

// A release without sql_trace and EVENTDUMP is refused before anything else is
// asked (facts/oradebug.md 9).
func TestReleaseBefore11(t *testing.T) {
	for version, want := range map[string]exit.Code{"10.2.0.5.0": exit.Refused, "9.2.0.8.0": exit.Refused, "11.1.0.7.0": exit.OK, "11.2.0.4.0": exit.OK} {
		f := release(version, v{sid: 1})
		_, err := f.tryFind(&Selector{})
		if exit.CodeOf(err) != want {
			t.Errorf("%s: %v, want exit %d", version, err, want)
		}
		if want != exit.OK && (!strings.Contains(exit.HintOf(err), "10046 trace name context forever") || f.sentTo("v$session") != "") {
			t.Errorf("%s: hint %q, asked %q", version, exit.HintOf(err), f.asked)
		}
	}
}
