package control

import (
	"testing"
	"time"

	"ringtrace/oradebug"
)

func TestReadIdentity(t *testing.T) {
	for line, want := range map[string]Identity{
		"ringtrace identity 1 1 1":    {Process: true, Sessions: 1, Own: true},
		"  ringtrace identity 1 3 1 ": {Process: true, Sessions: 3, Own: true},
		"ringtrace identity 0 0 0":    {},
		"ringtrace identity 2 1 2":    {Sessions: 1},
	} {
		if got, ok := readIdentity(line); !ok || got != want {
			t.Errorf("%q: %+v %v", line, got, ok)
		}
	}
	for _, line := range []string{
		"", "ringtrace identity", "ringtrace identity 1 1", "ringtrace identity 1 1 1 1", "ringtrace identity 1 1 x", "ringtrace identity 1 -1 1",
		"ringtrace identity +1 1 1", "ringtrace identity 1  1 1", "x ringtrace identity 1 1 1", "ringtrace identity 99999999999999999999 1 1",
	} {
		if got, ok := readIdentity(line); ok {
			t.Errorf("%q is read as %+v", line, got)
		}
	}
}

// An answer that came before is not parsed again, and nobody can change what
// others get of it.
func TestAnswersAreRememberedWhole(t *testing.T) {
	c := NewConsole(time.Second, nil)
	lines := []string{"942 trace name errorstack level 3"}
	first := c.reply("eventdump session", lines)
	if first.Kind != oradebug.ReplyEvents || len(c.read) != 1 {
		t.Fatalf("%+v, %d remembered", first, len(c.read))
	}
	_ = append(first.Events, "1555 errorstack")
	again := c.reply("eventdump session", lines)
	if again.Kind != oradebug.ReplyEvents || len(again.Events) != 1 || again.Events[0] != lines[0] {
		t.Errorf("%+v", again)
	}
	// The same text to another command is another answer.
	if r := c.reply("tracefile_name", lines); r.Kind == oradebug.ReplyEvents {
		t.Errorf("%+v", r)
	}
	if r := c.reply("eventdump session", []string{"ORA-00072: process is not active"}); r.Kind != oradebug.ReplyFailed {
		t.Errorf("%+v", r)
	}
	for i := range 3 * readSize {
		c.reply("eventdump session", []string{itoa(i+10000) + " trace name errorstack level 3"})
		if len(c.read) > readSize {
			t.Fatalf("%d remembered", len(c.read))
		}
	}
}
