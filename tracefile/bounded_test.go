package tracefile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func profileOf(t *testing.T, text string) *Profile {
	t.Helper()
	a := NewAnalyzer(Options{})
	if _, err := a.ReadFile("x.trc", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return a.Profile()
}

// TestCalleesBounded: statements that are parsed once each, with the dictionary's
// below them, as an application without bind variables has them. The tree of callers
// does not grow without end, and no call is lost from it.
func TestCalleesBounded(t *testing.T) {
	const tops, below = 600, 60
	var b bytes.Buffer
	tim := int64(1_773_935_932_000_000)
	parsing := func(cursor, depth, user int64, text string) {
		fmt.Fprintf(&b, "=====================\nPARSING IN CURSOR #%d len=%d dep=%d uid=%d oct=3 lid=%d tim=%d hv=1 ad='a5' sqlid='%013d'\n%s\nEND OF STMT\n", cursor, len(text), depth, user, user, tim, cursor, text)
	}
	call := func(kind string, cursor, depth, elapsed int64) {
		fmt.Fprintf(&b, "%s #%d:c=0,e=%d,p=0,cr=0,cu=0,mis=0,r=0,dep=%d,og=1,plh=0,tim=%d\n", kind, cursor, elapsed, depth, tim)
	}
	for k := range int64(below) {
		parsing(500+k, 2, 0, fmt.Sprintf("select %s from obj$", strings.Repeat("x", int(k+1))))
	}
	parsing(900, 1, 0, "select deeper from obj$")
	for i := range int64(tops) {
		tim += 100_000
		for k := range int64(below) {
			tim += 20
			call("EXEC", 500+k, 2, 10)
		}
		tim += 20
		call("EXEC", 900, 1, below*20+20)
		tim += 100
		parsing(1000+i, 0, 5, fmt.Sprintf("select c%d from t%d", i, i))
		call("PARSE", 1000+i, 0, 2000)
	}
	p := profileOf(t, b.String())
	var nodes int
	var count, self, own int64
	var walk func(n *FlameNode)
	walk = func(n *FlameNode) {
		nodes, count, self = nodes+1, count+n.Count, self+n.Self
		if n.Own != nil {
			own += n.Own.Exec.Count
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(p.Root)
	if most := maxCallees + tops + 2*maxFlame; nodes > most || nodes < maxCallees {
		t.Errorf("%d nodes, at most %d wanted", nodes, most)
	}
	if want := int64(tops * (below + 2)); count != want || own != want-tops {
		t.Errorf("%d calls in the tree, %d of them SYS's; want %d, %d", count, own, want, want-tops)
	}
	if want := int64(tops * 2000); self != want {
		t.Errorf("%d us in the tree, want %d", self, want)
	}
}

// TestLobNamesBounded: what damage makes of the names of LOB calls is no list
// without end, nor searched through.
func TestLobNamesBounded(t *testing.T) {
	var b strings.Builder
	const calls = 1000
	for i := range calls {
		fmt.Fprintf(&b, "LOB%c%c: type=TEMPORARY LOB,bytes=1,c=1,e=2,p=0,cr=0,cu=0,tim=%d\n", 'A'+i%26, 'A'+i/26%26, 5_000_000+i)
	}
	p := profileOf(t, b.String())
	bytes, count := int64(0), int64(0)
	for _, l := range p.Lobs {
		bytes, count = bytes+l.Bytes, count+l.Values.Count
	}
	if len(p.Lobs) != maxLobNames+1 || p.Lobs[maxLobNames].Name != "(others)" || bytes != calls || count != calls {
		t.Errorf("%d names, %d bytes in %d calls", len(p.Lobs), bytes, count)
	}
}

// TestClientsBounded: a session of a connection pool that works for more clients than
// are kept apart loses no execution.
func TestClientsBounded(t *testing.T) {
	const clients = 10_500
	var b strings.Builder
	for round := range 2 {
		for i := range clients {
			fmt.Fprintf(&b, "*** CLIENT ID:(user%d) 2026-03-19T15:58:52.000000+00:00\nEXEC #5:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=%d\n", i, 5_000_000+(round*clients+i)*10)
		}
	}
	p := profileOf(t, b.String())
	s := p.Sessions[0]
	sum := int64(0)
	for i, c := range s.Clients {
		sum += c.Executions
		if i < len(s.Clients)-1 && (c.Executions != 2 || c.ID != fmt.Sprintf("user%d", i)) {
			t.Fatalf("client %d is %q with %d executions", i, c.ID, c.Executions)
		}
	}
	if len(s.Clients) != 10_000 || sum != 2*clients {
		t.Errorf("%d clients, %d executions", len(s.Clients), sum)
	}
}

// TestErrorStacksBounded: a loop that fails each time with another statement and an
// error stack. The statements found again are the first of their SQL id.
func TestErrorStacksBounded(t *testing.T) {
	const stacks = 8000
	var b strings.Builder
	stack := func(i int, id string) {
		fmt.Fprintf(&b, "dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-00942: table or view does not exist\n----- Current SQL Statement for this session (sql_id=%s) -----\nselect %d from x\n", id, i)
		fmt.Fprintf(&b, "EXEC #5:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=%d\n", 5_000_000+i*10)
	}
	for i := range stacks {
		stack(i, fmt.Sprintf("%013d", i))
	}
	stack(stacks, "0000000000007")
	p := profileOf(t, b.String())
	if n, most := len(p.Statements), 2*DefaultMaxStatements+maxUnfolded+2; n > most || n < most-10 {
		t.Errorf("%d statements, at most %d wanted", n, most)
	}
	if p.ErrorCount[942] != stacks+1 || len(p.Errors) != stacks+1 {
		t.Fatalf("%d errors, %d kept", p.ErrorCount[942], len(p.Errors))
	}
	if first, again := p.Errors[7], p.Errors[stacks]; first.Statement == nil || first.Statement != again.Statement || first.Statement.Text != "select 7 from x" {
		t.Errorf("found again: %+v", again.Statement)
	}
	if late := p.Errors[stacks-1]; late.Statement != nil || late.SQLSource != "" || late.Dump.SQLText != fmt.Sprintf("select %d from x", stacks-1) {
		t.Errorf("beyond the limit: %+v from %q", late.Statement, late.SQLSource)
	}
}
