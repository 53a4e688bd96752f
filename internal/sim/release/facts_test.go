package release

import (
	"strings"
	"testing"

	"ringtrace/internal/sharedtest"
)

// TestColumnsAreTheFacts compares columns.tsv with facts/views.tsv: the same
// columns in the same order, from the release on that the facts name first.
func TestColumnsAreTheFacts(t *testing.T) {
	data := sharedtest.Read(t, "the columns of the views were not compared", "facts", "views.tsv")
	// A column that came in a span of releases is there from the first one on,
	// except where only the last is sure.
	rank := map[string]string{
		"<=11.2": "1", "12.1": "2", "12.2": "3", "12.1-12.2": "3", "12.2-18c": "3", "18c": "4", "19c": "5", "12.2-19c": "5", "23ai": "7", "21c-23ai": "7",
	}
	facts := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	ours := strings.Split(strings.TrimSpace(columnsTSV), "\n")[1:]
	if len(facts) != len(ours) {
		t.Fatalf("%d columns, the facts have %d", len(ours), len(facts))
	}
	for i, line := range facts {
		f, o := strings.Split(line, "\t"), strings.Split(ours[i], "\t")
		want := rank[f[3]]
		if want == "" {
			t.Fatalf("facts/views.tsv line %d: since %q is new", i+2, f[3])
		}
		if f[0] != o[0] || f[1] != o[1] || o[3] != want {
			t.Errorf("line %d: %s.%s from rank %s, want %s.%s from rank %s", i+2, o[0], o[1], o[3], f[0], f[1], want)
		}
	}
}
