package sight

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

const header = "Trace file /u01/x_ora_1.trc\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nNode name:\tdb1\n" +
	"\n*** 2026-03-14T15:00:00.000000+00:00 (APPPDB(3))\n*** SESSION ID:(41.55812) 2026-03-14T15:00:00.000000+00:00\n"

const markers = "\nReceived ORADEBUG command (#1) 'session_event 942 trace name errorstack level 3' from process '2772'\n" +
	"\n*** 2026-03-14T15:00:01.000000+00:00 (APPPDB(3))\nFinished processing ORADEBUG command (#1) 'session_event 942 trace name errorstack level 3'\n\n"

const dump19 = "\n*** 2026-03-14T15:04:05.250000+02:00 (APPPDB(3))\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n\n" +
	"----- Error Stack Dump -----\n<error barrier> at 0x7fff83740dd0 placed dbkda.c@296\nORA-00942: table or view does not exist\n----- SQL Statement (None) -----\n"

const dump10 = "*** 2007-08-20 18:15:12.223\nksedmp: internal or fatal error\nORA-00942: table or view does not exist\nCurrent SQL statement for this session:\nselect 1\n"

func feed(text string, size int) (dumps []Dump, records int, failed []int) {
	var s Scan
	for len(text) > 0 {
		n := min(size, len(text))
		f := s.Feed([]byte(text[:n]))
		dumps, records, failed = append(dumps, f.Dumps...), records+f.Records, append(failed, f.Failed...)
		text = text[n:]
	}
	return dumps, records, failed
}

func TestScan(t *testing.T) {
	at := time.Date(2026, 3, 14, 13, 4, 5, 250_000_000, time.UTC)
	for _, c := range []struct {
		name, text string
		codes      []int
		at         time.Time
		sid        int
		records    int
	}{
		{"header and markers", header + markers, nil, time.Time{}, 0, 0},
		{"a dump of 19c", header + markers + dump19, []int{942}, at, 41, 0},
		{"a dump of 10.2", dump10, []int{942}, time.Date(2007, 8, 20, 18, 15, 12, 223_000_000, time.UTC), 0, 0},
		{"CRLF", strings.ReplaceAll(header+dump19, "\n", "\r\n"), []int{942}, at, 41, 0},
		{"a dump without an error", header + strings.Replace(dump19, "ORA-00942: table or view does not exist\n", "", 1), []int{}, at, 41, 0},
		{"an error text of two lines", header + strings.Replace(dump19, "not exist\n", "not exist\nsecond line\nORA-06512: at line 1\n", 1), []int{942, 6512}, at, 41, 0},
		{"trace", "PARSE #1:c=0\nWAIT #1: nam='x'\nPARSING IN CURSOR #1 len=3\nERROR #1:err=1555 tim=1\n", nil, time.Time{}, 0, 4},
		{"SQL text that looks like a record", "  PARSE #1 is no record\n", nil, time.Time{}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{1 << 20, 7, 1} {
				dumps, records, _ := feed(c.text, size)
				if records != c.records {
					t.Errorf("pieces of %d: %d records, want %d", size, records, c.records)
				}
				if c.codes == nil {
					if len(dumps) != 0 {
						t.Errorf("pieces of %d: %+v", size, dumps)
					}
					continue
				}
				if len(dumps) != 1 || len(dumps[0].Codes) != len(c.codes) || len(c.codes) > 0 && !reflect.DeepEqual(dumps[0].Codes, c.codes) {
					t.Fatalf("pieces of %d: %+v, want %v", size, dumps, c.codes)
				}
				if !dumps[0].At.Equal(c.at) || dumps[0].SID != c.sid {
					t.Errorf("pieces of %d: at %v of session %d", size, dumps[0].At, dumps[0].SID)
				}
			}
		})
	}
}

func TestFailed(t *testing.T) {
	_, _, failed := feed("ERROR #140:err=1555 tim=77\nPARSE ERROR #140:len=21 dep=0 uid=5 oct=3 lid=5 tim=1 err=942\nselect * from missing\n", 10)
	if !reflect.DeepEqual(failed, []int{1555, 942}) {
		t.Errorf("%v", failed)
	}
}

func TestTrigger(t *testing.T) {
	wanted := func(n ...int) func(int) bool {
		return func(ora int) bool {
			for _, x := range n {
				if x == ora {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		codes, want []int
		ora         int
		ok          bool
	}{
		{[]int{12012, 1089, 6512}, []int{1089}, 1089, true},
		{[]int{6512, 942}, []int{1555}, 942, false},
		{[]int{6512}, []int{1555}, 0, false},
		{nil, []int{1555}, 0, false},
	} {
		d := Dump{Codes: c.codes}
		if ora, ok := d.Trigger(wanted(c.want...)); ora != c.ora || ok != c.ok {
			t.Errorf("%v wanting %v: %d %v", c.codes, c.want, ora, ok)
		}
	}
}

// FuzzScan: whatever a file holds and however it is cut, the same is found.
func FuzzScan(f *testing.F) {
	f.Add(header+markers+dump19, 5)
	f.Add(dump10, 3)
	f.Add("----- Error Stack Dump -----\nORA-00001\n*** x\n", 2)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 || size > 1<<16 || len(text) > 1<<16 {
			return
		}
		d1, r1, f1 := feed(text, len(text)+1)
		d2, r2, f2 := feed(text, size)
		if r1 != r2 || !reflect.DeepEqual(f1, f2) || !reflect.DeepEqual(d1, d2) {
			t.Errorf("whole: %+v %d %v; in pieces of %d: %+v %d %v", d1, r1, f1, size, d2, r2, f2)
		}
	})
}
