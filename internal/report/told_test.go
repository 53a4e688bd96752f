package report_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// busyTrace is a session that worked for calls executions of three statements,
// met ORA-00054 on the way, and ended with ORA-01555.
func busyTrace(calls int) string {
	var b strings.Builder
	b.WriteString("*** 2026-03-01T10:00:00.000000+01:00\n*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00\n")
	for c, q := range map[int]string{2: "select now from dual", 3: "update t set a=:1 wh", 4: "select 1 from dual", 5: "select id from jobs"} {
		fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=%d dep=0 uid=90 oct=3 lid=90 tim=1000 hv=%d ad='7f' sqlid='aaaaaaaaaaaa%d'\n%s\nEND OF STMT\n", c, len(q), c, c, q)
	}
	tim := 1000
	exec := func(c int) {
		tim += 1000
		fmt.Fprintf(&b, "EXEC #%d:c=10,e=20,p=0,cr=3,cu=0,mis=0,r=1,dep=0,og=1,plh=77,tim=%d\n", c, tim)
	}
	for i := range calls {
		exec(3 + bits.OnesCount(uint(i+1))%2 - bits.OnesCount(uint(i))%2) // a sequence without any repetition: nothing to fold
		if i == calls-5 {
			exec(5)
			fmt.Fprintf(&b, "ERROR #5:err=54 tim=%d\n", tim)
		}
	}
	exec(5)
	fmt.Fprintf(&b, "ERROR #5:err=1555 tim=%d\n", tim+10)
	return b.String()
}

func TestStoryEndsAtTheError(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  report.Options
		rows int // of the story in the text; 0 means all
	}{
		{"by default the last rows", report.Options{}, 40},
		{"all when asked", report.Options{AllRows: true}, 0},
		{"a length when asked", report.Options{TailUS: 1 << 40}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, map[string]string{"x.trc": busyTrace(300)}, c.opt)
			var b bytes.Buffer
			if err := m.WriteText(&b, 80); err != nil {
				t.Fatal(err)
			}
			_, story, _ := strings.Cut(b.String(), "STORY")
			story, _, _ = strings.Cut(story, "\n\n")
			got := len(regexp.MustCompile(`(?m)^[> ] +[-+][0-9.]+ L`).FindAllString(story, -1))
			if c.rows == 0 {
				if got < 100 {
					t.Errorf("%d rows of the story, want all of them:\n%s", got, story)
				}
			} else {
				equal(t, "rows up to the error", got, c.rows)
			}
			if last := story[strings.LastIndexByte(strings.TrimRight(story, "\n"), '\n')+1:]; !strings.HasPrefix(last, ">") || !strings.Contains(last, "ORA-01555") {
				t.Errorf("the story does not end at the error but with %q", last)
			}
			equal(t, "times that ORA-00054 is told", strings.Count(story, "ORA-00054"), 1)
		})
	}
}

// TestPageHoldsTheWholeStory: what the page folds away is in it, and is read
// without a script.
func TestPageHoldsTheWholeStory(t *testing.T) {
	m := load(t, map[string]string{"x.trc": busyTrace(300)}, report.Options{})
	var b bytes.Buffer
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	errors := 0
	for _, r := range m.Timeline {
		if r.Kind == "error" && !r.Failing {
			errors++ // told by its execution
		}
		if r.Kind != "error" && !strings.Contains(page, fmt.Sprintf(`<td class="n">L%d</td></tr>`, r.Line)) {
			t.Errorf("the row of L%d is not in the page", r.Line)
		}
	}
	equal(t, "errors told by their execution", errors, 1)
	fold, rest, ok := strings.Cut(page, "earlier rows</summary>")
	if !ok || !strings.HasSuffix(strings.TrimRight(fold, "0123456789 "), "<details><summary>") {
		t.Fatal("earlier rows are not folded away")
	}
	_, recent, _ := strings.Cut(rest, "</details>")
	recent, _, _ = strings.Cut(recent, "</table>")
	equal(t, "recent rows", strings.Count(recent, "<tr class="), 40)
	equal(t, "the row of the error", strings.Count(recent, ` failing" id="failing"`), 1)
	// Narrow screens and paper have their own layout, in the page itself.
	for _, want := range []string{"@media(max-width:760px)", "@media print", "thead{display:table-header-group}"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestOradebugIsOneRow(t *testing.T) {
	oradebug := ""
	for i := range 5 {
		oradebug += fmt.Sprintf("\n*** 2026-03-01T10:00:0%d.000000+01:00\nProcessing Oradebug command 'eventdump session'\n\n*** 2026-03-01T10:00:0%d.000000+01:00\nOradebug command 'eventdump session' console output: <none>\n", i+1, i+1)
	}
	m := load(t, map[string]string{"x.trc": busyTrace(5) + oradebug}, report.Options{})
	told := 0
	for _, r := range m.Timeline {
		if r.Kind == "oradebug" {
			told++
		}
	}
	equal(t, "rows of the model", told, 5)
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	_, story, _ := strings.Cut(b.String(), "STORY")
	story, _, _ = strings.Cut(story, "\n\n")
	equal(t, "rows of the text", strings.Count(story, "ORADEBUG"), 1)
	if !strings.Contains(story, "5 commands to L") {
		t.Errorf("the row does not count its commands:\n%s", story)
	}
}

// TestLongDetailsGetALine: at 80 columns neither the length of a wait nor the
// bind values behind it are cut off.
func TestLongDetailsGetALine(t *testing.T) {
	m := load(t, map[string]string{"x.trc": ringTrace}, report.Options{})
	m.Timeline[0].Kind, m.Timeline[0].LongestWait, m.Timeline[0].LongestUS = "execution", strings.Repeat("long name ", 5), 546_660
	m.Timeline[0].Binds = []report.Bind{{Position: 0, Value: "53196"}, {Position: 1, Value: "'item 707'"}}
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"wait 0.546660 s long name", ":1=53196 :2='item 707'\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}
