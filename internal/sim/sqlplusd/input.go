package sqlplusd

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// source is one place that commands come from: standard input or a script.
type source struct {
	name string // "" for standard input
	r    *bufio.Reader
	line int
	c    io.Closer
}

func newSource(name string, r io.Reader) *source {
	if r == nil {
		r = strings.NewReader("")
	}
	return &source{name: name, r: bufio.NewReader(r)}
}

// read returns the next line without its line end.
func (s *source) read() (string, bool) {
	l, err := s.r.ReadString('\n')
	if err != nil && l == "" {
		return "", false
	}
	s.line++
	return strings.TrimRight(l, "\r\n"), true
}

// readLine reads from the innermost script, and goes back to its caller at
// its end.
func (in *Interp) readLine() (string, *source, bool) {
	for len(in.sources) > 0 {
		s := in.sources[len(in.sources)-1]
		if l, ok := s.read(); ok {
			return l, s, true
		}
		if s == in.base {
			return "", s, false
		}
		in.pop()
	}
	return "", in.base, false
}

func (in *Interp) pop() {
	s := in.sources[len(in.sources)-1]
	if s.c != nil {
		_ = s.c.Close() // opened for reading only
	}
	in.sources = in.sources[:len(in.sources)-1]
}

// scripted says that commands come from a script, not from standard input.
func (in *Interp) scripted() bool { return in.sources[len(in.sources)-1] != in.base }

func (in *Interp) prompt() {
	if in.silent || in.scripted() || !in.set.on("ECHO") && in.set.text("SQLPROMPT") == "" {
		return
	}
	in.out.prompt(in.set.text("SQLPROMPT"))
}

func (in *Interp) echo(src *source, line string) {
	if src != in.base && in.set.on("ECHO") && !in.silent {
		in.out.println(in.set.text("SQLPROMPT") + line)
	}
}

// Files opens scripts and spool files.
type Files interface {
	Open(name string) (io.ReadCloser, error)
	// Create opens a file for writing. It fails with fs.ErrExist when create
	// is set and the file is there.
	Create(name string, appendTo, create bool) (io.WriteCloser, error)
}

// Dir is Files in a directory of the file system.
type Dir string

func (d Dir) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(d), name)
}

// Open implements Files.
func (d Dir) Open(name string) (io.ReadCloser, error) { return os.Open(d.path(name)) }

// Create implements Files.
func (d Dir) Create(name string, appendTo, create bool) (io.WriteCloser, error) {
	flags := os.O_CREATE | os.O_WRONLY
	switch {
	case appendTo:
		flags |= os.O_APPEND
	case create:
		flags |= os.O_EXCL
	default:
		flags |= os.O_TRUNC
	}
	return os.OpenFile(d.path(name), flags, 0o644) // sqlplus obeys the umask
}

// maxNesting is how deep scripts may call scripts
// (facts/views-and-sqlplus.md 3.5).
const maxNesting = 20

// start runs a script: @name, @@name, START name.
func (in *Interp) start(rest string, beside bool) {
	fields := words(rest)
	if len(fields) == 0 {
		in.out.println("SP2-1506: START, @ or @@ command has no arguments")
		return
	}
	if len(in.sources) > maxNesting {
		in.out.println("SP2-0309: SQL*Plus command procedures may only be nested to a depth of 20.")
		return
	}
	name := fields[0]
	if filepath.Ext(name) == "" {
		name += ".sql"
	}
	path := name
	if cur := in.sources[len(in.sources)-1]; beside && cur.name != "" && !filepath.IsAbs(name) {
		path = filepath.Join(filepath.Dir(cur.name), name)
	}
	f, err := in.c.Files.Open(path)
	if err != nil {
		in.out.println("SP2-0310: unable to open file \"" + name + "\"")
		var pe *os.PathError
		if errors.As(err, &pe) {
			in.failOS()
		}
		return
	}
	s := newSource(path, f)
	s.c = f
	for i, a := range fields[1:] {
		in.defines[itoa(i+1)] = a
	}
	in.sources = append(in.sources, s)
}

func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}

// words splits at blanks, keeping what is quoted together.
func words(s string) []string {
	var out []string
	var b strings.Builder
	quote, has := rune(0), false
	for _, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				b.WriteRune(c)
			}
		case c == '\'' || c == '"':
			quote, has = c, true
		case c == ' ' || c == '\t':
			if has || b.Len() > 0 {
				out = append(out, b.String())
				b.Reset()
				has = false
			}
		default:
			b.WriteRune(c)
		}
	}
	if has || b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}
