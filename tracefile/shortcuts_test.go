package tracefile_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// sameAsCareful fails unless the reader with its short cuts for usual lines says
// what the one without them says.
func sameAsCareful(tb testing.TB, data []byte) (records int) {
	tb.Helper()
	return sameFrom(tb, bytes.NewReader(data), data)
}

// trickle delivers text in small pieces, as a pipe does: lines are not whole in the
// buffer, and what stood there before stands behind them.
type trickle struct {
	data []byte
	rng  *rand.Rand
}

func (t *trickle) Read(p []byte) (int, error) {
	if len(t.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+t.rng.IntN(600))], t.data)
	t.data = t.data[n:]
	return n, nil
}

// sameFrom is sameAsCareful for data that come from a reader.
func sameFrom(tb testing.TB, from io.Reader, data []byte) (records int) {
	tb.Helper()
	fast := tracefile.NewReader(from)
	slow := tracefile.NewCarefulReader(tracefile.NewReader(bytes.NewReader(data)))
	for {
		f, s := fast.Scan(), slow.Scan()
		if f != s {
			tb.Fatalf("record %d: more to come: fast %v, careful %v", records, f, s)
		}
		if !f {
			if fast.LinesRead() != slow.LinesRead() || fast.BytesRead() != slow.BytesRead() {
				tb.Fatalf("the end: fast at line %d, byte %d; careful at line %d, byte %d", fast.LinesRead(), fast.BytesRead(), slow.LinesRead(), slow.BytesRead())
			}
			return records
		}
		records++
		if fast.InDump() != slow.InDump() {
			tb.Fatalf("record %d: in a dump: fast %v, careful %v", records, fast.InDump(), slow.InDump())
		}
		got, want := fast.Record(), slow.Record()
		if reflect.DeepEqual(got, want) {
			continue
		}
		if u := unlike(got, want); u != "" { // not merely nil for empty
			tb.Fatalf("record %d at line %d: %s\n%.1500q", records, want.Line, u, data[want.Offset:])
		}
	}
}

// unlike lists the fields in which two records differ.
func unlike(got, want *tracefile.Record) string {
	var out strings.Builder
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		if x, y := g.Field(i).Interface(), w.Field(i).Interface(); fmt.Sprint(x) != fmt.Sprint(y) {
			fmt.Fprintf(&out, "%s is %+v, carefully %+v; ", g.Type().Field(i).Name, x, y)
		}
	}
	return out.String()
}

// TestShortCuts compares on every sample as it is, with CRLF, and with bytes
// changed, taken out and put in at random.
func TestShortCuts(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	samples := map[string][]byte{"every kind": []byte(everyKind())}
	for _, f := range sharedTraces(t) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		samples[filepath.Base(f)] = b
	}
	for name, data := range samples {
		t.Run(name, func(t *testing.T) {
			if n := sameAsCareful(t, data); n < 5 {
				t.Fatalf("only %d records", n)
			}
			sameAsCareful(t, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")))
			for seed := range uint64(3) {
				sameFrom(t, &trickle{data, rand.New(rand.NewPCG(seed, 1))}, data)
			}
			if strings.Contains(name, "cbo") {
				return // not a SQL trace
			}
			rng := rand.New(rand.NewPCG(7, uint64(len(data))))
			data = data[:min(len(data), 60_000)]
			for range rounds {
				sameAsCareful(t, spoil(rng, data))
			}
		})
	}
}

// spoil changes a byte in a few hundred.
func spoil(rng *rand.Rand, data []byte) []byte {
	const odd = "\n\r\t '\"=#,:-09ax\x00\xff*"
	out := make([]byte, 0, len(data)+100)
	every := 100 + rng.IntN(2000)
	for _, c := range data {
		switch {
		case rng.IntN(every) > 0:
			out = append(out, c)
		case rng.IntN(3) == 0:
			out = append(out, odd[rng.IntN(len(odd))])
		case rng.IntN(2) == 0:
			out = append(out, c, odd[rng.IntN(len(odd))])
		}
	}
	return out
}

// FuzzShortCuts compares on any bytes.
func FuzzShortCuts(f *testing.F) {
	fuzzSeeds(f)
	f.Add([]byte("BINDS #12345678:\n\n Bind#0\n  oacdty=01 mxl=32(01) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=20 fl2=1000001 frm=01 csi=873 siz=80 off=0\n  kxsbbbfp=7f36fc263fb0  bln=22  avl=03  flg=05\n  value=\"abc\"\n Bind#1\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=00 fl2=1000001 frm=00 csi=00 siz=0 off=24\n  kxsbbbfp=7fc23b65c760  bln=22  avl=00  flg=01\nEXEC #12345678:c=0,e=60,p=1,cr=2,cu=3,mis=1,r=0,dep=12,og=3,plh=3312420081,tim=664029042971\n"))
	f.Fuzz(func(t *testing.T, data []byte) { sameAsCareful(t, data) })
}

// TestShortCutOfCursors compares on cursor numbers of every length, and on what is
// none.
func TestShortCutOfCursors(t *testing.T) {
	cursors := []string{strings.Repeat("\x00", 15), strings.Repeat("\x00", 16), strings.Repeat("0", 15), "", "-1", "14017660043964x"}
	for n := 1; n <= 22; n++ {
		cursors = append(cursors, "9"+strings.Repeat("1", n-1))
	}
	for _, c := range cursors {
		line := "EXEC #" + c + ":c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=4001\nSTAT #" + c + " id=1 cnt=1 pid=0 pos=1 obj=0 op='SORT AGGREGATE (cr=1 pr=1 pw=0 time=9 us)'\nWAIT #" + c + ": nam='x' ela= 1 p1=1 p2=2 p3=3 obj#=-1 tim=4002\n"
		if n := sameAsCareful(t, []byte("first\n"+line+line)); n < 7 {
			t.Fatalf("%d records for cursor %q", n, c)
		}
	}
}

// TestShortCutOfStatements compares on statements whose text, length and end do
// not fit together.
func TestShortCutOfStatements(t *testing.T) {
	texts := []string{
		"select 1 from dual", "select 1\n from dual\n", "a\nEND OF STMT\nb", "a END OF STMT", "END OF STMT", "END OF STMT x\ny", "x\r\ny", "\n\n", "x", "",
		"begin\nEXEC #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=9\nend;", strings.Repeat("é", 300), "a'b'c",
	}
	for _, text := range texts {
		for _, ending := range []string{"\nEND OF STMT\n", "\r\nEND OF STMT\r\n", "END OF STMT\n", "\nEND OF STMT \n", "\nEND OF STMTEXEC #5:c=0,e=1,dep=0,type=1,tim=7\n", "\nEND OF STMT", "\n"} {
			for _, off := range []int{-2, -1, 0, 1, 2} {
				for _, head := range []string{"dep=0 uid=5 oct=3 lid=5 tim=4000 hv=1 ad='a5' sqlid='4nhm77qwgdfd1'", "dep=0 uid=5 oct=3 lid=5 tim=4000 hv=1 ad='' sqlid='4nhm77qwgdfd1'", "dep=0 uid=5 oct=3 lid=5 tim=4000 hv=1 ad='a5' sqlid='4nhm77qwg'fd1'", "dep=11 uid=5 oct=3 lid=5 tim=4000 hv=1 ad='a'5' sqlid='4nhm77qwgdfd1' ", "dep=0 uid=5 oct=3 lid=5 tim=4000 hv=1 ad='a5'"} {
					data := fmt.Sprintf("first\n=====================\nPARSING IN CURSOR #140176600439648 len=%d %s\n%s%sEXEC #140176600439648:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=4001\nWAIT #1: nam='x' ela= 1 p1=1 p2=2 p3=3 obj#=-1 tim=4002\n", len(text)+off, head, text, ending)
					if n := sameAsCareful(t, []byte(data)); n < 3 {
						t.Fatalf("%d records in %q", n, data)
					}
				}
			}
		}
	}
}
