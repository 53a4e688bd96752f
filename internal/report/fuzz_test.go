package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// FuzzReport renders what any bytes give: every form is written, JSON is valid,
// text holds no control characters, the page no markup from the trace, and the
// profile's rows add up.
func FuzzReport(f *testing.F) {
	f.Add([]byte(ringTrace))
	f.Add([]byte(incidentMain + incidentDump))
	f.Add([]byte(failsBelow))
	f.Add([]byte(lockedOut(203, 1_000_000, 1, 2, graphOf203)))
	f.Add([]byte(unzoned))
	f.Add([]byte(strings.ReplaceAll(ringTrace, "value=4", "value=\x1b[31m<b>&amp;")))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := tracefile.NewAnalyzer(tracefile.Options{})
		if _, err := a.ReadFile("f.trc", bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		m := report.Build(a.Profile(), report.Options{})
		var doc, text, page bytes.Buffer
		if err := m.WriteJSON(&doc); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(doc.Bytes()) || !utf8.Valid(doc.Bytes()) {
			t.Fatal("JSON is not valid")
		}
		for _, write := range []func() error{
			func() error { return m.WriteText(&text, 80) },
			func() error { return m.WriteTkprof(&text) },
			func() error { return m.WriteFolded(&text) },
			func() error { return m.WriteHTML(&page) },
			func() error { return m.WriteCSV(&doc) },
		} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range text.String() {
			if c < 0x20 && c != '\n' || c == 0x7f || c >= 0x80 && c < 0xa0 {
				t.Fatalf("control character %#x in the text", c)
			}
		}
		if n := strings.Count(page.String(), "<script"); n != 1 {
			t.Fatalf("%d script elements", n)
		}
		var sum int64
		for _, c := range m.Profile {
			if c.Total {
				if sum != c.TimeUS {
					t.Fatalf("rows add up to %d, total %d", sum, c.TimeUS)
				}
				break
			}
			sum += c.TimeUS
		}
	})
}
