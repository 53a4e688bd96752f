package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestSessionFilesSaysHowManyMore: beyond twenty they are counted, the failing
// session is named wherever it stands, and the page has them all.
func TestSessionFilesSaysHowManyMore(t *testing.T) {
	files := map[string]string{}
	quiet := ringTrace[:strings.Index(ringTrace, "BINDS #140004")]
	for i := range 25 {
		text := quiet
		if i == 23 {
			text = ringTrace
		}
		files[fmt.Sprintf("t%02d.trc", i)] = strings.ReplaceAll(text, "(101.5)", fmt.Sprintf("(%d.5)", 200+i))
	}
	m := load(t, files, report.Options{})
	equal(t, "failing", m.Verdict.Session, "223.5")
	out := asText(t, m)
	for _, want := range []string{"[219.5] t19.trc [223.5] t23.trc … 4 more sessions; --format html and json have them"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, between(out, "COVERAGE", "TRANSACTIONS"))
		}
	}
	var b bytes.Buffer
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "<td>t24.trc</td>") {
		t.Error("the page does not say which file a session is in")
	}
}

// TestSessionFilesOfOneSession: of several files one is named where one session is
// selected, for the lines that the report tells are of that file.
func TestSessionFilesOfOneSession(t *testing.T) {
	m := load(t, map[string]string{"a.trc": ringTrace, "b.trc": "*** 2026-03-01T10:00:00.000000+01:00\n"}, report.Options{})
	equal(t, "sessions", len(m.Sessions), 1)
	if out := asText(t, m); !strings.Contains(out, "in 2 files [101.5] a.trc ") {
		t.Errorf("no file in\n%s", between(out, "COVERAGE", "TRANSACTIONS"))
	}
}
