package lint

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// guardedScript is a guarded enable script of n sessions.
func guardedScript(n int) []byte {
	var b bytes.Buffer
	b.WriteString("-- undo: disable_1.sql\n" + guardedTop)
	for i := range n {
		b.WriteString(block(i%65_000 + 1))
	}
	b.WriteString(ownOff)
	return b.Bytes()
}

// BenchmarkLint checks our own guarded script of 100,000 sessions (aim: 100
// MB/s), beside the floor: the time to look at its lines and do nothing.
func BenchmarkLint(b *testing.B) {
	src := guardedScript(100_000)
	b.Run("guarded-100k", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			r := Check("enable_1.sql", src, Options{})
			if r.Count(Warning)+r.Count(Error) != 0 || r.Commands < 800_000 {
				b.Fatalf("%d commands, %d findings", r.Commands, len(r.Findings))
			}
		}
	})
	b.Run("floor-lines", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			raw := rawLines{src: src}
			n := 0
			for l := (line{}); raw.next(&l); {
				n += len(l.text)
			}
			if n == 0 {
				b.Fatal("no text")
			}
		}
	})
	classic := []byte(strings.Repeat(attach+"oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)\noradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n", 20_000))
	b.Run("classic-one-target", func(b *testing.B) {
		b.SetBytes(int64(len(classic)))
		for b.Loop() {
			if r := Check("enable_1.sql", classic, Options{}); r.Commands != 60_000 {
				b.Fatal(fmt.Sprint(r.Commands))
			}
		}
	})
}
