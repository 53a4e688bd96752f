package report_test

import (
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// ringTrace is a ring that was flushed by ORA-01555: its first line is cut, one
// cursor's text is gone, the failing one's too, and the error stack names it.
const ringTrace = `Trace file /u01/app/oracle/diag/rdbms/db/db1/trace/db1_ora_4711.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Version 19.24.0.0.0
System name:	Linux
Node name:	host1
Instance name: db1
Oracle process number: 38
Unix process pid: 4711, image: oracle@host1


*** 2026-03-01T10:00:00.000000+01:00 (PDB1(3))
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00
*** CLIENT ID:(jane) 2026-03-01T10:00:00.000000+01:00
*** SERVICE NAME:(app) 2026-03-01T10:00:00.000000+01:00
*** MODULE NAME:(Check<script>alert(1)</script>out) 2026-03-01T10:00:00.000000+01:00
*** ACTION NAME:(pay) 2026-03-01T10:00:00.000000+01:00

Trace output buffer of 65536 bytes wrapped 3 times
0,r=1,dep=0,og=1,plh=77,tim=999000
EXEC #140001:c=100,e=200,p=0,cr=3,cu=0,mis=0,r=1,dep=0,og=1,plh=77,tim=1000000
WAIT #140001: nam='SQL*Net message to client' ela= 2 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000100
WAIT #140001: nam='SQL*Net message from client' ela= 1500000 driver id=1 #bytes=1 p3=0 obj#=-1 tim=2500200
=====================
PARSING IN CURSOR #140002 len=41 dep=0 uid=90 oct=6 lid=90 tim=2500300 hv=1 ad='7f00' sqlid='aaaaaaaaaaaa1'
update stock set qty = qty - :1 where id=2
END OF STMT
PARSE #140002:c=90,e=100,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=0,tim=2500301
BINDS #140002:

 Bind#0
  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0
  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05
  value=4
=====================
PARSING IN CURSOR #140003 len=22 dep=1 uid=90 oct=3 lid=90 tim=2500500 hv=2 ad='7f01' sqlid='aaaaaaaaaaaa2'
select max(n) from seq
END OF STMT
EXEC #140003:c=10,e=20,p=0,cr=1,cu=0,mis=0,r=0,dep=1,og=1,plh=5,tim=2500600
WAIT #140003: nam='db file sequential read' ela= 300 file#=1 block#=2 blocks=1 obj#=7 tim=2501000
FETCH #140003:c=100,e=500,p=1,cr=2,cu=0,mis=0,r=1,dep=1,og=1,plh=5,tim=2501200
EXEC #140002:c=400,e=1200,p=1,cr=5,cu=4,mis=0,r=1,dep=0,og=1,plh=9,tim=2501600
STAT #140002 id=1 cnt=0 pid=0 pos=1 obj=0 op='UPDATE  STOCK (cr=5 pr=1 pw=0 str=1 time=1000 us)'
STAT #140002 id=2 cnt=1 pid=1 pos=1 obj=7 op='INDEX UNIQUE SCAN STOCK_PK (cr=2 pr=0 pw=0 str=1 time=300 us cost=1 size=7 card=1)'
BINDS #140004:

 Bind#0
  oacdty=01 mxl=32(04) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000000 frm=01 csi=873 siz=32 off=0
  kxsbbbfp=7fe9c3cf3450  bln=32  avl=06  flg=05
  value="O'Hara"

*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
ORA-01555: snapshot too old: rollback segment number 12 with name "_SYSSMU12_1$" too small
----- Current SQL Statement for this session (sql_id=bbbbbbbbbbbb1) -----
select * from orders where customer = :name
----- PL/SQL Call Stack -----
  object      line  object
  handle    number  name
0x78c5a8b8        36  package body APP.PAY.RUN
----- End of Call Stack Trace -----

ERROR #140004:err=1555 tim=2502000
`

func load(tb testing.TB, texts map[string]string, opt report.Options) *report.Model {
	tb.Helper()
	dir := tb.TempDir()
	var paths []string
	for name, text := range texts {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		paths = append(paths, p)
	}
	sort.Strings(paths)
	l, err := report.Load(context.Background(), report.Input{Paths: paths}, tracefile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if l.Failed > 0 {
		tb.Fatal(l.Errors)
	}
	for _, f := range l.Profile.Files {
		f.Path = strings.TrimPrefix(f.Path, dir+string(filepath.Separator))
	}
	return report.Build(l.Profile, opt)
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func text(s *string) string {
	if s == nil {
		return "(null)"
	}
	return *s
}

// asText is the text form, 80 columns wide, with its line ends as blanks.
func asText(tb testing.TB, m *report.Model) string {
	tb.Helper()
	var b strings.Builder
	if err := m.WriteText(&b, 80); err != nil {
		tb.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
