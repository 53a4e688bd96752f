package tracefile_test

import (
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestProblemX18_TextCutShort: a SQL text that was cut, or whose heading was, does not
// swallow the records behind it; a text that holds what looks like a record is whole.
func TestProblemX18_TextCutShort(t *testing.T) {
	next := parsing(8, 0, 2_000_000, "select 8 from dual") + call("EXEC", 8, 0, 1, 2_100_000)
	long := "select *\nfrom t\n" + strings.Repeat("-- a line of the text\n", 30) + "where a = 1"
	whole := parsing(7, 0, 1_000_000, long)
	cut := whole[:strings.Index(whole, "-- a line")+60]
	heading := "=====================\nPARSING IN CURSOR #7 len="
	for name, text := range map[string]string{
		"a statement behind it":          cut + "\n" + next,
		"a call behind it":               cut + "\n" + call("EXEC", 7, 0, 1, 1_900_000) + next,
		"a stamp behind it":              cut + "\n\n*** 2026-03-01T10:00:02.000000+01:00 (PDB1(3))\n" + next,
		"the heading cut, a statement":   heading + "\n" + next,
		"the heading cut, a call":        heading + "\n" + call("EXEC", 7, 0, 1, 1_900_000) + next,
		"the heading cut, its own text":  heading + "\nselect 7 from dual\nEND OF STMT\n" + next,
		"the heading cut, text cut, too": heading + "6\nselect 7 from\n" + next,
	} {
		for _, crlf := range []bool{false, true} {
			data := head19 + text
			if crlf {
				data = strings.ReplaceAll(data, "\n", "\r\n")
			}
			p := analyse(t, []byte(data))
			equal(t, name+": executions of the next statement", stmt(t, p, "select 8 from dual").Self.Exec.Count, int64(1))
			equal(t, name+": calls", p.Totals.UnknownCursors.Exec.Count+p.Totals.NonRecursive.Exec.Count, int64(strings.Count(text, "EXEC #")))
			if x := problem(p, "damaged"); x == nil {
				t.Errorf("%s: the damage is not told", name)
			}
		}
	}
	// What looks like a record, at the time of one, in a text that is whole.
	fake := "select 7\n/*\n=====================\n" + call("EXEC", 1, 0, 0, 3_000_000) + "*/ from dual\n" + strings.Repeat("-- more\n", 200)
	for _, crlf := range []bool{false, true} {
		data := head19 + parsing(7, 0, 1_000_000, fake) + next
		if crlf {
			data = strings.ReplaceAll(data, "\n", "\r\n")
		}
		p := analyse(t, []byte(data))
		stmt(t, p, fake)
		equal(t, "calls", p.Files[0].Records[tracefile.Exec], int64(1))
		equal(t, "damaged", p.Files[0].Damaged, int64(0))
	}
}
