package tracefile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/tracefile"
)

// print shows everything about a record that must not change when text behind
// it does.
func print(rec *tracefile.Record) string {
	var binds strings.Builder
	for _, b := range rec.Binds {
		fmt.Fprintf(&binds, "[%d %d %v %q]", b.Position, b.Type, b.HasValue, b.Value)
	}
	return fmt.Sprintf("%v L%d #%d c=%d e=%d p=%d cr=%d cu=%d r=%d dep=%d tim=%d name=%q text=%q code=%d binds=%s op=%q %s",
		rec.Kind, rec.Line, rec.Cursor, rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current, rec.Rows, rec.Depth, rec.Tim,
		rec.Name, rec.Text, rec.Code, binds.String(), rec.Plan.Operation, rec.Damage)
}

type printed struct {
	offset int64
	line   int64
	text   string
	kind   tracefile.Kind
}

// records reads all records; those that begin in data[from:to] are printed, the
// rest only counted.
func records(tb testing.TB, data []byte, from, to int) []printed {
	tb.Helper()
	var out []printed
	r := tracefile.NewReader(bytes.NewReader(data))
	for r.Scan() {
		rec := r.Record()
		p := printed{offset: rec.Offset, line: rec.Line, kind: rec.Kind}
		if rec.Offset >= int64(from) && rec.Offset < int64(to) {
			p.text = print(rec)
		}
		out = append(out, p)
	}
	if r.Err() != nil {
		tb.Fatal(r.Err())
	}
	return out
}

// smallSamples are the samples that are tried byte by byte, and a made-up one
// with every kind of record.
func smallSamples(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"made-up": []byte(everyKind())}
	for _, f := range sharedTraces(t) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) < 5200 {
			out[filepath.Base(f)] = b
		}
	}
	return out
}

func everyKind() string {
	text := "select * from orders where id = :1"
	return head19 + parsing(60, 0, 1_000_000, text) + call("PARSE", 60, 0, 0, 1_000_001) +
		"BINDS #60:\n\n Bind#0\n  oacdty=01 mxl=32(10) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=01 csi=873 siz=32 off=0\n  kxsbbbfp=7fe9  bln=32  avl=03  flg=05\n  value=\"a\nb\"\n" +
		call("EXEC", 60, 0, 0, 1_010_000) + waitLine(60, "SQL*Net message to client", 2, 1_010_100) + call("FETCH", 60, 0, 1, 1_020_000) +
		"STAT #60 id=1 cnt=1 pid=0 pos=1 obj=7 op='TABLE ACCESS FULL ORDERS (cr=4 pr=0 pw=0 str=1 time=399 us cost=3 size=13 card=1)'\n" +
		"CLOSE #60:c=0,e=1,dep=0,type=0,tim=1020100\nUNMAP #60:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=1020200\n" +
		"XCTEND rlbk=0, rd_only=0, tim=1020300\nERROR #60:err=1555 tim=1020400\nLOBREAD: type=PERSISTENT LOB,bytes=5,c=1,e=2,p=0,cr=0,cu=0,tim=1020500\n" +
		"PARSE ERROR #61:len=9 dep=0 uid=9 oct=3 lid=9 tim=1020600 err=936\nselect fr\n" +
		"Received ORADEBUG command (#1) 'tracefile_name' from process 'Unix process pid: 5, image: <none>'\n\n*** 2026-03-01T10:00:02.000000+01:00 (PDB1(3))\n" +
		"Finished processing ORADEBUG command (#1) 'tracefile_name'\n" + fmt.Sprintf(errorStack, tracefile.SQLIDOf([]byte(text)), text) +
		"Incident 10192 created, dump file: /x/db1_ora_4711_i10192.trc\nORA-00600: internal error code, arguments: [1]\n\n" +
		"Trace output buffer of 65536 bytes wrapped 2 times\n=1,tim=7\n" + call("EXEC", 62, 1, 0, 3_000_000) + "*** Trace file full ***\n" +
		"RPC CALL:FUNCTION A.B.C(D);\nRPC BINDS:\n bind 0: dty=2\n  value=1\nRPC EXEC:c=0,e=9,tim=3000100\n*** DUMP FILE SIZE IS LIMITED TO 1048576 BYTES ***\n"
}

// unchanged checks that the records that end before a damaged byte are what they
// are in the whole file. Only the last ones before it are compared: those
// before were, when the damage stood there.
func unchanged(t *testing.T, whole []printed, data []byte, at int) {
	t.Helper()
	const window = 1500
	got := records(t, data, at-window, at)
	for i := range whole {
		if i+1 == len(whole) || whole[i+1].offset > int64(at) || whole[i+1].line == whole[i].line {
			if i+1 < len(whole) && whole[i+1].offset <= int64(at) {
				continue // one line holds both
			}
			return
		}
		if whole[i].offset < int64(at-window) {
			continue
		}
		if i >= len(got) || got[i].text != whole[i].text {
			t.Fatalf("damage at byte %d changes record %d:\n got %v\nwant %v", at, i, got[min(i, len(got)-1)].text, whole[i].text)
		}
	}
}

// TestCutAtEveryByte cuts small traces at every byte: no panic, and every record
// before the cut is there unchanged.
func TestCutAtEveryByte(t *testing.T) {
	for name, data := range smallSamples(t) {
		t.Run(name, func(t *testing.T) {
			whole := records(t, data, 0, len(data))
			for cut := range data {
				unchanged(t, whole, data[:cut], cut)
				if cut%7 == 0 {
					analyse(t, data[:cut])
				}
			}
		})
	}
}

// TestDamagedBytes puts a NUL and a byte that is no UTF-8 at every place: no
// panic, and every record before it is there unchanged.
func TestDamagedBytes(t *testing.T) {
	for name, data := range smallSamples(t) {
		t.Run(name, func(t *testing.T) {
			whole := records(t, data, 0, len(data))
			for at := range data {
				if data[at] == '\n' {
					continue
				}
				bad := bytes.Clone(data)
				bad[at] = byte(at % 2 * 0xff)
				unchanged(t, whole, bad, at)
				if at%11 == 0 {
					analyse(t, bad)
				}
			}
		})
	}
}

// TestGluedLines takes out every line end between two records of one line each:
// both must still be read.
func TestGluedLines(t *testing.T) {
	single := map[tracefile.Kind]bool{
		tracefile.Wait: true, tracefile.Parse: true, tracefile.Exec: true, tracefile.Fetch: true, tracefile.Close: true,
		tracefile.Stat: true, tracefile.Error: true, tracefile.Xctend: true, tracefile.Lob: true,
	}
	pairs := 0
	for name, data := range smallSamples(t) {
		if strings.Contains(name, "broken") || strings.Contains(name, "malformed") {
			continue
		}
		whole := records(t, data, 0, len(data))
		for i := 0; i+1 < len(whole); i++ {
			if !single[whole[i].kind] || !single[whole[i+1].kind] {
				continue
			}
			pairs++
			at := whole[i+1].offset - 1
			glued := append(bytes.Clone(data[:at]), data[at+1:]...)
			got := records(t, glued, 0, len(glued))
			if len(got) != len(whole) {
				t.Errorf("%s: %d records without the line end at byte %d, want %d", name, len(got), at, len(whole))
				continue
			}
			for k := i; k <= i+1; k++ {
				want := strings.TrimSuffix(whole[k].text, " ")
				have := strings.TrimSuffix(strings.TrimSuffix(got[k].text, string(tracefile.Glued)), " ")
				if k == i+1 { // one line up
					_, want, _ = strings.Cut(want, " #")
					_, have, _ = strings.Cut(have, " #")
				}
				if have != want {
					t.Errorf("%s: byte %d\n got %s\nwant %s", name, at, have, want)
				}
			}
		}
	}
	if pairs < 100 {
		t.Fatalf("only %d pairs were tried", pairs)
	}
}

func TestDuplicateRingsCountOnce(t *testing.T) {
	ring := parsing(60, 0, 1_000_000, "select 1 from dual") + call("EXEC", 60, 0, 0, 1_010_000) + waitLine(60, "db file sequential read", 500, 1_010_900) + call("FETCH", 60, 0, 1, 1_020_000)
	more := call("EXEC", 60, 0, 0, 1_030_000)
	wrap := "Trace output buffer of 65536 bytes wrapped 1 times\n"
	stack := fmt.Sprintf(errorStack, "9x825n14bw9r9", "select 1 from dual")
	p := analyse(t, []byte(head19+wrap+ring+stack+wrap+ring+more+stack))
	equal(t, "executions", p.Totals.NonRecursive.Exec.Count, int64(2))
	equal(t, "waits", p.Events[0].Stat.Count, int64(1))
	equal(t, "duplicates", p.DuplicateRecords, int64(4))
	equal(t, "rings", len(p.Rings), 2)
	// A file that was copied behind itself is another matter: it has a header.
	whole := head19 + ring
	p = analyse(t, []byte(whole+whole))
	equal(t, "executions of a doubled file", p.Totals.NonRecursive.Exec.Count, int64(2))
}

// TestManyRecordsOnOneLine reads ten thousand records that lost their line ends,
// in a time that grows with their number only.
func TestManyRecordsOnOneLine(t *testing.T) {
	var b strings.Builder
	const n = 5000
	for i := range int64(n) {
		b.WriteString(strings.TrimSuffix(waitLine(5, "db file sequential read", 7, 1000+i*10), "\n"))
		b.WriteString(strings.TrimSuffix(call("EXEC", 5, 0, 1, 1005+i*10), "\n"))
	}
	start := time.Now()
	data := b.String()[:min(b.Len(), tracefile.MaxLine-10)]
	p := analyse(t, []byte(data))
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	got := p.Totals.UnknownCursors.Exec.Count
	want := int64(strings.Count(data, "EXEC #"))
	if got < want-1 || got > want || want < 4000 {
		t.Errorf("%d executions, want %d", got, want)
	}
}
