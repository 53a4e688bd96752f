package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Component is a trace component, as in `trace[SQL_Optimizer]`.
type Component struct {
	Name    string // in Oracle's spelling
	Library string // lower case
}

//go:embed components.txt
var componentText string

var componentIndex = sync.OnceValue(func() map[string]Component {
	m := map[string]Component{}
	for lib, names := range sections(componentText) {
		for _, n := range names {
			m[key(n)] = Component{Name: n, Library: lib}
		}
	}
	return m
})

// LookupComponent finds a component in any letter case, without library.
func LookupComponent(name string) (Component, bool) {
	c, ok := componentIndex()[key(name)]
	return c, ok
}

// Components returns every component, by name.
func Components() []Component {
	idx := componentIndex()
	out := make([]Component, 0, len(idx))
	for _, c := range idx {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Component) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// IsLibrary says that the name is a library of events, actions or components.
func IsLibrary(name string) bool {
	switch key(name) {
	case "ADVCMP", "CLIENT", "VPLIB", "RDBMS", "PLSQL", "DIAG", "GENERIC", "FPLIB", "LIBCELL", "ORANET", "XDK":
		return true
	}
	return false
}
