package report_test

import (
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// The trace of a session that met an internal error, and the file of its incident
// (facts/trace-format.md 11).
const (
	incidentMain = `Trace file /u01/app/oracle/diag/rdbms/db1/db1/trace/db1_ora_10.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Version 19.24.0.0.0
Node name:	host1
Instance name: db1
Oracle process number: 38
Unix process pid: 10, image: oracle@host1


*** 2026-03-01T10:00:00.000000+01:00
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00

=====================
PARSING IN CURSOR #140003 len=43 dep=0 uid=90 oct=3 lid=90 tim=1000000 hv=1 ad='7f00' sqlid='bbbbbbbbbbbb1'
select * from orders where customer = :name
END OF STMT
PARSE #140003:c=10,e=10,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=5,tim=1000010
BINDS #140003:

 Bind#0
  oacdty=01 mxl=32(04) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=01 csi=873 siz=32 off=0
  kxsbbbfp=7fe9c3cf3450  bln=32  avl=06  flg=05
  value="O'Hara"
Incident 10192 created, dump file: /u01/app/oracle/diag/rdbms/db1/db1/incident/incdir_10192/db1_ora_10_i10192.trc
ORA-00600: internal error code, arguments: [kkslgbv0], [x], [], [], [], [], [], [], [], [], [], []

*** 2026-03-01T10:00:06.000000+01:00
EXEC #140003:c=10,e=6000000,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=7000100
ERROR #140003:err=600 tim=7000120
`
	incidentDump = `Dump file /u01/app/oracle/diag/rdbms/db1/db1/incident/incdir_10192/db1_ora_10_i10192.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Version 19.24.0.0.0
Node name:	host1
Instance name: db1
Oracle process number: 38
Unix process pid: 10, image: oracle@host1


*** 2026-03-01T10:00:05.000000+01:00
*** SESSION ID:(101.5) 2026-03-01T10:00:05.000000+01:00

[TOC00000]
Jump to table of contents
Dump continued from file: /u01/app/oracle/diag/rdbms/db1/db1/trace/db1_ora_10.trc
[TOC00001]
ORA-00600: internal error code, arguments: [kkslgbv0], [x], [], [], [], [], [], [], [], [], [], []

[TOC00001-END]
[TOC00002]
========= Dump for incident 10192 (ORA 600 [kkslgbv0]) ========

*** 2026-03-01T10:00:05.000000+01:00
dbkedDefDump(): Starting incident default dumps (flags=0x2, level=3, mask=0x0)
[TOC00003]
----- Current SQL Statement for this session (sql_id=bbbbbbbbbbbb1) -----
select * from orders where customer = :name
[TOC00003-END]

[TOC00004]
----- Call Stack Trace -----
calling              call     entry                argument values in hex
location             type     point                (? means dubious value)
-------------------- -------- -------------------- ----------------------------
ksedst1()+95         call     kgdsdst()            7FFE ? 000000002 ?
kkslgbv0()+120       call     ksedst1()            000000000 ? 000000001 ?
opiexe()+4000        call     kkslgbv0()           000000000 ? 000000001 ?
----- End of Call Stack Trace -----
`
)

// TestIncidentIsOneError: the line of the incident, the dump in its own file and
// the ERROR line tell of one error, with the bind values of one and the dump of the
// other.
func TestIncidentIsOneError(t *testing.T) {
	m := load(t, map[string]string{"db1_ora_10.trc": incidentMain, "db1_ora_10_i10192.trc": incidentDump}, report.Options{})
	if len(m.Errors) != 1 || len(m.ErrorCount) != 1 || m.ErrorCount[0].Count != 1 || len(m.Failures) != 1 {
		t.Fatalf("errors %+v, counts %+v, %d failures", m.Errors, m.ErrorCount, len(m.Failures))
	}
	v, e := m.Verdict, m.Errors[0]
	equal(t, "where", e.File, "db1_ora_10.trc")
	equal(t, "line", e.Line, int64(30))
	equal(t, "dump", e.Dump, true)
	equal(t, "dump file", text(e.DumpFile), "db1_ora_10_i10192.trc")
	equal(t, "when", text(v.At), "2026-03-01T10:00:05.000000+01:00")
	equal(t, "with values", text(v.WithValues), "select * from orders where customer = 'O''Hara'")
	equal(t, "frames", strings.Join(v.Frames, " "), "kkslgbv0 opiexe")
	equal(t, "others", v.Others, int64(0))
	for _, r := range m.Timeline {
		if r.OffsetS == nil || *r.OffsetS < -10 || *r.OffsetS > 10 {
			t.Errorf("row %s L%d stands %v s from the error", r.Kind, r.Line, r.OffsetS)
		}
	}
	if txt := asText(t, m); !strings.Contains(txt, "dump db1_ora_10_i10192.trc:L21") || !strings.Contains(txt, "covered 6.000 s of 1 session in 2 files") {
		t.Errorf("text: %.900s", txt)
	}

	var wide strings.Builder
	if err := m.WriteText(&wide, 80); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(wide.String(), "\n") {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if !strings.Contains(asText(t, m), "10192 ORA-00600 db1_ora_10.trc:L25") {
		t.Error("the incident is not listed with its line")
	}

	m = load(t, map[string]string{"db1_ora_10.trc": incidentMain}, report.Options{})
	if len(m.Errors) != 1 || m.Errors[0].Line != 30 || text(m.Verdict.Message) == "(null)" {
		t.Errorf("without the incident's file: %+v", m.Errors)
	}
	m = load(t, map[string]string{"db1_ora_10_i10192.trc": incidentDump}, report.Options{})
	if len(m.Errors) != 1 || m.Errors[0].DumpFile != nil || len(m.Timeline) != 1 || m.Timeline[0].At == nil {
		t.Errorf("the incident's file alone: %+v, %+v", m.Errors, m.Timeline)
	}
}

// TestIncidentsApart: another incident of the same number is another error, and so
// is an ERROR line after calls that succeeded: the incident's had been caught.
func TestIncidentsApart(t *testing.T) {
	exec := "EXEC #140003:c=10,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=7000500\n"
	later := strings.Replace(incidentMain, "EXEC #140003:c=10,e=6000000", exec+strings.ReplaceAll(exec, "7000500", "7000600")+"EXEC #140003:c=10,e=10", 1)
	later = strings.ReplaceAll(strings.ReplaceAll(later, "tim=7000100", "tim=7000700"), "tim=7000120", "tim=7000720")
	if m := load(t, map[string]string{"x.trc": later}, report.Options{}); len(m.Errors) != 2 {
		t.Errorf("an ERROR line behind other calls: %+v", m.Errors)
	}
	second := incidentMain[strings.Index(incidentMain, "Incident 10192"):]
	second = strings.NewReplacer("10192", "10193", "10:00:06", "10:00:16", "tim=7", "tim=17").Replace(second)
	m := load(t, map[string]string{
		"db1_ora_10.trc": incidentMain + second, "db1_ora_10_i10192.trc": incidentDump,
		"db1_ora_10_i10193.trc": strings.ReplaceAll(strings.ReplaceAll(incidentDump, "10192", "10193"), "10:00:05", "10:00:15"),
	}, report.Options{})
	if len(m.Errors) != 2 || text(m.Errors[0].DumpFile) == text(m.Errors[1].DumpFile) || m.ErrorCount[0].Count != 2 {
		t.Errorf("two incidents: %+v, %+v", m.Errors, m.ErrorCount)
	}
}
