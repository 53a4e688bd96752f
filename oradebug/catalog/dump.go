package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// DumpClass is the lint class of a dump name (facts/oradebug.md 1.4).
type DumpClass uint8

// The classes. DumpOther is a name that exists in 9.2 or 19c lists but that
// the fact table does not class: treat it as heavy.
const (
	DumpProcess DumpClass = iota
	DumpHeavy
	DumpDangerous
	DumpOther
)

// String returns the class's word.
func (c DumpClass) String() string {
	return [...]string{"process", "heavy", "dangerous", "other"}[c]
}

// Dump is one dump name.
type Dump struct {
	Name  string // upper case
	Class DumpClass
}

//go:embed dumps.txt
var dumpText string

var dumpIndex = sync.OnceValue(func() map[string]Dump {
	m := map[string]Dump{}
	classes := map[string]DumpClass{"process": DumpProcess, "heavy": DumpHeavy, "dangerous": DumpDangerous, "other": DumpOther}
	for word, names := range sections(dumpText) {
		for _, n := range names {
			m[n] = Dump{Name: n, Class: classes[word]}
		}
	}
	return m
})

// LookupDump finds a dump name in any letter case. Names ending in "*" in the
// data are families (KRB_*, MMAN_*, TEST_*).
func LookupDump(name string) (Dump, bool) {
	k := key(name)
	if strings.HasSuffix(k, "*") {
		return Dump{}, false
	}
	idx := dumpIndex()
	if d, ok := idx[k]; ok {
		return d, true
	}
	for i := strings.LastIndexByte(k, '_'); i > 0; i = strings.LastIndexByte(k[:i], '_') {
		if d, ok := idx[k[:i+1]+"*"]; ok {
			return Dump{Name: k, Class: d.Class}, true
		}
	}
	return Dump{}, false
}

// Dumps returns every dump name without the families, by name.
func Dumps() []Dump {
	var out []Dump
	for k, d := range dumpIndex() {
		if !strings.HasSuffix(k, "*") {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b Dump) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// sections reads a data file: "[word]" begins a section, "#" a comment, all
// else are names parted by white space.
func sections(text string) map[string][]string {
	out := map[string][]string{}
	word := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			word = strings.Trim(line, "[]")
		default:
			out[word] = append(out[word], strings.Fields(line)...)
		}
	}
	return out
}
