// Package config reads ringtrace's config file: TOML, a key for each flag,
// global flags at the top, those of a verb in a table of its name, those of a
// subcommand in a table of the table. It knows no flags; it says where each
// key stands so that whoever knows them can name the line.
package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"ringtrace/internal/exit"
)

// Entry is one key of the file, or the head of one table.
type Entry struct {
	Key   []string // e.g. ["generate", "ring"]
	Value any      // string, int64, float64, bool, []any or a toml time; nil for a table
	Table bool
	Line  int // 1 is the first line
}

// Name is the key as written with dots.
func (e Entry) Name() string { return strings.Join(e.Key, ".") }

// Parse reads the text of the config file called name. The error is an
// *exit.Error with code Usage that names file, line and column.
func Parse(name string, text []byte) ([]Entry, error) {
	var top map[string]toml.Primitive
	md, err := toml.Decode(string(text), &top)
	if err != nil {
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			return nil, exit.Errorf(exit.Usage, "a value is written key = \"text\", key = 1, key = true or key = [\"a\", \"b\"]; a verb's keys follow a line [verb]",
				"%s:%s: %s", name, place(text, syntax.Position.Start), syntax.Message)
		}
		return nil, exit.Errorf(exit.Usage, "", "%s: %w", name, err)
	}
	r := reader{name: name, md: &md}
	return r.entries(top)
}

// place turns an offset into line:column. The decoder's own line is one too
// high when the character that it trips over is the line feed.
func place(text []byte, offset int) string {
	before := string(text[:max(0, min(offset, len(text)))])
	return fmt.Sprintf("%d:%d", 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n"))
}

// reader turns the decoder's primitives into entries in the file's order.
type reader struct {
	name string
	md   *toml.MetaData
}

func (r *reader) entries(top map[string]toml.Primitive) ([]Entry, error) {
	found := map[string]Entry{}
	if err := r.table(nil, top, found); err != nil {
		return nil, err
	}
	var entries []Entry
	for _, key := range r.md.Keys() {
		if e, ok := found[joined(key)]; ok {
			entries = append(entries, e)
			delete(found, joined(key)) // [t] may be listed again by [t.u]
		}
	}
	return entries, nil
}

func joined(key []string) string { return strings.Join(key, "\x00") }

func (r *reader) table(parent []string, table map[string]toml.Primitive, found map[string]Entry) error {
	for name, primitive := range table {
		key := append(append([]string(nil), parent...), name)
		e := Entry{Key: key, Line: r.line(primitive)}
		switch r.md.Type(key...) {
		case "Hash", "": // "" is the t of [t.u] when there is no [t]
			e.Table = true
			var inner map[string]toml.Primitive
			if err := r.md.PrimitiveDecode(primitive, &inner); err != nil {
				return fmt.Errorf("%s:%d: %w", r.name, e.Line, err)
			}
			if err := r.table(key, inner, found); err != nil {
				return err
			}
		case "ArrayHash":
			return exit.Errorf(exit.Usage, "write ["+e.Name()+"] with one pair of brackets", "%s:%d: %s is an array of tables", r.name, e.Line, e.Name())
		default:
			if err := r.md.PrimitiveDecode(primitive, &e.Value); err != nil {
				return fmt.Errorf("%s:%d: %w", r.name, e.Line, err)
			}
		}
		found[joined(key)] = e
	}
	return nil
}

// line tells where a key stands. The decoder reveals it only in the errors of
// a value that refuses to be decoded.
func (r *reader) line(primitive toml.Primitive) int {
	var at toml.ParseError
	if errors.As(r.md.PrimitiveDecode(primitive, &refuser{}), &at) {
		return at.Position.Line
	}
	return 0
}

type refuser struct{}

// UnmarshalTOML refuses every value.
func (*refuser) UnmarshalTOML(any) error { return errRefused }

var errRefused = errors.New("refused to learn the position")
