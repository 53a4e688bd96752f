package campaigns

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/journal"
)

// keys are the JSON names of a struct, embedded ones and those of the structs
// and lists inside included.
func keys(t reflect.Type, into map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.String() == "time.Time" {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			keys(f.Type, into)
		case name == "-" || !f.IsExported():
		default:
			into[name] = true
			if !strings.Contains("sessions imports", name) { // documented on their own
				keys(f.Type, into)
			}
		}
	}
}

func TestDocumentNamesEveryField(t *testing.T) {
	b, err := os.ReadFile("../../docs/campaigns.md")
	if err != nil {
		t.Fatal(err)
	}
	for section, doc := range map[string]struct {
		model any
		also  string // sections whose fields are there, too
	}{
		"list": {Summary{}, ""}, "show": {Detail{}, "list"}, "session": {SessionDoc{}, ""}, "import": {Imported{}, ""}, "resolve": {Resolved{}, ""},
	} {
		text := part(t, string(b), section)
		if doc.also != "" {
			text += part(t, string(b), doc.also)
		}
		want, got := map[string]bool{}, map[string]bool{}
		keys(reflect.TypeOf(doc.model), want)
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(text, -1) {
			got[m[1]] = true
		}
		for k := range want {
			if !got[k] {
				t.Errorf("%s: field %s is not documented", section, k)
			}
		}
		for k := range got {
			if !want[k] {
				t.Errorf("%s: field %s does not exist", section, k)
			}
		}
	}
}

func part(t *testing.T, doc, name string) string {
	t.Helper()
	_, text, ok := strings.Cut(doc, "<!-- "+name+" -->")
	text, _, ok2 := strings.Cut(text, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatalf("docs/campaigns.md has no part %s", name)
	}
	return text
}

// The table of verdicts names every reason that an import can give.
func TestDocumentNamesEveryReason(t *testing.T) {
	b, err := os.ReadFile("../../docs/campaigns.md")
	if err != nil {
		t.Fatal(err)
	}
	src := ""
	for _, f := range []string{"verdict.go", "importer.go"} {
		s, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src += string(s)
	}
	n := 0
	for _, m := range regexp.MustCompile(`unknown\([\w.]+, "(\w+)"|return "(\w+)", (?:fmt|")`).FindAllStringSubmatch(src, -1) {
		n++
		if reason := m[1] + m[2]; !strings.Contains(string(b), "`"+reason+"`") {
			t.Errorf("reason %s is not documented", reason)
		}
	}
	if n < 8 {
		t.Errorf("only %d reasons found in the source", n)
	}
	if journal.Uncertain != "UNKNOWN" {
		t.Error("the state has another name")
	}
}
