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

// TestIdleCursorsAreForgotten: a session has no more than 65,535 cursors open.
// Where closes are missing those idle longest are forgotten, which is told, and
// what they do afterwards counts for cursors without SQL text. No call is lost.
func TestIdleCursorsAreForgotten(t *testing.T) {
	const n, base = forgetFrom + 10, 140_000_000_000_000
	var b strings.Builder
	tim := int64(1_000_000)
	exec := func(i int) {
		tim += 100
		fmt.Fprintf(&b, "EXEC #%d:c=1,e=2,p=0,cr=3,cu=0,mis=0,r=0,dep=0,og=1,plh=9,tim=%d\n", base+i*64, tim)
	}
	for i := range n {
		fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=8 dep=0 uid=5 oct=3 lid=5 tim=%d hv=7 ad='7f' sqlid='aaaaaaaaaaaaa'\nselect 1\nEND OF STMT\n", base+i*64, tim+50)
		exec(i)
		if i%1000 == 999 {
			exec(7) // never idle for long
		}
	}
	exec(8) // idle since the beginning
	exec(n - 1)
	a := NewAnalyzer(Options{})
	if _, err := a.ReadFile("x.trc", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	if got := len(a.s.cursors); got > maxOpen+100 {
		t.Errorf("%d cursors are held", got)
	}
	p := a.Profile()
	known, unknown := p.Totals.NonRecursive.Exec.Count, p.Totals.UnknownCursors.Exec.Count
	if want := int64(n + n/1000 + 1); known != want || unknown != 1 {
		t.Errorf("%d executions of known cursors and %d of others, want %d and 1", known, unknown, want)
	}
	if len(p.Problems) != 1 || p.Problems[0].Kind != "forgotten_cursors" || p.Problems[0].Count != forgetFrom-maxOpen {
		t.Errorf("problems: %+v", p.Problems[0])
	}
}

// TestOpenPlansAreBounded: a plan of another cursor ends those long before it,
// and none is lost or counted twice.
func TestOpenPlansAreBounded(t *testing.T) {
	const n = 3*maxBuilding + 5
	var b strings.Builder
	for round := range 2 {
		for i := range n {
			no, tim := 1000+i, 1_000_000+(round*n+i)*100
			if round == 0 {
				fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=8 dep=0 uid=5 oct=3 lid=5 tim=%d hv=7 ad='7f' sqlid='aaaaaaaaaaaaa'\nselect 1\nEND OF STMT\n", no, tim)
			}
			for id := 1; id <= 2; id++ {
				fmt.Fprintf(&b, "STAT #%d id=%d cnt=1 pid=%d pos=1 obj=0 op='FAST DUAL  (cr=0 pr=0 pw=0 time=1 us)'\n", no, id, id-1)
			}
		}
	}
	a := NewAnalyzer(Options{})
	if _, err := a.ReadFile("x.trc", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	if len(a.building) > maxBuilding {
		t.Errorf("%d plans are open", len(a.building))
	}
	st := a.Profile().Statements[0]
	if len(st.Plans) != 1 || st.Plans[0].Count != 2*n || len(st.Plans[0].Steps) != 2 {
		t.Errorf("plans: %+v, want one of 2 steps, %d times", st.Plans, 2*n)
	}
}

// TestFoldedTextsAreBounded: of statements beyond the limit the latest texts are
// kept; a failing one before them still has its SQL id.
func TestFoldedTextsAreBounded(t *testing.T) {
	const n = 2*maxFoldedTexts + 50
	var b strings.Builder
	tim := 1_000_000
	for i := range n {
		tim += 100
		q := fmt.Sprintf("select c%d from t%d", i, i)
		fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=%d dep=0 uid=5 oct=3 lid=5 tim=%d hv=7 ad='7f' sqlid='%013d'\n%s\nEND OF STMT\n", 1000+i, len(q), tim, i, q)
	}
	fmt.Fprintf(&b, "ERROR #%d:err=1722 tim=%d\nERROR #%d:err=1722 tim=%d\n", 1000+10, tim+1, 1000+n-1, tim+2)
	a := NewAnalyzer(Options{MaxStatements: 2})
	if _, err := a.ReadFile("x.trc", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, c := range a.s.cursors {
		if c.folded != nil && c.folded.body != nil {
			texts++
		}
	}
	if texts > maxFoldedTexts {
		t.Errorf("%d texts are held", texts)
	}
	p := a.Profile()
	early, late := p.Errors[0].Statement, p.Errors[1].Statement
	if early.SQLID != fmt.Sprintf("%013d", 10) || early.Text != "" || !early.TextCut {
		t.Errorf("the early one: %s %q, cut %v", early.SQLID, early.Text, early.TextCut)
	}
	if late.SQLID != fmt.Sprintf("%013d", n-1) || late.Text != fmt.Sprintf("select c%d from t%d", n-1, n-1) {
		t.Errorf("the late one: %s %q", late.SQLID, late.Text)
	}
}
