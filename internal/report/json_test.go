package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// TestWriteJSONSameAsEncoder: written by elements, the document is byte by byte
// what encoding/json writes in one piece.
func TestWriteJSONSameAsEncoder(t *testing.T) {
	text := "select '<b>' from dual where a > 1 & b"
	for name, m := range map[string]*Model{
		"empty": {},
		"some": {
			Files:      []File{{Path: "a.trc"}, {Path: "b<c>.trc"}},
			Statements: []Statement{{Text: &text}, {}},
			Errors:     []Error{},
			Chart:      &Chart{},
			Omitted:    map[string]int64{"statements": 3},
			Selection:  []string{"--sql x"},
		},
	} {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(m); err != nil {
			t.Fatal(err)
		}
		if err := m.WriteJSON(&got); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s: got\n%s\nwant\n%s", name, &got, &want)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteJSONReportsError(t *testing.T) {
	if err := (&Model{}).WriteJSON(brokenWriter{}); err == nil {
		t.Error("no error from a writer that fails")
	}
}
