package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// Cursor is an open cursor as the database listed it, when a session was hit
// or when a bundle was made.
type Cursor struct {
	SQLID    string     `json:"sql_id"`
	PlanHash int64      `json:"plan_hash_value"`
	Text     string     `json:"text"`
	Seen     []Sighting `json:"seen"` // who had it open
}

// Sighting is a session that had a cursor open.
type Sighting struct {
	InstID int        `json:"inst_id"`
	SID    int        `json:"sid"`
	Serial int        `json:"serial"`
	At     *time.Time `json:"at"` // null: when the bundle was made
}

// MergeCursors makes one list of several, in an order that depends on nothing
// but what is in it. Of two texts of one statement and plan the longer one
// stays: V$OPEN_CURSOR has its beginning only.
func MergeCursors(lists ...[]Cursor) []Cursor {
	type key struct {
		sqlID string
		plan  int64
	}
	at := map[key]int{}
	out := []Cursor{}
	for _, c := range slices.Concat(lists...) {
		k := key{c.SQLID, c.PlanHash}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Cursor{SQLID: c.SQLID, PlanHash: c.PlanHash, Seen: []Sighting{}})
		}
		if len(c.Text) > len(out[i].Text) {
			out[i].Text = c.Text
		}
		out[i].Seen = append(out[i].Seen, c.Seen...)
	}
	for i := range out {
		slices.SortFunc(out[i].Seen, compareSightings)
		out[i].Seen = slices.CompactFunc(out[i].Seen, func(a, b Sighting) bool { return compareSightings(a, b) == 0 })
	}
	slices.SortFunc(out, func(a, b Cursor) int {
		return cmp.Or(cmp.Compare(a.SQLID, b.SQLID), cmp.Compare(a.PlanHash, b.PlanHash))
	})
	return out
}

func compareSightings(a, b Sighting) int {
	var x, y time.Time
	if a.At != nil {
		x = *a.At
	}
	if b.At != nil {
		y = *b.At
	}
	return cmp.Or(cmp.Compare(a.InstID, b.InstID), cmp.Compare(a.SID, b.SID), cmp.Compare(a.Serial, b.Serial), x.Compare(y))
}

// ReadCursors reads cursors.json: an array, or an object with one in
// "cursors", of {"sql_id","plan_hash_value","text"}.
func ReadCursors(r io.Reader) ([]Cursor, error) {
	const limit = 64 << 20
	b, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", CursorsName, err)
	}
	list := []Cursor{}
	if err := json.Unmarshal(b, &list); err != nil {
		var doc struct {
			Cursors []Cursor `json:"cursors"`
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			return nil, fmt.Errorf("read %s: %w", CursorsName, err)
		}
		list = doc.Cursors
	}
	return list, nil
}

// EncodeCursors renders cursors.json.
func EncodeCursors(list []Cursor) ([]byte, error) {
	doc := struct {
		Cursors []Cursor `json:"cursors"`
	}{Cursors: MergeCursors(list)}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", CursorsName, err)
	}
	return append(b, '\n'), nil
}
