package templates

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"ringtrace/internal/exit"
)

//go:embed *.tmpl
var embedded embed.FS

// partialPrefix marks files that hold only {{define}}s shared by the scripts.
const partialPrefix = "_"

// Set is the embedded templates, parsed once and safe for concurrent use.
type Set struct {
	root  *template.Template
	names []string
}

// Builtin parses the embedded templates.
func Builtin() (*Set, error) {
	root, err := parseFS(embedded)
	if err != nil {
		return nil, fmt.Errorf("embedded templates: %w", err)
	}
	s := &Set{root: root}
	for _, t := range root.Templates() {
		name, isFile := strings.CutSuffix(t.Name(), ".tmpl")
		if isFile && !strings.HasPrefix(name, partialPrefix) {
			s.names = append(s.names, name)
		}
	}
	slices.Sort(s.names)
	return s, nil
}

func parseFS(fsys fs.FS) (*template.Template, error) {
	return template.New("").Option("missingkey=error").Funcs(Funcs()).ParseFS(fsys, "*.tmpl")
}

// Names lists the templates that can be rendered: guarded_enable, classic …
func (s *Set) Names() []string { return slices.Clone(s.names) }

// Source returns the text of an embedded template.
func (s *Set) Source(name string) (string, error) {
	if !slices.Contains(s.names, name) {
		return "", unknownTemplate(name, s.names)
	}
	b, err := embedded.ReadFile(name + ".tmpl")
	if err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return string(b), nil
}

// Render streams the named template over model into w. Memory does not grow
// with the number of sessions if model hands them out one by one.
func (s *Set) Render(w io.Writer, name string, model any) error {
	if !slices.Contains(s.names, name) {
		return unknownTemplate(name, s.names)
	}
	return execute(s.root.Lookup(name+".tmpl"), w, name, model)
}

func unknownTemplate(name string, names []string) error {
	return exit.Errorf(exit.Usage, "one of: "+strings.Join(names, " "), "no template is called %q", name)
}

// Template is a user's own template.
type Template struct {
	name string
	t    *template.Template
}

// Parse reads a user's template. It may use the shared pieces that the
// embedded ones are made of ({{template "settings" .}} …) and the functions of
// Funcs, nothing else. An error names the line.
func Parse(name, text string) (*Template, error) {
	base, err := parseFS(embedded)
	if err != nil {
		return nil, fmt.Errorf("embedded templates: %w", err)
	}
	t, err := base.New(path.Base(name)).Parse(text)
	if err != nil {
		return nil, exit.Errorf(exit.Usage,
			"see `ringtrace templates show guarded_enable` for one that works; only these functions exist: "+strings.Join(FuncNames(), " "),
			"%w", errors.New(cleanParseError(err)))
	}
	return &Template{name: path.Base(name), t: t}, nil
}

// cleanParseError drops the library's "template: " prefix; what is left starts
// with name:line.
func cleanParseError(err error) string {
	return strings.TrimPrefix(err.Error(), "template: ")
}

// Name returns the template's name as errors print it.
func (t *Template) Name() string { return t.name }

// Render streams the template over model into w.
func (t *Template) Render(w io.Writer, model any) error { return execute(t.t, w, t.name, model) }

func execute(t *template.Template, w io.Writer, name string, model any) error {
	out := newLineChecker(w, name)
	if err := t.Execute(out, model); err != nil {
		if out.err != nil {
			return out.err
		}
		return exit.Errorf(exit.Failed, "see a template that works: ringtrace templates show guarded_enable",
			"%w", errors.New(cleanParseError(err)))
	}
	return out.Close()
}
