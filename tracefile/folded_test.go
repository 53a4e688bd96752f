package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestFailingStatementBeyondTheLimit: of statements beyond the limit one entry is
// kept, but the one that fails keeps its text.
func TestFailingStatementBeyondTheLimit(t *testing.T) {
	for name, text := range map[string]string{"other text": "select c%[1]d from t%[1]d", "other literals": "select c from t where id = %d"} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i := range 20 {
				q, tim := fmt.Sprintf(text, i), 1000000+i*1000
				fmt.Fprintf(&b, "=====================\nPARSING IN CURSOR #%d len=%d dep=0 uid=90 oct=3 lid=90 tim=%d hv=%d ad='7f' sqlid='%013d'\n%s\nEND OF STMT\n", 100+i%3, len(q), tim, i+1, i, q)
				fmt.Fprintf(&b, "EXEC #%d:c=1,e=2,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=%d,tim=%d\n", 100+i%3, i+1, tim+10)
			}
			fmt.Fprintf(&b, "ERROR #101:err=1722 tim=1019500\nERROR #100:err=1722 tim=1019501\n")
			a := tracefile.NewAnalyzer(tracefile.Options{MaxStatements: 2})
			if _, err := a.ReadFile("x", strings.NewReader(b.String())); err != nil {
				t.Fatal(err)
			}
			p := a.Profile()
			for i, n := range []int{19, 18} {
				st := p.Errors[i].Statement
				if want := fmt.Sprintf(text, n); st.Text != want || st.SQLID != fmt.Sprintf("%013d", n) || !st.Known() {
					t.Errorf("error %d: statement %q (%s), want %q", i, st.Text, st.SQLID, want)
				}
			}
			if c := p.Totals.NonRecursive.Exec.Count; c != 20 {
				t.Errorf("%d executions in the totals, not 20", c)
			}
			rows := p.Sessions[0].Story
			if st := rows[19].Statement; st == nil || st.Text != fmt.Sprintf(text, 19) {
				t.Errorf("the story names another statement as the failing one")
			}
		})
	}
}
