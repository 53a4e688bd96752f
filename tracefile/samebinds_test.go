package tracefile_test

import (
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestProblemX11_SameNameTwice: where a name is used again the trace gives no value;
// it is that of the bind whose placeholder has the name, by position in the text.
func TestProblemX11_SameNameTwice(t *testing.T) {
	bind := func(pos, value string) string {
		return " Bind#" + pos + "\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05\n  value=" + value + "\n"
	}
	same := func(pos string) string { return " Bind#" + pos + "\n  No oacdef for this bind.\n" }
	text := "select q'[it's :z]', nq'é:x é y é', ':y' /* :w */ from t where a = :b3 and b = :b2 and c = :B3 and d = :b2 and e = :\"b3\""
	run := "BINDS #5:\n\n" + bind("0", "10") + bind("1", "20") + same("2") + same("3") + bind("4", "7") + call("EXEC", 5, 0, 0, 2000) + "ERROR #5:err=1 tim=2010\n"
	values := func(binds []tracefile.BindValue) string {
		var out []string
		for _, b := range binds {
			out = append(out, b.TypeName()+" "+b.Literal())
		}
		return strings.Join(out, ", ")
	}
	p := analyse(t, []byte(head19+parsing(5, 0, 1000, text)+run))
	const want = "NUMBER 10, NUMBER 20, NUMBER 10, NUMBER 20, NUMBER 7"
	equal(t, "binds of the execution", values(p.Sessions[0].Story[0].Binds()), want)
	equal(t, "binds of the error", values(p.Errors[0].Binds), want)
	equal(t, "statement with values", tracefile.Substitute(text, p.Errors[0].Binds), "select q'[it's :z]', nq'é:x é y é', ':y' /* :w */ from t where a = 10 and b = 20 and c = 10 and d = 20 and e = 7")

	nine := strings.ReplaceAll(strings.ReplaceAll(run, " Bind#2\n  No oacdef for this bind.\n", " bind 2: (No oacdef for this bind)\n"), " Bind#3\n  No oacdef for this bind.\n", " bind 3: (No oacdef for this bind)\n")
	equal(t, "the form of 9i", values(analyse(t, []byte(head19+parsing(5, 0, 1000, text)+nine)).Errors[0].Binds), want)

	// Without the text nobody knows which; it is no NULL.
	unknown := analyse(t, []byte(head19+run)).Errors[0].Binds[2]
	equal(t, "without the text", unknown.TypeName()+" "+unknown.Literal(), "as an earlier one /* value of an earlier bind of that name */ NULL")
}
