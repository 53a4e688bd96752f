package templates

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
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
	root   *template.Template
	names  []string
	pieces []string
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
		switch {
		case !isFile:
		case strings.HasPrefix(name, partialPrefix):
			s.pieces = append(s.pieces, name)
		default:
			s.names = append(s.names, name)
		}
	}
	slices.Sort(s.names)
	slices.Sort(s.pieces)
	return s, nil
}

func parseFS(fsys fs.FS) (*template.Template, error) {
	return template.New("").Option("missingkey=error").Funcs(Funcs()).ParseFS(fsys, "*.tmpl")
}

// Names lists the templates that can be rendered: guarded_enable, classic …
func (s *Set) Names() []string { return slices.Clone(s.names) }

// Source returns the text of an embedded template or of a file of pieces.
func (s *Set) Source(name string) (string, error) {
	name = strings.TrimSuffix(name, ".tmpl")
	if !slices.Contains(s.names, name) && !slices.Contains(s.pieces, name) {
		return "", unknownTemplate(name, slices.Concat(s.names, s.pieces))
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
	return execute(s.root.Lookup(name+".tmpl"), w, name, "", model)
}

func unknownTemplate(name string, names []string) error {
	return exit.Errorf(exit.Usage, "one of: "+strings.Join(names, " "), "no template is called %q", name)
}

// Pieces lists the files of shared pieces: _shared …; Source returns them.
func (s *Set) Pieces() []string { return slices.Clone(s.pieces) }

// PieceNames lists the shared pieces that {{template "…" .}} can name.
func PieceNames() []string {
	root, err := parseFS(embedded)
	if err != nil {
		return nil
	}
	var names []string
	for _, t := range root.Templates() {
		if t.Tree != nil && t.Name() != "" && !strings.HasSuffix(t.Name(), ".tmpl") {
			names = append(names, t.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Template is a user's own template.
type Template struct {
	name, text string
	t          *template.Template
}

// Parse reads a user's template; name is the file as the user gave it. It may
// use the shared pieces that the embedded ones are made of
// ({{template "settings" .}} …) and the functions of Funcs, nothing else. An
// error wraps an *Error, which names file, line and column.
func Parse(name, text string) (*Template, error) {
	base, err := parseFS(embedded)
	if err != nil {
		return nil, fmt.Errorf("embedded templates: %w", err)
	}
	text = strings.TrimPrefix(text, "\ufeff")
	t, err := base.New(name).Parse(strings.ReplaceAll(text, "\r\n", "\n"))
	if err != nil {
		return nil, refuse(exit.Usage, explain(name, text, err))
	}
	return &Template{name: name, text: text, t: t}, nil
}

// Name returns the template's name as errors print it.
func (t *Template) Name() string { return t.name }

// Render streams the template over model into w.
func (t *Template) Render(w io.Writer, model any) error {
	return execute(t.t, w, t.name, t.text, model)
}

func execute(t *template.Template, w io.Writer, name, text string, model any) error {
	out := newLineChecker(w, name)
	if err := t.Execute(out, model); err != nil {
		if out.err != nil {
			return out.err
		}
		return refuse(exit.Failed, explain(name, text, err))
	}
	return out.Close()
}
