package report_test

import (
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// failsBelow is a PL/SQL block whose update fails.
const failsBelow = `Trace file /u01/app/oracle/diag/rdbms/db1/db1/trace/db1_ora_11.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Version 19.24.0.0.0
Instance name: db1
Unix process pid: 11, image: oracle@host1


*** 2026-03-01T10:00:00.000000+01:00
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00

=====================
PARSING IN CURSOR #140003 len=28 dep=0 uid=90 oct=47 lid=90 tim=1000000 hv=1 ad='7f00' sqlid='bbbbbbbbbbbb1'
begin app.pay.run(:1); end;
END OF STMT
PARSE #140003:c=10,e=10,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=0,tim=1000010
BINDS #140003:

 Bind#0
  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0
  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05
  value=77
=====================
PARSING IN CURSOR #140004 len=50 dep=1 uid=90 oct=6 lid=90 tim=1000100 hv=2 ad='7f01' sqlid='cccccccccccc1'
UPDATE ACCOUNTS SET BALANCE = :B1 WHERE ID = :B2
END OF STMT
PARSE #140004:c=10,e=10,p=0,cr=0,cu=0,mis=1,r=0,dep=1,og=1,plh=0,tim=1000110
BINDS #140004:

 Bind#0
  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0
  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05
  value=5
 Bind#1
  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0
  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05
  value=6
EXEC #140004:c=10,e=500,p=0,cr=2,cu=1,mis=1,r=0,dep=1,og=1,plh=9,tim=1000700

*** 2026-03-01T10:00:00.000700+01:00
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
ORA-02290: check constraint (APP.C1) violated
----- Current SQL Statement for this session (sql_id=cccccccccccc1) -----
UPDATE ACCOUNTS SET BALANCE = :B1 WHERE ID = :B2
----- PL/SQL Call Stack -----
  object      line  object
  handle    number  name
0x78c5a8b8        36  package body APP.PAY
0x78c5a8b9         1  anonymous block
----- End of Call Stack Trace -----

ERROR #140004:err=2290 tim=1000720
CLOSE #140004:c=1,e=1,dep=1,type=3,tim=1000760
EXEC #140003:c=100,e=900,p=0,cr=2,cu=1,mis=1,r=0,dep=0,og=1,plh=0,tim=1001000
ERROR #140003:err=2290 tim=1001020
`

// TestCalledBy: where a recursive call failed, the first screen names the call of
// the application around it, with its values: that is what its developers know.
func TestCalledBy(t *testing.T) {
	m := load(t, map[string]string{"x.trc": failsBelow}, report.Options{})
	c := m.Verdict.CalledBy
	if c == nil {
		t.Fatal("no caller")
	}
	equal(t, "caller", text(c.SQLID), "bbbbbbbbbbbb1")
	equal(t, "text", text(c.Text), "begin app.pay.run(77); end;")
	txt := asText(t, m)
	if first, _, _ := strings.Cut(txt, "COVERAGE"); !strings.Contains(first, "called by bbbbbbbbbbbb1 (L15) begin app.pay.run(77); end;") {
		t.Errorf("verdict: %s", first)
	}
	if first, rest, _ := strings.Cut(txt, "COVERAGE"); strings.Contains(first, "other failure") || !strings.Contains(rest, "(the same error, passed on to the caller)") {
		t.Errorf("the caller's error is told as another failure: %s", first)
	}
	again := failsBelow + "EXEC #140003:c=100,e=9,p=0,cr=2,cu=1,mis=0,r=0,dep=0,og=1,plh=0,tim=2001000\nERROR #140003:err=2290 tim=2001020\n"
	if first, _, _ := strings.Cut(asText(t, load(t, map[string]string{"x.trc": again}, report.Options{})), "COVERAGE"); !strings.Contains(first, "besides 1 other failure") {
		t.Errorf("a failure of the caller alone is none: %s", first)
	}
	if h := page(t, m); !strings.Contains(h, "Called by <a") {
		t.Error("the page does not tell it")
	}
	m = load(t, map[string]string{"x.trc": failsBelow}, report.Options{Redact: report.Redact{Binds: true}})
	equal(t, "text, redacted", text(m.Verdict.CalledBy.Text), "begin app.pay.run(:1); end;")
	flushed := failsBelow[:strings.Index(failsBelow, "CLOSE #140004")] // as a ring ends
	m = load(t, map[string]string{"x.trc": flushed}, report.Options{})
	if m.Verdict.CalledBy != nil || len(m.Verdict.InFlight) == 0 {
		t.Errorf("a call that never completed: %+v, in flight %+v", m.Verdict.CalledBy, m.Verdict.InFlight)
	}
	if m := ring(t, report.Options{}); m.Verdict.Depth == 0 && m.Verdict.CalledBy != nil {
		t.Error("a call of the application has a caller")
	}
}
