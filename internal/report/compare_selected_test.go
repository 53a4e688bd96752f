package report_test

import (
	"bytes"
	"slices"
	"testing"

	"ringtrace/internal/report"
)

// TestComparisonSaysWhatIsSelected: in text, page and JSON.
func TestComparisonSaysWhatIsSelected(t *testing.T) {
	opt := report.Options{SQL: []string{"aaaaaaaaaaaa1"}}
	c := report.Compare("a", ring(t, opt), "b", ring(t, opt))
	for _, f := range []struct {
		want  string
		write func(*bytes.Buffer) error
	}{
		{"\nSELECTED: sql_id aaaaaaaaaaaa1\n", func(b *bytes.Buffer) error { return c.WriteText(b, 80, 20) }},
		{"<b>Selected:</b> sql_id aaaaaaaaaaaa1.", func(b *bytes.Buffer) error { return c.WriteHTML(b, 20) }},
		{"\"selection\": [\n    \"sql_id aaaaaaaaaaaa1\"\n  ]", func(b *bytes.Buffer) error { return c.WriteJSON(b) }},
	} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b.Bytes(), []byte(f.want)) {
			t.Errorf("%q is missing in\n%s", f.want, b.String())
		}
	}
}

// TestThinkTimeIsNoChange: a lock wait that is new is a change of the statement,
// how long the client thought behind it is none.
func TestThinkTimeIsNoChange(t *testing.T) {
	trace := func(events ...string) *report.Model {
		p := &tape{tim: 1_000_000}
		p.parsing(7, "select * from t where n=:1")
		p.call("EXEC", 7, 90, 100, 1, 0, 0)
		for _, e := range events {
			p.wait(e, 7, 2_000_000)
		}
		p.call("EXEC", 7, 90, 100, 1, 0, 0)
		return load(t, map[string]string{"a.trc": p.String()}, report.Options{})
	}
	a := trace()
	for _, c := range []struct {
		event string
		want  bool
	}{{"SQL*Net message from client", false}, {"enq: TX - row lock contention", true}} {
		d := report.Compare("a", a, "b", trace(c.event))
		if got := slices.Contains(d.Statements[0].Tags, "new_wait"); got != c.want {
			t.Errorf("%s: tags %v", c.event, d.Statements[0].Tags)
		}
	}
}
