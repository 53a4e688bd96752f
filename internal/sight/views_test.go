package sight_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
)

// TestViewsReadAllAndForEverybody: a file larger than one piece is read to its
// end, and who comes later with another offset gets what it has not seen, though
// nothing was written since.
func TestViewsReadAllAndForEverybody(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	d, err := sim.New(sim.Spec{Sessions: 5, Seed: 1}, func() time.Time { return now }, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sim.Connect(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := d.ADRHome(d.Instances[0]) + "/trace/ORCL_ora_4711.trc"
	line := "WAIT #1: nam='x' ela= 1 tim=1 " + strings.Repeat("y", 900) + "\n"
	text := []byte(strings.Repeat(line, 2*sight.MaxPiece/len(line)+100))
	if err := d.Store.Append(path, text, now); err != nil {
		t.Fatal(err)
	}
	v := &sight.Views{Q: db, InstID: 1}
	if err := v.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	f := sight.File{InstID: 1, Path: path}
	for who := range 3 {
		found, seen, err := sight.Whole(context.Background(), v, f, 0, nil)
		if err != nil || !seen || found.Records != bytes.Count(text, []byte("\n")) {
			t.Fatalf("reader %d: %d records, want %d; seen %v, %v", who, found.Records, bytes.Count(text, []byte("\n")), seen, err)
		}
	}
	if n, ok := sight.Size(context.Background(), v, f); !ok || n != int64(len(text)) {
		t.Errorf("size %d, %v; want %d", n, ok, len(text))
	}
	if p, err := v.Look(context.Background(), f, int64(len(text))); err != nil || len(p.Data) != 0 || p.Next != int64(len(text)) {
		t.Errorf("nothing new: %d bytes, next %d, %v", len(p.Data), p.Next, err)
	}
}
