package tracefile_test

import (
	"slices"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestGapInStory: time between calls that nothing accounts for has its row, in
// front of the call behind it, and the sums stay.
func TestGapInStory(t *testing.T) {
	a := tracefile.NewAnalyzer(tracefile.Options{})
	const text = `EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1000000
WAIT #1: nam='SQL*Net message from client' ela= 500 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000500
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=3000600
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=3050700
`
	if _, err := a.ReadFile("x", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s := a.Profile().Sessions[0]
	if len(s.Story) != 4 {
		t.Fatalf("%d rows", len(s.Story))
	}
	r := s.Story[1]
	if r.Kind != tracefile.RowGap || r.Elapsed != 2_000_000 || r.Line != 3 || r.Start != 1000500 || r.End != 3000500 {
		t.Errorf("row %+v", r)
	}
	if s.Story[2].Line != 3 || s.Story[3].Line != 4 {
		t.Error("the calls behind the gap are not in their order")
	}
	if left := s.Elapsed - s.CallElapsed - s.WaitsBetween - s.Idle; left != 2_050_000 {
		t.Errorf("%d us unaccounted for", left)
	}
}

// afterError is a session that fails, sleeps for 84 s, and works again; its last
// call ended 14 us before the ERROR line.
const afterError = `*** 2026-03-01T10:00:00.000000+00:00
*** SESSION ID:(5.6) 2026-03-01T10:00:00.000000+00:00
PARSING IN CURSOR #1 len=17 dep=0 uid=9 oct=6 lid=9 tim=900000 hv=1 ad='7' sqlid='aaaaaaaaaaaa9'
update t set x=:1
END OF STMT
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1000000
ERROR #1:err=60 tim=1000014
`

// TestGapAfterError: the time between an error and the next call stands behind
// the error, and so does a wait for the client that seems to begin before it.
func TestGapAfterError(t *testing.T) {
	for name, tt := range map[string]struct {
		next string
		want []tracefile.RowKind
		gap  int64
		from int64
	}{
		"gap": {"EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=85000114\n", []tracefile.RowKind{tracefile.RowExecution, tracefile.RowError, tracefile.RowGap, tracefile.RowExecution}, 84_000_000, 1000014},
		"wait": {
			"WAIT #1: nam='SQL*Net message from client' ela= 84000000 driver id=1 #bytes=1 p3=0 obj#=-1 tim=85000010\nEXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=85000114\n",
			[]tracefile.RowKind{tracefile.RowExecution, tracefile.RowError, tracefile.RowPause, tracefile.RowExecution},
			84_000_000, 1000014,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := tracefile.NewAnalyzer(tracefile.Options{})
			if _, err := a.ReadFile("x", strings.NewReader(afterError+tt.next)); err != nil {
				t.Fatal(err)
			}
			var got []tracefile.RowKind
			for _, r := range a.Profile().Sessions[0].Story {
				got = append(got, r.Kind)
				if (r.Kind == tracefile.RowGap || r.Kind == tracefile.RowPause) && (r.Elapsed != tt.gap || r.Start != tt.from) {
					t.Errorf("%d us from %d", r.Elapsed, r.Start)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("rows %v, want %v", got, tt.want)
			}
		})
	}
}

// TestGapAroundError: time before an error that comes on its own is told before
// it, with the error's line.
func TestGapAroundError(t *testing.T) {
	a := tracefile.NewAnalyzer(tracefile.Options{})
	text := strings.Replace(afterError, "tim=1000014", "tim=31000000", 1) + "EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=85000100\n"
	if _, err := a.ReadFile("x", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, r := range a.Profile().Sessions[0].Story {
		if r.Kind == tracefile.RowGap {
			got = append(got, r.Line, r.Elapsed)
		}
	}
	if !slices.Equal(got, []int64{7, 30_000_000, 8, 54_000_000}) {
		t.Errorf("gaps %v", got)
	}
}
