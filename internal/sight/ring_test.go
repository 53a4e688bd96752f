package sight

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	offText = "session_event immediate trace name trace_buffer_off"
	record  = "WAIT #1: nam='SQL*Net message from client' ela= 1 p1=1 p2=1 p3=0 obj#=-1 tim=1\n"
)

func received(n, command string) string {
	return "\nReceived ORADEBUG command (#" + n + ") '" + command + "' from process 'Unix process pid: 23064, image: <none>'\n"
}

func finished(n, command string) string {
	return "\n*** 2014-10-28 12:28:09.772\nFinished processing ORADEBUG command (#" + n + ") '" + command + "'\n"
}

// TestReadRing: what stands behind the file's end as it was before the ring was
// told to go.
func TestReadRing(t *testing.T) {
	off := received("4", offText) + finished("4", offText)
	rest := received("5", "flush") + finished("5", "flush") + received("6", "close_trace") + finished("6", "close_trace")
	earlier := finished("2", "eventdump session") + received("3", "eventdump session") + finished("3", "eventdump session")
	for _, c := range []struct {
		name, text string
		want       RingText
	}{
		{"nothing", "", RingText{}},
		{"no ring: its markers alone", off + rest, RingText{}},
		{"trace that an unbuffered session wrote meanwhile", record + off + record + rest + record, RingText{}},
		{"the ring's text between the two lines", received("4", offText) + record + finished("4", offText) + rest, RingText{Written: true}},
		{"markers of commands that had been answered", earlier + record + off + rest, RingText{Written: true, Freed: true}},
		{"the first line is cut", earlier[30:] + off + rest, RingText{Written: true, Freed: true}},
		{"a ring that wrapped", "Trace output buffer of 65536 bytes wrapped 8 times\n" + off + rest, RingText{Written: true}},
		{"written, and holds on", earlier + record + received("4", offText), RingText{Written: true, Holds: true}},
		{"written by flush, too, and holds on", earlier + off + received("5", "flush"), RingText{Written: true, Holds: true}},
		{"SQL text that looks like a marker", "select 'Finished processing ORADEBUG command (#3) ''x''' from dual\n" + off + rest, RingText{}},
		{"CRLF", strings.ReplaceAll(earlier+off+rest, "\n", "\r\n"), RingText{Written: true, Freed: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x_ora_1.trc")
			if err := os.WriteFile(path, []byte("Trace file x\n"+received("1", offText)+finished("1", offText)+c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			from := int64(len("Trace file x\n" + received("1", offText) + finished("1", offText)))
			f, seen, err := Whole(context.Background(), &Local{}, File{Path: path}, from, nil)
			if err != nil || !seen {
				t.Fatal(seen, err)
			}
			if got := ReadRing(&f, offText, "close_trace"); got != c.want {
				t.Errorf("%+v, want %+v; marks %+v", got, c.want, f.Marks)
			}
			for _, m := range f.Marks {
				if m.Offset < from {
					t.Errorf("offset %d of %q is not of the file", m.Offset, m.Command)
				}
			}
		})
	}
}

// TestWholeOfManyPieces: what pieces tell adds up, offsets and counts too.
func TestWholeOfManyPieces(t *testing.T) {
	text := strings.Repeat(record, 200) + finished("7", "tracefile_name") + strings.Repeat(record, 3)
	f, seen, err := Whole(context.Background(), pieces(text), File{Path: "x"}, 0, nil)
	if err != nil || !seen || f.Records != 203 || f.Fresh != 3 || len(f.Marks) != 1 {
		t.Fatalf("%v %v %+v", seen, err, f)
	}
	m := f.Marks[0]
	if m.Records != 200 || m.Number != 7 || string(m.Command) != "tracefile_name" || !strings.HasPrefix(text[m.Offset:], "Finished") {
		t.Errorf("%+v", m)
	}
}

// pieces gives a text in small ones.
type pieces string

func (pieces) Refresh(context.Context) error { return nil }

func (p pieces) Look(_ context.Context, _ File, from int64) (Piece, error) {
	next := min(from+97, int64(len(p)))
	return Piece{Data: []byte(p[from:next]), Next: next, Size: int64(len(p)), Seen: true, More: next < int64(len(p))}, nil
}
