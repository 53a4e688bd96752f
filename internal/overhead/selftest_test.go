package overhead

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestSelfTestWritesWhatItCounts(t *testing.T) {
	dir := t.TempDir()
	k, err := NewSelfTest(dir, time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range OracleStates() {
		if err := k.Before(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		e, err := k.Execute(t.Context(), s, 500)
		if err != nil || e.Elapsed <= 0 {
			t.Fatalf("%s: %v in %v", s, err, e.Elapsed)
		}
		var onDisk []byte
		if s == File {
			if onDisk, err = os.ReadFile(k.dir + "/selftest.trc"); err != nil {
				t.Fatal(err)
			}
		}
		trace, err := k.After(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		traced := s != Off && s != OffAgain
		if traced != trace.Known || traced && trace.Lines != 1000 {
			t.Errorf("%s: %+v", s, trace)
		}
		if s == File && (int64(len(onDisk)) != trace.Bytes || int64(bytes.Count(onDisk, []byte("\nWAIT #"))+1) != trace.Lines) {
			t.Errorf("the file has %d bytes, counted are %+v", len(onDisk), trace)
		}
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMemoryIsARing(t *testing.T) {
	m := &memory{buf: make([]byte, 10)}
	for _, s := range []string{"abcd", "efgh", "ijkl"} {
		if err := m.record([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if string(m.buf) != "klcdefghij" || m.lines != 3 || m.bytes != 12 {
		t.Errorf("%q, %d lines, %d bytes", m.buf, m.lines, m.bytes)
	}
}
