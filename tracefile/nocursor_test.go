package tracefile_test

import "testing"

// TestProblemX08_ErrorOfALOBCall: a LOB call that fails has no cursor, so its error
// names no statement, and none appears.
func TestProblemX08_ErrorOfALOBCall(t *testing.T) {
	p := analyse(t, []byte(head19+"LOBREAD: type=PERSISTENT LOB,bytes=5,c=169,e=169,p=0,cr=0,cu=7,tim=1000000\nERROR #0:err=1555 tim=1000010\n"))
	equal(t, "statements", len(p.Statements), 0)
	equal(t, "errors", len(p.Errors), 1)
	e := p.Errors[0]
	equal(t, "ORA", e.ORA, int64(1555))
	equal(t, "has a statement", e.Statement != nil, false)
	equal(t, "has a time", e.HasTim, true)

	// As the first error of a session whose statements are known.
	p = analyse(t, []byte(head19+parsing(5, 0, 900_000, "select 1 from dual")+call("EXEC", 5, 0, 0, 950_000)+"ERROR #0:err=22922 tim=1000010\n"))
	equal(t, "errors of the statement", stmt(t, p, "select 1 from dual").Errors, int64(0))
	equal(t, "statements", len(p.Statements), 1)
}

// TestProblemX14_BlanksOfXctend: the end of a transaction counts with and without
// the blanks behind the commas.
func TestProblemX14_BlanksOfXctend(t *testing.T) {
	for _, line := range []string{"XCTEND rlbk=0, rd_only=1, tim=1000000\n", "XCTEND rlbk=0,rd_only=1,tim=1000000\n", "XCTEND rlbk=0, rd_only=1,tim=1000000\n", "XCTEND rlbk=0,rd_only=1\n"} {
		p := analyse(t, []byte(head19+line))
		equal(t, line+"commits", p.Commits, int64(1))
		equal(t, line+"read only", p.ReadOnly, int64(1))
		equal(t, line+"damaged", p.Files[0].Damaged, int64(0))
		equal(t, line+"statements", len(p.Statements), 0)
	}
}
