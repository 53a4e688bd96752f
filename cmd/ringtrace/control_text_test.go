package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
)

// TestOneLineForEachSession: a name from the database cannot make a line of its
// own, nor a column.
func TestOneLineForEachSession(t *testing.T) {
	var out, talk bytes.Buffer
	rt := newRuntime(strings.NewReader(""), &out, &talk, nil, time.Now)
	name := "APP\nringtrace: all is well\tX\x1b[2J"
	r := control.Result{Key: journal.Session{InstID: 1, SID: 2, Serial: 3}, Username: name}
	r.Result, r.Reason = journal.Failed, "moved"
	rt.newTeller().result(r)
	doc := control.NewDocument()
	doc.Add(&r)
	rt.printDocument(doc)
	if got := strings.Count(talk.String(), "\n"); got != 1 || strings.ContainsAny(talk.String(), "\x1b\t") {
		t.Errorf("talk %q", talk.String())
	}
	if got := strings.Count(out.String(), "\n"); got != 3 || strings.ContainsAny(out.String(), "\x1b\t") {
		t.Errorf("table %q", out.String())
	}
	if s := known(&name); strings.ContainsAny(s, "\n\t\x1b") {
		t.Errorf("in campaigns show: %q", s)
	}
	out.Reset()
	if err := rt.printJSONLine(map[string]string{"username": "a\u009b31m\u202e\x1b\n"}); err != nil || out.String() != `{"username":"a\u009b31m\u202e\u001b\n"}`+"\n" {
		t.Errorf("line of watch: %q, %v", out.String(), err)
	}
	if n, err := (printableWriter{io.Discard}).Write([]byte(name)); n != len(name) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
