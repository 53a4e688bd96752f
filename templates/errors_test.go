package templates

import (
	"errors"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestErrorsNameFileLineAndColumn(t *testing.T) {
	model := struct {
		Blocks []struct{ SID int }
		Count  int
		M      map[string]int
	}{Blocks: make([]struct{ SID int }, 1)}
	for name, c := range map[string]struct{ text, want, hint string }{
		"unknown function":  {"-- a\n-- {{.Count | uper}}\n", `dir/t.tmpl:2:15: function "uper" not defined`, "did you mean upper?"},
		"no such function":  {"{{env \"HOME\"}}", `dir/t.tmpl:1:3: function "env" not defined`, "only these functions exist: abbrev add"},
		"missing value":     {"x\n{{if}}\n{{end}}", `dir/t.tmpl:2:1: missing value for if`, "docs/templates.md"},
		"unexpected token":  {"{{.Count}\n}}", `dir/t.tmpl:1:`, "docs/templates.md"},
		"no end":            {"{{range .Blocks}}\nx\n", `dir/t.tmpl:3:1: unexpected EOF`, "docs/templates.md"},
		"unknown field":     {"ok\n  {{.Nosuch}}\n", `dir/t.tmpl:2:5: there is no field Nosuch here (.Nosuch)`, "docs/templates.md"},
		"field of a block":  {"{{range .Blocks}}{{.Sid}}{{end}}", `dir/t.tmpl:1:20: there is no field Sid here (.Sid)`, "docs/templates.md"},
		"missing key":       {"{{.M.x}}", `dir/t.tmpl:1:5: map has no entry for key "x"`, "docs/templates.md"},
		"unknown piece":     {"a\n{{template \"nosuch\" .}}\n", `dir/t.tmpl:2:12: template "nosuch" not defined`, "the shared pieces are: "},
		"wrong type":        {"{{add1 .Blocks}} {{index .Count 1}}", `dir/t.tmpl:1:`, "docs/templates.md"},
		"BOM and CRLF kept": {"\ufeffa\r\n{{.Nosuch}}\r\n", `dir/t.tmpl:2:3: there is no field Nosuch`, "docs/templates.md"},
	} {
		tmpl, err := Parse("dir/t.tmpl", c.text)
		if err == nil {
			err = tmpl.Render(&strings.Builder{}, model)
		}
		var te *Error
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(exit.HintOf(err), c.hint) || !errors.As(err, &te) {
			t.Errorf("%s:\n got %v\nwant %s\nhint %s", name, err, c.want, exit.HintOf(err))
		}
	}
}

func TestBOMAndCRLFOfATemplateDoNotReachTheScript(t *testing.T) {
	tmpl, err := Parse("t.tmpl", "\ufeff-- a\r\n-- b\r\n")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := tmpl.Render(&out, nil); err != nil || out.String() != "-- a\n-- b\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestPieceNames(t *testing.T) {
	names := strings.Join(PieceNames(), " ")
	for _, want := range []string{"settings", "guard_sysdba", "own_off"} {
		if !strings.Contains(names, want) {
			t.Errorf("%s is not among %s", want, names)
		}
	}
	if strings.Contains(names, ".tmpl") {
		t.Errorf("files among the pieces: %s", names)
	}
}

// Whatever the text, an error has a place, and nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"{{.Count}}", "{{range .Blocks}}{{.SID}}{{end}}", "{{template \"settings\" .}}", "{{if}}", "{{", "{{define \"x\"}}{{template \"x\"}}{{end}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse("t.tmpl", text); err != nil && !strings.HasPrefix(err.Error(), "t.tmpl") {
			t.Fatalf("error without its file: %v", err)
		}
	})
}
