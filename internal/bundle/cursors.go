package bundle

import (
	"encoding/json"
	"fmt"
	"io"
)

// Cursor is an open cursor as the database listed it when a bundle was made.
type Cursor struct {
	SQLID    string
	PlanHash int64
	Text     string
}

// ReadCursors reads cursors.json: an array, or an object with one in
// "cursors", of {"sql_id","plan_hash_value","text"}.
func ReadCursors(r io.Reader) ([]Cursor, error) {
	const limit = 64 << 20
	b, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", CursorsName, err)
	}
	type entry struct {
		SQLID    string `json:"sql_id"`
		PlanHash int64  `json:"plan_hash_value"`
		Text     string `json:"text"`
	}
	var list []entry
	if err := json.Unmarshal(b, &list); err != nil {
		var doc struct {
			Cursors []entry `json:"cursors"`
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			return nil, fmt.Errorf("read %s: %w", CursorsName, err)
		}
		list = doc.Cursors
	}
	out := make([]Cursor, 0, len(list))
	for _, e := range list {
		out = append(out, Cursor(e))
	}
	return out, nil
}

// EncodeCursors renders cursors.json.
func EncodeCursors(list []Cursor) ([]byte, error) {
	type entry struct {
		SQLID    string `json:"sql_id"`
		PlanHash int64  `json:"plan_hash_value"`
		Text     string `json:"text"`
	}
	doc := struct {
		Cursors []entry `json:"cursors"`
	}{Cursors: []entry{}}
	for _, c := range list {
		doc.Cursors = append(doc.Cursors, entry(c))
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", CursorsName, err)
	}
	return append(b, '\n'), nil
}
