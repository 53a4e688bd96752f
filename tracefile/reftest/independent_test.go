package reftest

import (
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestIndependent holds the reference to its promise: it shares no code with what
// it checks.
func TestIndependent(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "reference.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(path, "ringtrace") || strings.Contains(path, ".") {
			t.Errorf("the reference imports %s", path)
		}
	}
	if len(f.Imports) == 0 {
		t.Error("no imports were read")
	}
}

// TestByHand checks the reference itself on a trace whose sums are known.
func TestByHand(t *testing.T) {
	r := Read(`PARSING IN CURSOR #1 len=8 dep=0 uid=0 oct=3 lid=0 tim=100 hv=1 ad='a' sqlid='x'
select 1
END OF STMT
EXEC #2:c=1,e=50,p=1,cr=2,cu=3,mis=0,r=1,dep=1,og=1,plh=1,tim=900
EXEC #1:c=10,e=500,p=4,cr=5,cu=6,mis=1,r=7,dep=0,og=1,plh=1,tim=1000
WAIT #1: nam='x y' ela= 7 a=1 b=2 c=3 obj#=-1 tim=1007
XCTEND rlbk=1, rd_only=0, tim=1010
ERROR #1:err=942 tim=1020
`)
	if got, want := r.NonRecursive["exec"], (Values{1, 9, 450, 3, 3, 3, 7, 1}); got != want {
		t.Errorf("self values %+v, want %+v", got, want)
	}
	if got, want := r.Unknown["exec"], (Values{1, 1, 50, 1, 2, 3, 1, 0}); got != want {
		t.Errorf("unknown cursor %+v, want %+v", got, want)
	}
	if r.Waits["x y"].Elapsed != 7 || r.Rollbacks != 1 || r.Errors[942] != 1 || !r.Texts["select 1"] {
		t.Errorf("%+v", r)
	}
}
