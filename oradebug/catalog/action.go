package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Action is something an event can be made to do.
type Action struct {
	Name    string // lower case
	Library string // lower case
	Params  []Param
	// Open says that the signature is not published.
	Open bool
	Risk Risk
	// Returns is the type of an action that can stand as an argument.
	Returns string
	// DDE says that only the diagnostic framework runs it, later.
	DDE bool
	// Caution says why it is not harmless; empty for safe ones.
	Caution string
}

//go:embed actions.txt
var actionText string

//go:embed action_risk.txt
var actionRiskText string

var actionIndex = sync.OnceValue(func() map[string]Action {
	m := map[string]Action{}
	for lib, names := range sections(actionText) {
		for _, n := range names {
			a := Action{Name: n, Library: lib}
			sig, known := signatures[n]
			switch {
			case known:
				a.Params, a.Returns = sig.params, sig.returns
			case lib != "rdbms" && lib != "diag":
				a.Open = true
			case strings.HasSuffix(n, "_check") && n != "bc_sanity_check", n == "hmcheck", n == "asm_dgfdm_check_no_dg_name":
				a.DDE, a.Open = true, true
			default:
				a.Params = []Param{level1}
			}
			m[key(n)] = a
		}
	}
	for line := range strings.Lines(actionRiskText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		names, caution, _ := strings.Cut(rest, ":")
		for _, n := range strings.Fields(names) {
			a, ok := m[key(n)]
			if !ok {
				continue
			}
			a.Risk, a.Caution = Risky, strings.TrimSpace(caution)
			if word == "dangerous" {
				a.Risk = Dangerous
			}
			m[key(n)] = a
		}
	}
	return m
})

// LookupAction finds an action in any letter case, without library.
func LookupAction(name string) (Action, bool) {
	a, ok := actionIndex()[key(name)]
	return a, ok
}

// Actions returns every action, by name.
func Actions() []Action {
	idx := actionIndex()
	out := make([]Action, 0, len(idx))
	for _, a := range idx {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Action) int { return strings.Compare(a.Name, b.Name) })
	return out
}
