package tracefile_test

import (
	"strings"
	"testing"
)

// TestProblemX18_HeadWithoutAMark: text that begins anywhere and tells of no ring is
// skipped up to its first record, and its bytes are counted.
func TestProblemX18_HeadWithoutAMark(t *testing.T) {
	rest := parsing(61, 0, 2_000_000, "select 61 from dual") + call("EXEC", 61, 0, 0, 2_100_000)
	const sql = "from dual\nwhere a = :1\nEND OF STMT\n"
	for name, c := range map[string]struct {
		text    string
		skipped int64
	}{
		"whole":          {rest, 0},
		"half a number":  {"im=5793511\n" + rest, 11},
		"a SQL text":     {sql + call("EXEC", 60, 0, 0, 1_900_000) + rest, int64(len(sql))},
		"a text, a text": {sql + rest, int64(len(sql))},
		"bind values":    {"csi=00 siz=24 off=0\n  value=7\n" + call("EXEC", 60, 0, 0, 1_900_000) + rest, 30},
		"of trcsess":     {"*** [ Unix process pid: 100 ]\n*** SESSION ID:(1.1) 2026-03-01 10:00:00.000\n" + rest, 0},
		"a header":       {head19 + "something else\n" + rest, 0},
	} {
		p := analyse(t, []byte(c.text))
		equal(t, name+": bytes skipped", p.Files[0].Skipped, c.skipped)
		equal(t, name+": executions", stmt(t, p, "select 61 from dual").Self.Exec.Count, int64(1))
	}
	p := analyse(t, []byte(head19+"Trace output buffer of 65536 bytes wrapped 8 times\n"+strings.Repeat("x = 1 and\n", 100)))
	equal(t, "bytes of a ring without any record", p.Rings[0].Skipped, int64(1000))
}
