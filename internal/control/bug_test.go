package control_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/oradebug"
)

// plant puts a bug around a Runner, so that it can be seen that the stories
// find it.
func (w *world) plant(r control.Runner) control.Runner {
	switch w.bug {
	case "no identity re-check", "no pre-dump":
		return &buggyRunner{r, w.bug}
	}
	return r
}

type buggyRunner struct {
	control.Runner
	bug string
}

func (b *buggyRunner) Hold(ctx context.Context, t control.Target, work func(control.Held) error) error {
	if b.bug == "no pre-dump" && t.Want != control.WantSession {
		return b.Runner.Hold(ctx, t, work) // the way back reads before it takes away
	}
	return b.Runner.Hold(ctx, t, func(h control.Held) error { return work(&buggyHeld{Held: h, bug: b.bug}) })
}

type buggyHeld struct {
	control.Held
	bug   string
	dumps int
}

func (b *buggyHeld) Identify(ctx context.Context) (control.Identity, error) {
	if b.bug == "no identity re-check" {
		return b.Identity(), nil
	}
	return b.Held.Identify(ctx)
}

func (b *buggyHeld) Send(ctx context.Context, command string) (oradebug.Reply, error) {
	if b.bug == "no pre-dump" && command == "eventdump session" {
		if b.dumps++; b.dumps == 1 {
			return oradebug.Reply{Kind: oradebug.ReplyProcessed}, nil
		}
	}
	return b.Held.Send(ctx, command)
}

// forget takes the records behind the last intent but one from a journal, as a
// missing fsync could.
func (w *world) forget(id string) {
	path, err := w.state.Dir.File(id)
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	for i := len(lines) - 1; i > 0; i-- {
		if bytes.Contains(lines[i], []byte(`"kind":"intent"`)) {
			if err := os.WriteFile(path, bytes.Join(lines[:i], nil), 0o600); err != nil {
				w.t.Fatal(err)
			}
			return
		}
	}
}

// TestPlantedBugsAreFound: each bug makes one of the stories end badly.
func TestPlantedBugsAreFound(t *testing.T) {
	for _, bug := range []string{"no identity re-check", "no pre-dump", "no fsync"} {
		t.Run(strings.ReplaceAll(bug, " ", "_"), func(t *testing.T) {
			dir := scratch(t)
			for seed := uint64(1); seed <= 300; seed++ {
				if got := tell(t, dir, seed, bug); len(got.wrong) > 0 {
					t.Logf("found at seed %d: %s", seed, got.wrong[0])
					return
				}
			}
			t.Error("no story noticed it")
		})
	}
}
