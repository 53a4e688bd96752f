package collect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/collect/redact"
	"ringtrace/tracefile"
)

func bindLines(values ...string) string {
	text := "BINDS #140:\n"
	for i, v := range values {
		text += fmt.Sprintf(" Bind#%d\n  oacdty=01 mxl=128(60) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=01 csi=873 siz=128 off=0\n  kxsbbbfp=7f36fc263fb0  bln=128  avl=%02d  flg=05\n  value=\"%s\"\n", i, len(v), v)
	}
	return text
}

// redacting is a world with one trace, whose reports repeat what they are made
// of.
func redacting(t *testing.T, what, trace string, docs ...collect.Document) *world {
	t.Helper()
	w := newWorld(t)
	w.put("SHOP1_ora_1.trc", header("/x/SHOP1_ora_1.trc", "SHOP1", "db1")+session(10, 100)+trace)
	w.arm(1, 10, 100, "1", w.path("SHOP1_ora_1.trc"))
	w.opt.Documents = docs
	sel, err := redact.ParseWhat(what)
	must(t, err)
	w.opt.Redactor = redact.New([]byte("0123456789abcdef0123456789abcdef"), sel)
	return w
}

// Applications bind words that we use ourselves. The bundle stays one that
// programs can read: keys and words of lists are left, plans and statements
// keep their words.
func TestRedactionLeavesOurOwnWords(t *testing.T) {
	words := []string{"collected", "missing", "enable", "armed", "summary", "table", "TABLE", "time", "cost", "name", "true", "null", "status", "INDEX", "MODULE", "session"}
	stat := "STAT #140 id=1 cnt=1 pid=0 pos=1 obj=7 op='TABLE ACCESS FULL VAULT (cr=1 pr=0 pw=0 str=1 time=2 us cost=2 size=3 card=1)'\n"
	parse := "=====================\nPARSING IN CURSOR #140 len=46 dep=0 uid=90 oct=3 lid=90 tim=900 hv=1 ad='7f' sqlid='9k37k1dgsxm6q'\nselect name from table where status = :1 and x\nEND OF STMT\n"
	report := `{"summary":{"table":"missing"},"time":[1]}`
	w := redacting(t, "binds,literals,names", parse+bindLines(words...)+calls+stat,
		collect.Document{Name: "journal.jsonl", Data: []byte(`{"kind":"run","data":{"verb":"enable","state":"armed","note":"armed by hand"}}` + "\n")})
	w.opt.Report = func(context.Context, []bundle.Member, []collect.Document) ([]collect.Document, error) {
		return []collect.Document{{Name: "report.json", Data: []byte(report)}, {Name: "report.html", Data: []byte("<table><td>summary</td></table>")}}, nil
	}
	c := w.collect()
	c.wantRow(t, 10, "SHOP1_ora_1.trc", bundle.Collected)
	if got := string(c.files["report.json"]); got != report {
		t.Errorf("report.json became %s", got)
	}
	if got := string(c.files["report.html"]); got != "<table><td>summary</td></table>" {
		t.Errorf("report.html became %s", got)
	}
	var line struct {
		Kind string
		Data struct{ Verb, State, Note string }
	}
	must(t, json.Unmarshal(c.files["journal.jsonl"], &line))
	if line.Kind != "run" || line.Data.Verb != "enable" || line.Data.State != "armed" || strings.Contains(line.Data.Note, "armed") {
		t.Errorf("the journal's line became %+v", line)
	}
	trace := string(c.files["traces/1/SHOP1_ora_1.trc"])
	for _, keep := range []string{stat, "select name from table where status = :1 and x\n", "Instance name: SHOP1"} {
		if !strings.Contains(trace, keep) {
			t.Errorf("%q is not in the trace any more", keep)
		}
	}
	for _, v := range words {
		if strings.Contains(trace, `value="`+v+`"`) {
			t.Errorf("the bind value %q stands in its own place", v)
		}
	}
	a := tracefile.NewAnalyzer(tracefile.Options{})
	_, err := a.ReadFile("x", bytes.NewReader(c.files["traces/1/SHOP1_ora_1.trc"]))
	must(t, err)
}

// A literal that no trace holds stands in the snapshot of cursors: it is taken
// out there, and what the report is made of holds it no more.
func TestRedactionOfCursors(t *testing.T) {
	const onlyThere, quoted = "Slartibartfast 9", "O\"Brien \\ S\u00f6hne <7>"
	list := []bundle.Cursor{{SQLID: "9k37k1dgsxm6q", PlanHash: 3, Text: "select /*+ x */ a from b where c = '" + onlyThere + "' and d = '" + quoted + "' and pin = 471"}}
	text, err := bundle.EncodeCursors(list)
	must(t, err)
	w := redacting(t, "binds,literals", bindLines(quoted)+calls, collect.Document{Name: "cursors.json", Data: text},
		collect.Document{Name: "journal.jsonl", Data: []byte(`{"selector":` + string(mustJSON(t, "--client-id "+quoted)) + "}\n")})
	var shown []collect.Document
	w.opt.Report = func(_ context.Context, _ []bundle.Member, docs []collect.Document) ([]collect.Document, error) {
		shown = slices.Clone(docs)
		return nil, nil
	}
	c := w.collect()
	got, err := bundle.ReadCursors(bytes.NewReader(c.files["cursors.json"]))
	must(t, err)
	if len(got) != 1 || len(got[0].Text) != len(list[0].Text) || !strings.HasPrefix(got[0].Text, "select /*+ x */ a from b where c = '") {
		t.Fatalf("cursors %+v", got)
	}
	var journal struct{ Selector string }
	must(t, json.Unmarshal(c.files["journal.jsonl"], &journal))
	for _, text := range []string{got[0].Text, journal.Selector} {
		for _, secret := range []string{onlyThere, quoted, "471", "S\u00f6hne", "O\"Brien"} {
			if strings.Contains(text, secret) {
				t.Errorf("%q still holds %q", text, secret)
			}
		}
	}
	if len(shown) != 2 || bytes.Contains(shown[0].Data, []byte(onlyThere)) {
		t.Error("the report is made of what was not redacted")
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	must(t, err)
	return text
}

// A PIN is too short to be searched everywhere, but it is gone where it stands
// for itself: as a bind, as a literal, as an attribute, in what an error quotes
// and in dumps.
func TestRedactionOfShortValues(t *testing.T) {
	for _, pin := range []string{"471", "9035", "Y", "7"} {
		trace := "*** ACTION NAME:(" + pin + ") " + stamp + "\n*** CLIENT ID:(" + pin + ") " + stamp + "\n" +
			"=====================\nPARSING IN CURSOR #140 len=46 dep=0 uid=90 oct=3 lid=90 tim=900 hv=1 ad='7f' sqlid='9k37k1dgsxm6q'\nselect a from b where p='" + pin + "' and q=:1\nEND OF STMT\n" +
			bindLines(pin) + calls +
			"dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-20001: PIN " + pin + " is wrong\nORA-01722: unable to convert string value containing '" + pin + "' to a number\n" +
			"******************** Session Cursor Dump **********************\n Bind#0\n  oacdty=01 avl=03\n  value=\"" + pin + "\"\nthe pin was " + pin + "\n"
		c := redacting(t, "binds", trace).collect()
		got := string(c.files["traces/1/SHOP1_ora_1.trc"])
		for _, place := range []string{"ACTION NAME:(" + pin + ")", "CLIENT ID:(" + pin + ")", "p='" + pin + "'", `value="` + pin + `"`, "PIN " + pin, "containing '" + pin + "'", "the pin was " + pin} {
			if strings.Contains(got, place) {
				t.Errorf("%q still stands in %q", pin, place)
			}
		}
		if len(got) != len(header("/x/SHOP1_ora_1.trc", "SHOP1", "db1")+session(10, 100)+trace) {
			t.Error("the trace has another length")
		}
	}
}

// What appears or grows after the values were looked for is not packed: nobody
// knows what it holds.
func TestRedactionPacksOnlyWhatItLearned(t *testing.T) {
	const late = "Latecomer-77-Zarquon"
	w := redacting(t, "binds", bindLines("first-value-1")+calls)
	grown := w.path("SHOP1_ora_1.trc")
	w.put("x_2.trc", session(11, 110)+bindLines("second-value-2")+calls)
	w.arm(1, 11, 110, "2", w.path("x_2.trc"))
	done := false
	w.opt.Progress = func(p collect.Progress) {
		if p.Doing != "pack" || done {
			return
		}
		done = true
		f, err := os.OpenFile(grown, os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString("STAT #140 id=1 cnt=1 pid=0 pos=1 obj=7 op='" + late + " (cr=1 pr=0 pw=0 time=2 us)'\n")
		must(t, errors.Join(err, f.Close()))
		must(t, os.Rename(w.path("x_2.trc"), w.path("x_2.trc.1")))
		w.put("x_2.trc", session(11, 110)+bindLines(late)+calls)
	}
	c := w.collect()
	for name, data := range c.files {
		if forms := occurrences(data, late); len(forms) > 0 {
			t.Errorf("%s holds what came late: %v", name, forms)
		}
	}
	c.wantRow(t, 10, "SHOP1_ora_1.trc", bundle.Collected)
	c.wantRow(t, 11, "x_2.trc", bundle.Collected, "renamed")
	var again bool
	for i := range c.Files {
		again = again || c.Files[i].Status == bundle.Missing && strings.Contains(note(&c.Files[i]), "run collect again")
	}
	if !again {
		t.Error("no row tells of the file that came late")
	}
}
