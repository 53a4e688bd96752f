package tmplcheck

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/plan"
	"ringtrace/templates"
)

func document(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/templates.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func check(t *testing.T, name, text string) *Report {
	t.Helper()
	r, err := Check(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEmbeddedTemplatesPassTheirOwnCheck(t *testing.T) {
	set, err := templates.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	text, err := set.Source("guarded_enable")
	if err != nil {
		t.Fatal(err)
	}
	if r := check(t, "guarded_enable", text); !r.OK || len(r.Findings) > 0 || r.Plans < 5 || r.Lines < 100 {
		t.Errorf("%+v", r)
	}
	// classic leaves everything on and says so only with a header.
	text, err = set.Source("classic")
	if err != nil {
		t.Fatal(err)
	}
	if r := check(t, "classic", text); !r.OK || len(r.Findings) == 0 {
		t.Errorf("%+v", r)
	}
}

func TestExampleOfTheDocument(t *testing.T) {
	m := regexp.MustCompile("(?s)```template\n(.*?)```").FindStringSubmatch(document(t))
	if m == nil {
		t.Fatal("docs/templates.md has no example")
	}
	if r := check(t, "docs/templates.md", m[1]); !r.OK || len(r.Findings) > 0 {
		t.Errorf("%+v", r)
	}
}

func TestDocumentNamesEveryFieldAndFunction(t *testing.T) {
	doc := document(t)
	sections := map[string]string{}
	for _, part := range strings.Split(doc, "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		sections[title] = body
	}
	field := regexp.MustCompile("`\\.(\\w+)`")
	for title, model := range map[string]any{
		"The script": plan.Script{}, "An instance": plan.InstanceModel{}, "A block": plan.Block{}, "An event": plan.Event{},
	} {
		var want, got []string
		typ := reflect.TypeOf(model)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				want = append(want, f.Name)
			}
		}
		for _, m := range field.FindAllStringSubmatch(sections[title], -1) {
			got = append(got, m[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: the document has %v, the model %v", title, got, want)
		}
	}
	_, list, _ := strings.Cut(doc, "<!-- functions -->")
	list, rest, _ := strings.Cut(list, "<!-- end -->")
	for _, name := range templates.FuncNames() {
		if !strings.Contains(list, "`"+name+"`") && !strings.Contains(rest, "`"+name+"`") {
			t.Errorf("function %s is not documented", name)
		}
	}
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(list, -1) {
		if !slices.Contains(templates.FuncNames(), m[1]) {
			t.Errorf("function %s does not exist", m[1])
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		text, problem, rule string
		line, column        int
	}{
		"parse":              {"-- a\n{{range}}\n{{end}}", "t.tmpl:2:1: missing value for range", "", 2, 1},
		"field":              {"{{range .Blocks}}{{.Pid}}{{end}}", "t.tmpl:1:20: there is no field Pid here", "", 1, 20},
		"only in some plans": {"{{if not .RingBytes}}{{.Nope}}{{end}}", "there is no field Nope", "", 1, 24},
		"raw bytes":          {"-- \u00e9\n", "holds byte 0xc3 at column 4", "", 0, 0},
		"hyphen":             {"oradebug setorapid 5 -\n", "ends in a hyphen", "", 0, 0},
		"long":               {"-- {{printf \"%03000d\" 0}}\n", "is longer than 2400 characters", "", 0, 0},
		"no target":          {"oradebug session_event 60 trace name errorstack level 3\n", "", "RT003", 0, 0},
		"unknown command":    {"oradebug setorapid 5\noradebug tracelfile_name\noradebug setmypid\n", "", "RT001", 0, 0},
	} {
		r := check(t, "t.tmpl", c.text)
		if r.OK {
			t.Errorf("%s: passed", name)
		}
		if c.problem != "" && (len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, c.problem) || r.Problems[0].Line != c.line || r.Problems[0].Column != c.column || r.Problems[0].Hint == "") {
			t.Errorf("%s: %+v, want %q at %d:%d", name, r.Problems, c.problem, c.line, c.column)
		}
		if c.rule != "" && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == c.rule && f.Text != "" }) {
			t.Errorf("%s: %+v, want %s", name, r.Findings, c.rule)
		}
	}
}
