package bundle

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

// One statement was seen by a snapshot at a fire and by the database at the
// end: it is there once, with the longer text and both sightings.
func TestMergeCursors(t *testing.T) {
	at := time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)
	fire := Sighting{InstID: 1, SID: 34, Serial: 5, At: &at}
	later := Sighting{InstID: 1, SID: 34, Serial: 5}
	snapshot := []Cursor{{SQLID: "b", PlanHash: 7, Text: "select lon", Seen: []Sighting{fire}}, {SQLID: "a", PlanHash: 1, Text: "only at the fire", Seen: []Sighting{fire}}}
	now := []Cursor{{SQLID: "b", PlanHash: 7, Text: "select longer from t", Seen: []Sighting{later, later}}}
	for _, lists := range [][][]Cursor{{snapshot, now}, {now, snapshot}} {
		got := MergeCursors(lists...)
		if len(got) != 2 || got[0].SQLID != "a" || got[1].SQLID != "b" {
			t.Fatalf("merged %+v", got)
		}
		if got[1].Text != "select longer from t" || len(got[1].Seen) != 2 || got[1].Seen[0].At != nil || !got[1].Seen[1].At.Equal(at) {
			t.Errorf("merged %+v", got[1])
		}
		text, err := EncodeCursors(got)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadCursors(bytes.NewReader(text))
		if err != nil || !slices.EqualFunc(again, got, func(a, b Cursor) bool {
			return a.SQLID == b.SQLID && a.Text == b.Text && a.PlanHash == b.PlanHash && len(a.Seen) == len(b.Seen)
		}) {
			t.Errorf("read back %+v, %v", again, err)
		}
	}
}
