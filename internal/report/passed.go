package report

import (
	"fmt"
	"strings"

	"ringtrace/internal/bundle"
)

// PassedOver says what a folder or an archive holds that was not read, because
// its name is not that of a trace.
type PassedOver struct {
	Path  string          `json:"path"`
	Kinds []bundle.Passed `json:"kinds"`
}

// Words says it to a person.
func (p PassedOver) Words() string {
	total := 0
	var kinds []string
	for i, k := range p.Kinds {
		total += k.Count
		if i < 6 {
			kinds = append(kinds, fmt.Sprintf("%d %s", k.Count, k.Kind))
		}
	}
	if n := len(p.Kinds) - len(kinds); n > 0 {
		kinds = append(kinds, fmt.Sprintf("%s more", count(n, "kind")))
	}
	verb := "were"
	if total == 1 {
		verb = "was"
	}
	return fmt.Sprintf("%s in %s %s not read, by name (*.trc, *.trc.gz and *.trc.zst are): %s; name those that are traces", count(total, "file"), cutFront(p.Path, 60), verb, strings.Join(kinds, ", "))
}
