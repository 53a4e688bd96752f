package sight

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestLocal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x_ora_1.trc")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(path, []byte(header), 0o600))
	ctx := context.Background()
	look := func(l *Local, f File, from int64) Piece {
		t.Helper()
		p, err := l.Look(ctx, f, from)
		must(err)
		return p
	}
	here := File{InstID: 1, Path: path, Host: "db1.example.com"}
	l := &Local{}
	p := look(l, here, 0)
	if !p.Seen || string(p.Data) != header || p.Next != int64(len(header)) {
		t.Errorf("%+v", p)
	}
	if p := look(l, here, p.Next); !p.Seen || len(p.Data) > 0 {
		t.Errorf("nothing was appended: %+v", p)
	}
	if p := look(l, here, FromEnd); !p.Seen || len(p.Data) > 0 || p.Next != int64(len(header)) {
		t.Errorf("from the end: %+v", p)
	}
	must(os.WriteFile(path, []byte(header[:40]), 0o600))
	if p := look(l, here, 100); string(p.Data) != header[:40] {
		t.Errorf("a file that began anew: %+v", p)
	}
	must(os.WriteFile(path, []byte(header), 0o600))
	if p := look(&Local{}, File{InstID: 1, Path: path, Host: "db2"}, 0); p.Seen {
		t.Error("the file of another host was taken for this one's")
	}
	missing := File{InstID: 1, Path: filepath.Join(dir, "missing.trc")}
	if p := look(&Local{}, missing, 0); p.Seen {
		t.Error("a file that may be on another host was seen")
	}
	if p := look(&Local{Here: func(int) bool { return true }}, missing, 0); !p.Seen || p.Next != 0 {
		t.Errorf("a file of this host that is not written yet: %+v", p)
	}
	if p := look(l, File{Path: "relative"}, 0); p.Seen {
		t.Error("a path that is no path was seen")
	}
}
