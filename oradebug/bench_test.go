package oradebug

import "testing"

// BenchmarkParseCommand: the lines that a generated script holds most.
func BenchmarkParseCommand(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"setorapid", "oradebug setorapid 38"},
		{"founding", "oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3"},
		{"sql_trace", "oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseCommand(c.line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
