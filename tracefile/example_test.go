package tracefile_test

import (
	"fmt"
	"log"
	"strings"

	"ringtrace/tracefile"
)

const exampleTrace = `*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00
=====================
PARSING IN CURSOR #140002 len=18 dep=0 uid=90 oct=3 lid=90 tim=2500300 hv=1 ad='7f00' sqlid='a5ks9fhw2v9s1'
select 1 from dual
END OF STMT
EXEC #140002:c=400,e=1200,p=1,cr=5,cu=4,mis=0,r=1,dep=0,og=1,plh=9,tim=2501600
WAIT #140002: nam='SQL*Net message to client' ela= 2 driver id=1 #bytes=1 p3=0 obj#=-1 tim=2501700
EXEC #140002:c=400,e=12
`

// The line layer: every line is a record, a damaged one too.
func ExampleReader() {
	r := tracefile.NewReader(strings.NewReader(exampleTrace))
	for r.Scan() {
		switch rec := r.Record(); {
		case rec.Damage != tracefile.Sound:
			fmt.Printf("line %d: %s\n", rec.Line, rec.Damage)
		case rec.Kind == tracefile.Exec, rec.Kind == tracefile.Wait:
			fmt.Printf("line %d: %s, %d us\n", rec.Line, rec.Kind, rec.Elapsed)
		}
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// line 6: exec, 1200 us
	// line 7: wait, 2 us
	// line 8: line is cut
}

// The semantic layer: what the records say together.
func ExampleAnalyzer() {
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("db1_ora_4711.trc", strings.NewReader(exampleTrace)); err != nil {
		log.Fatal(err)
	}
	p := a.Profile()
	for _, s := range p.Statements {
		fmt.Printf("%s: %d executions, %d us: %s\n", s.SQLID, s.Self.Exec.Count, s.ElapsedSelf(), s.Text)
	}
	// Output:
	// a5ks9fhw2v9s1: 1 executions, 1200 us: select 1 from dual
}
