package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestPageStaysSmall: whatever the trace holds a lot of, the page stays below 5 MB
// and says what it has not.
func TestPageStaysSmall(t *testing.T) {
	head, body, _ := strings.Cut(ringTrace, "\nTrace output buffer")
	dump := body[strings.Index(body, "\n*** 2026-03-01T10:00:05"):]
	for name, text := range map[string]string{
		"dumps": head + strings.Repeat(dump, 900),
		"texts": func() string {
			var b strings.Builder
			b.WriteString(head)
			for i := range 40 {
				q := fmt.Sprintf("select %s from t%d", strings.Repeat("column_name, ", 20_000), i)
				fmt.Fprintf(&b, "PARSING IN CURSOR #%d len=%d dep=0 uid=9 oct=3 lid=9 tim=%d hv=%d ad='7' sqlid='%013d'\n%s\nEND OF STMT\n", i+1, len(q), 1000+i, i+1, i, q)
				fmt.Fprintf(&b, "EXEC #%d:c=1,e=20,p=0,cr=1,cu=0,mis=0,r=2,dep=0,og=1,plh=5,tim=%d\n", i+1, 2000+i*100)
			}
			return b.String()
		}(),
		"sessions": func() string {
			var b strings.Builder
			b.WriteString(head)
			for i := range 3000 {
				fmt.Fprintf(&b, "*** SESSION ID:(%d.5) 2026-03-01T10:00:00.000000+01:00\nEXEC #%d:c=1,e=20,p=0,cr=1,cu=0,mis=0,r=2,dep=0,og=1,plh=5,tim=%d\nERROR #%d:err=1 tim=%d\n", i+1, i+1, 2000+i*100, i+1, 2030+i*100)
			}
			return b.String()
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, map[string]string{"x.trc": text}, report.Options{AllRows: true})
			var b bytes.Buffer
			if err := m.WriteHTML(&b); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 5<<20 {
				t.Errorf("%d bytes", b.Len())
			}
			if name != "texts" && !strings.Contains(b.String(), "Not in this page: ") {
				t.Error("what is left out is not said")
			}
			if name == "texts" && !strings.Contains(b.String(), "bytes more, in JSON)") {
				t.Error("no text is cut")
			}
		})
	}
}
