package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/report"
)

// unzoned is a trace as 12.1 writes it: stamps without zone, tim since the start
// of the machine, so nothing tells the zone.
const unzoned = `Trace file /u01/db1_ora_7.trc
Oracle Database 12c Enterprise Edition Release 12.1.0.2.0 - 64bit Production
Instance name: db1

*** 2023-05-19 05:28:00.350
*** SESSION ID:(17.5) 2023-05-19 05:28:00.350

=====================
PARSING IN CURSOR #140001 len=13 dep=0 uid=9 oct=3 lid=9 tim=7000000 hv=1 ad='7' sqlid='aaaaaaaaaaaa1'
select 1 from
END OF STMT
EXEC #140001:c=10,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=7000100
ERROR #140001:err=942 tim=7000200
EXEC #140001:c=10,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=7100000
ERROR #140001:err=942 tim=7100200
`

// TestTimesWithoutZone: nothing may claim to be UTC that is not known to be. JSON
// has the offset that stands for an unknown one, people the time of the trace.
func TestTimesWithoutZone(t *testing.T) {
	m := load(t, map[string]string{"x.trc": unzoned}, report.Options{})
	var j, h bytes.Buffer
	if err := m.WriteJSON(&j); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteHTML(&h); err != nil {
		t.Fatal(err)
	}
	txt := asText(t, m)
	for what, s := range map[string]string{"text": txt, "page": h.String(), "JSON": j.String()} {
		if !strings.Contains(s, "05:28:00.") {
			t.Errorf("%s: no time of the trace", what)
		}
		for _, line := range strings.Split(s, "\n") {
			if strings.Contains(line, "05:28:00") && (strings.Contains(line, "Z\"") || strings.Contains(line, "Z ") || strings.Contains(line, "Z<")) {
				t.Errorf("%s claims a zone: %s", what, line)
			}
		}
	}
	if !strings.Contains(txt, "2023-05-19 05:28:00.450100 (no zone in the trace)") || strings.Contains(txt, "-00:00") {
		t.Errorf("not the time of the trace:\n%.300s", txt)
	}
	equal(t, "at", text(m.Errors[1].At), "2023-05-19T05:28:00.450100-00:00")
	if _, err := time.Parse(time.RFC3339Nano, text(m.Errors[1].At)); err != nil {
		t.Error(err)
	}
	equal(t, "zone known", m.Files[0].Clock.ZoneKnown, false)

	zoned := strings.ReplaceAll(unzoned, ".350\n", ".350000+00:00\n")
	m = load(t, map[string]string{"x.trc": zoned}, report.Options{})
	equal(t, "at, of a trace in UTC", text(m.Errors[1].At), "2023-05-19T05:28:00.450100Z")
	equal(t, "zone known", m.Files[0].Clock.ZoneKnown, true)
}

// TestStampsTakeTheZoneOfTheirTrace: to 11.2 stamps have no zone either, but tim
// counts from 1970 and tells it. Dumps and ORADEBUG commands, which have nothing
// but a stamp, are no exception, or a command stands hours off in the story.
func TestStampsTakeTheZoneOfTheirTrace(t *testing.T) {
	// 2011-03-12 10:00:00 UTC, printed at +02:00.
	trace := `Trace file /u01/db1_ora_7.trc
Oracle Database 11g Enterprise Edition Release 11.2.0.3.0 - 64bit Production
Instance name: db1

*** 2011-03-12 12:00:00.000
*** SESSION ID:(17.5) 2011-03-12 12:00:00.000

=====================
PARSING IN CURSOR #140001 len=13 dep=0 uid=9 oct=3 lid=9 tim=1299924000000100 hv=1 ad='7' sqlid='aaaaaaaaaaaa1'
select 1 from
END OF STMT
EXEC #140001:c=10,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=1299924000000200
Received ORADEBUG command (#1) 'event 10046 trace name context off' from process 'Unix process pid: 5, image: <none>'

*** 2011-03-12 12:00:01.000
Finished processing ORADEBUG command (#1) 'event 10046 trace name context off'
EXEC #140001:c=10,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=1299924002000000

*** 2011-03-12 12:00:03.000
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
ORA-00942: table or view does not exist
----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----
select 1 from

ERROR #140001:err=942 tim=1299924003000000
`
	m := load(t, map[string]string{"x.trc": trace}, report.Options{})
	if len(m.Dumps) != 1 {
		t.Fatalf("%d dumps", len(m.Dumps))
	}
	equal(t, "dump", text(m.Dumps[0].At), "2011-03-12T12:00:03.000000+02:00")
	equal(t, "error", text(m.Errors[0].At), "2011-03-12T12:00:03.000000+02:00")
	var seen bool
	for _, r := range m.Timeline {
		if r.Kind == "oradebug" && r.At != nil {
			seen = true
			if !strings.HasPrefix(*r.At, "2011-03-12T12:00:0") || !strings.HasSuffix(*r.At, "+02:00") {
				t.Errorf("command %q at %s", r.What, *r.At)
			}
			if r.OffsetS == nil || *r.OffsetS < -4 || *r.OffsetS > 0 {
				t.Errorf("command %q stands %v s from the error", r.What, r.OffsetS)
			}
		}
	}
	if !seen {
		t.Error("no ORADEBUG command with a time in the story")
	}
}

// TestCommandBehindTheError: an ORADEBUG command has no time of its own but the
// stamp before it, which is that of the dump. It came behind the records between.
func TestCommandBehindTheError(t *testing.T) {
	trace := strings.ReplaceAll(unzoned, "ERROR #140001:err=942 tim=7000200\n", "")
	trace = strings.Replace(trace, "ERROR #140001:err=942", "\n*** 2023-05-19 05:28:00.451\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-00942: table or view does not exist\n\nERROR #140001:err=942", 1)
	trace += "XCTEND rlbk=1, rd_only=0, tim=7102000\n\nReceived ORADEBUG command (#8) 'flush' from process '2874'\n\n*** 2023-05-19 05:28:09.000\nFinished processing ORADEBUG command (#8) 'flush'\n"
	m := load(t, map[string]string{"x.trc": trace}, report.Options{})
	var got []string
	for _, r := range m.Timeline {
		got = append(got, r.Kind)
		if r.Kind == "oradebug" && (r.OffsetS == nil || *r.OffsetS < 0.001) {
			t.Errorf("the command stands %v s from the error", *r.OffsetS)
		}
	}
	if s := strings.Join(got, " "); !strings.HasSuffix(s, "error transaction oradebug") {
		t.Errorf("rows %s", s)
	}
}
