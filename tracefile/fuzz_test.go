package tracefile_test

import (
	"bytes"
	"testing"

	"ringtrace/tracefile"
)

func fuzzSeeds(f *testing.F) {
	f.Add([]byte(everyKind()))
	f.Add([]byte(head19))
	f.Add([]byte("im=5\nWAIT #1: nam='x' ela= 3 p1=1 p2=2 p3=3\nEXEC #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=1WAIT #0: nam='y' ela=1 a=1 b=2 c=3 obj#=-1 tim=2"))
	f.Add([]byte("BINDS #1:\n bind 0: dty=1\n  value=\"a\n\n Bind#1\nDump of memory from\n00B6F1420 00000008\n  value= Bind#2\nEXEC #1:c=0"))
	f.Add([]byte("BINDS #1:\n Bind#0\n  oacdty=01 mxl=32\n  bln=32  avl=03\n  value=\"longer than it says\nEXEC #1:c=0"))
	f.Add([]byte("PARSE ERROR #1:len=999999999999 dep=0 uid=0 oct=0 lid=0 tim=1 err=1\nx\r\n\x00\xff"))
}

// FuzzReader holds the line layer to its promises on any bytes.
func FuzzReader(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := tracefile.NewReader(bytes.NewReader(data))
		last := int64(-1)
		for r.Scan() {
			rec := r.Record()
			if rec.Offset <= last {
				t.Fatalf("offset %d behind %d", rec.Offset, last)
			}
			last = rec.Offset
			if rec.Offset >= int64(len(data)) || rec.Line < 1 || rec.Line > r.LinesRead() {
				t.Fatalf("record at offset %d, line %d of %d bytes", rec.Offset, rec.Line, len(data))
			}
			if rec.Kind.IsCall() && rec.Complete && (rec.Depth < 0 || rec.Depth > 1000) {
				t.Fatalf("depth %d", rec.Depth)
			}
			if c := rec.Clone(); print(c) != print(rec) {
				t.Fatal("clone differs")
			}
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		if r.BytesRead() != int64(len(data)) {
			t.Fatalf("%d of %d bytes read", r.BytesRead(), len(data))
		}
	})
}

// FuzzAnalyzer holds the semantic layer to its sums on any bytes.
func FuzzAnalyzer(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p := analyse(t, data)
		var sum, all tracefile.Calls
		for _, st := range p.Statements {
			sum.Add(st.Self)
		}
		all.Add(p.Totals.NonRecursive)
		all.Add(p.Totals.Recursive)
		all.Add(p.Totals.UnknownCursors)
		if sum != all {
			t.Fatalf("statements %+v, totals %+v", sum, all)
		}
		for _, e := range p.Events {
			if e.Within+e.Between != e.Stat.Total {
				t.Fatalf("%s: within %d + between %d, total %d", e.Name, e.Within, e.Between, e.Stat.Total)
			}
		}
	})
}
