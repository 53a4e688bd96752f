package bundle

import (
	"archive/zip"
	"bytes"
	"testing"
	"time"
)

// TestUnknownTimeInAZip: a file of unknown age must not get the date 1980-00-00.
func TestUnknownTimeInAZip(t *testing.T) {
	var buf bytes.Buffer
	w := &Writer{zip: zip.NewWriter(&buf)}
	for name, at := range map[string]time.Time{"unknown": {}, "known": time.Date(2026, 3, 14, 2, 40, 1, 5e8, time.UTC)} {
		if _, err := w.create(name, 0, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.zip.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		want := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
		if f.Name == "known" {
			want = time.Date(2026, 3, 14, 2, 40, 1, 0, time.UTC)
		}
		if !f.Modified.Equal(want) || f.ModifiedDate == 0 {
			t.Errorf("%s: %v (date word %#x), want %v", f.Name, f.Modified, f.ModifiedDate, want)
		}
	}
}
