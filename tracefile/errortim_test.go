package tracefile_test

import (
	"strings"
	"testing"
	"time"
)

// TestProblemX07_TimeOfAnErrorLine: up to 9i the time of an ERROR line is in
// centiseconds, and in some 10g it has 32 bits; neither is a step of the clock.
func TestProblemX07_TimeOfAnErrorLine(t *testing.T) {
	const at = 9_544_624_550_272
	head := func(banner string) string {
		return "/u00/udump/t_ora_12.trc\n" + banner + "\nInstance name: T\n\n*** 2007-08-20 18:15:12.223\n*** SESSION ID:(147.57) 2007-08-20 18:15:12.223\n"
	}
	nine, ten := head("Oracle9i Enterprise Edition Release 9.2.0.8.0 - Production"), head("Oracle Database 10g Enterprise Edition Release 10.2.0.3.0 - Production")
	failing := strings.ReplaceAll(parsing(1, 0, at-100, "select 1 from dual"), " sqlid='520mkxqpf15q8'", "") + call("EXEC", 1, 0, 0, at)
	for name, c := range map[string]struct{ text, at string }{
		"9i, centiseconds": {nine + failing + "ERROR #1:err=1555 tim=954462455\n", "18:15:12.223"},
		"10g, 32 bits":     {ten + failing + "ERROR #1:err=1555 tim=1207218570\n", "18:15:12.223"},
		"10g, far from it": {ten + failing + "ERROR #1:err=1555 tim=12\n", "18:15:12.223"},
		"10g, just so":     {ten + failing + "ERROR #1:err=1555 tim=9544629550272\n", "18:15:17.223"},
	} {
		p := analyse(t, []byte(c.text+call("EXEC", 2, 0, 0, at+9_000_000)))
		if len(p.Errors) != 1 {
			t.Fatalf("%s: %d errors", name, len(p.Errors))
		}
		equal(t, name, time.UnixMicro(p.Errors[0].Wall).UTC().Format("15:04:05.000"), c.at)
		if x := problem(p, "clock_step"); x != nil {
			t.Errorf("%s: %+v", name, x)
		}
		equal(t, name+": elapsed", p.Sessions[0].Elapsed, int64(9_001_000))
	}
}
