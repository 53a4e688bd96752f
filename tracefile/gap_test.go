package tracefile_test

import (
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
