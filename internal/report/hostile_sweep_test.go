package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"ringtrace/internal/report"
)

// evil is what a user name, a bind value or a SQL id of a made-up trace can hold.
const evil = "\x1b]0;x\a\x1b[2J<script>alert(1)</script>\u202e\u200b\x00\u009b31m=1+1|"

// TestHostileTextEverywhere puts it behind every place where text of users begins
// in a trace, and looks at every form that a person reads: none may carry a control
// or a deceptive character, whatever field nobody thought of.
func TestHostileTextEverywhere(t *testing.T) {
	traces := map[string]string{"ring": ringTrace, "unzoned": unzoned, "deadlock": lockedOut(203, 1_000_000, 1, 2, graphOf203)}
	for name, trace := range traces {
		for _, place := range []string{`'`, `\(`, `"`, `value=`, `: `, `(?m)^ +`, `TX-`, `sqlid='`, `ORA-\d+: `} {
			re := regexp.MustCompile(place)
			hurt := re.ReplaceAllStringFunc(trace, func(m string) string { return m + evil })
			t.Run(name+" "+place, func(t *testing.T) {
				m := load(t, map[string]string{"x.trc": hurt}, report.Options{})
				c := report.Compare("\x1b[1mA", m, "B", m)
				for form, write := range map[string]func(io.Writer) error{
					"text": func(w io.Writer) error { return m.WriteText(w, 80) }, "wide text": func(w io.Writer) error { return m.WriteText(w, 120) },
					"tkprof": m.WriteTkprof, "folded": m.WriteFolded, "page": m.WriteHTML, "JSON": m.WriteJSON, "comparison": func(w io.Writer) error { return c.WriteText(w, 80, 20) },
					"comparison page": func(w io.Writer) error { return c.WriteHTML(w, 20) }, "comparison JSON": c.WriteJSON,
				} {
					var b bytes.Buffer
					if err := write(&b); err != nil {
						t.Fatal(form, err)
					}
					bad := func(r rune) bool {
						return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
					}
					if i := strings.IndexFunc(b.String(), bad); i >= 0 {
						t.Errorf("%s holds %q", form, b.String()[max(0, i-60):min(b.Len(), i+20)])
					}
					if strings.Contains(form, "page") && strings.Contains(b.String(), "<script>alert") {
						t.Errorf("%s runs a script of the trace", form)
					}
					if strings.Contains(form, "JSON") && !json.Valid(b.Bytes()) {
						t.Errorf("%s is not valid", form)
					}
					if form == "text" || form == "wide text" {
						for _, l := range strings.Split(b.String(), "\n") {
							if n := len([]rune(l)); n > map[string]int{"text": 80, "wide text": 120}[form] {
								t.Errorf("%s: %d columns: %s", form, n, l)
							}
						}
					}
				}
			})
		}
	}
}
