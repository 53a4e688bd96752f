package templates

import (
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// sprigAllowed are the sprig functions a template may call. They are pure:
// same input, same text. Nothing that reads the clock, the environment, files,
// the network or a random source, and nothing that makes keys or certificates.
var sprigAllowed = [...]string{
	"abbrev", "add", "add1", "coalesce", "contains", "default", "div", "empty", "first", "hasPrefix", "hasSuffix",
	"int", "int64", "join", "last", "list", "lower", "max", "min", "mod", "mul", "nospace", "plural", "replace",
	"rest", "sortAlpha", "splitList", "squote", "sub", "substr", "ternary", "title", "toString", "trim", "trimAll",
	"trimPrefix", "trimSuffix", "trunc", "uniq", "upper", "wrap",
}

// Funcs returns what templates may call: the allowed part of sprig and our own
//
//	comment TEXT     fit for a comment line (Comment, 200 bytes at most)
//	bytes N          256000 as "256,000 bytes (250.0 KiB)"
//	commas N         256000 as "256,000"
func Funcs() template.FuncMap {
	all := sprig.TxtFuncMap()
	fm := template.FuncMap{
		"comment": func(text string) string { return Comment(DefaultDefine, 200, text) },
		"bytes":   Bytes,
		"commas":  Commas,
	}
	for _, name := range sprigAllowed {
		fm[name] = all[name]
	}
	return fm
}

// FuncNames lists Funcs, sorted.
func FuncNames() []string {
	var names []string
	for name := range Funcs() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Commas prints n with a comma between thousands.
func Commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if neg {
		return "-" + s
	}
	return s
}

// Bytes prints n bytes exactly and in the unit a person would use.
func Bytes(n int64) string {
	exact := Commas(n) + " bytes"
	units := []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}}
	for _, u := range units {
		if n >= u.size {
			return exact + " (" + strconv.FormatFloat(float64(n)/float64(u.size), 'f', 1, 64) + " " + u.name + ")"
		}
	}
	return exact
}
