package exit

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestWorstFollowsPrecedence(t *testing.T) {
	cases := []struct {
		codes []Code
		want  Code
	}{
		{nil, OK},
		{[]Code{OK, OK}, OK},
		{[]Code{OK, Findings}, Findings},
		{[]Code{Findings, NothingMatch}, NothingMatch},
		{[]Code{Partial, Failed}, Failed},
		{[]Code{Failed, Refused}, Refused},
		{[]Code{Refused, Journal}, Journal},
		{[]Code{Journal, NotAllowed, CannotConnect}, CannotConnect},
		{[]Code{CannotConnect, ToolMissing}, ToolMissing},
		{[]Code{ToolMissing, Usage, Interrupted}, Interrupted},
		{[]Code{42}, Failed},
	}
	for _, c := range cases {
		if got := Worst(c.codes...); got != c.want {
			t.Errorf("Worst(%v) = %d, want %d", c.codes, got, c.want)
		}
	}
}

func TestErrorCarriesCodeHintAndCause(t *testing.T) {
	err := fmt.Errorf("outer: %w", Errorf(Refused, "type --force", "read %q: %w", "x", io.EOF))
	if CodeOf(err) != Refused || HintOf(err) != "type --force" || !errors.Is(err, io.EOF) {
		t.Errorf("got code %d, hint %q, Is EOF %v", CodeOf(err), HintOf(err), errors.Is(err, io.EOF))
	}
	if CodeOf(errors.New("x")) != Failed || CodeOf(nil) != OK {
		t.Error("plain error must be Failed, nil must be OK")
	}
}
