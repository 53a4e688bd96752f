package journal

import (
	"path/filepath"
	"testing"
)

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Sync() error                 { return nil }
func (nowhere) Close() error                { return nil }

func benchPair(b *testing.B, j *Journal) {
	b.Helper()
	run, err := j.StartRun(Run{Verb: "enable", By: alice})
	must(b, err)
	cmds := []string{"setorapid 51", "session_event sql_trace wait=true, bind=true trace_buffer_on(256000)", "session_event 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3"}
	b.ReportAllocs()
	for b.Loop() {
		i, err := j.Begin(Intent{Run: run, Op: OpArm, Session: s38, Process: p38, Commands: cmds})
		if err != nil {
			b.Fatal(err)
		}
		if err := j.Finish(Outcome{Intent: i, Result: Done, Ring: RingOnAssumed, Events: cmds}); err != nil {
			b.Fatal(err)
		}
	}
}

// An intent and its outcome, encoded and summed, to nowhere.
func BenchmarkIntentOutcomeEncodeOnly(b *testing.B) {
	benchPair(b, newJournal(nowhere{}, clock(), 1, ""))
}

// The same with write and fsync.
func BenchmarkIntentOutcomeFsync(b *testing.B) {
	j, err := Create(filepath.Join(b.TempDir(), "c.jsonl"), header("c"), clock())
	must(b, err)
	benchPair(b, j)
}
