package tracefile

import (
	"fmt"
	"strings"
	"testing"
)

// TestClosedCursorsAreForgotten: since 11.2 cursor numbers are addresses, and a
// trace of a day shows hundreds of thousands of them. What they did stays.
func TestClosedCursorsAreForgotten(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	tim := int64(1_000_000)
	for i := range n {
		no := 140_000_000_000_000 + i*64
		fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=8 dep=0 uid=5 oct=3 lid=5 tim=%d hv=7 ad='7f' sqlid='aaaaaaaaaaaaa'\nselect 1\nEND OF STMT\n", no, tim)
		fmt.Fprintf(&b, "EXEC #%d:c=1,e=2,p=0,cr=3,cu=0,mis=0,r=0,dep=0,og=1,plh=9,tim=%d\n", no, tim+10)
		fmt.Fprintf(&b, "STAT #%d id=1 cnt=1 pid=0 pos=1 obj=0 op='FAST DUAL  (cr=0 pr=0 pw=0 time=1 us)'\n", no)
		if i != 5 { // one stays open
			fmt.Fprintf(&b, "CLOSE #%d:c=1,e=2,dep=0,type=0,tim=%d\n", no, tim+20)
		}
		tim += 100
	}
	fmt.Fprintf(&b, "EXEC #%d:c=1,e=2,p=0,cr=3,cu=0,mis=0,r=0,dep=0,og=1,plh=9,tim=%d\n", 140_000_000_000_000+5*64, tim)
	a := NewAnalyzer(Options{})
	if _, err := a.ReadFile("x.trc", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	if got := len(a.s.cursors); got > 2*maxCursors {
		t.Errorf("%d cursors are held", got)
	}
	p := a.Profile()
	if len(p.Statements) != 1 {
		t.Fatalf("%d statements, the open cursor was forgotten", len(p.Statements))
	}
	st := p.Statements[0]
	if st.Self.Exec.Count != n+1 || st.Close.Count != n-1 {
		t.Errorf("%d executions, %d closes", st.Self.Exec.Count, st.Close.Count)
	}
	if len(st.Plans) != 1 || st.Plans[0].Count != n {
		t.Errorf("plans: %+v", st.Plans)
	}
}
