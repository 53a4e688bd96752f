//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ringtrace/internal/watch"
)

// terminal opens a pseudo-terminal, 40 characters by 12 lines. out returns what
// was written to it so far: it writes a mark and reads up to it.
func terminal(t *testing.T) (tty *os.File, out func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED (1): no pseudo-terminal here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 12, Col: 40}); err != nil {
		t.Fatal(err)
	}
	got := make(chan byte, 1<<16)
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			for _, c := range b[:n] {
				got <- c
			}
			if err != nil {
				return
			}
		}
	}()
	const mark = '\x1f'
	return tty, func() string {
		if _, err := tty.Write([]byte{mark}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for {
			select {
			case c := <-got:
				if c == mark {
					return strings.ReplaceAll(b.String(), "\r\n", "\n")
				}
				b.WriteByte(c)
			case <-time.After(20 * time.Second):
				t.Fatalf("only %q came", b.String())
			}
		}
	}
}

// shown is what a person sees after the text was written to an empty terminal:
// the lines, with what was overwritten gone.
func shown(text string) []string {
	lines, at := []string{""}, 0
	for text != "" {
		var n int
		switch {
		case strings.HasPrefix(text, "\x1b[2K"):
			lines[at] = ""
			text = text[4:]
		case strings.HasPrefix(text, "\x1b[J"):
			lines = append(lines[:at:at], "")
			text = text[3:]
		case func() bool { _, err := fmt.Sscanf(text, "\x1b[%dA\r", &n); return err == nil }():
			at -= n
			text = text[strings.IndexByte(text, '\r')+1:]
		case text[0] == '\n':
			if at++; at == len(lines) {
				lines = append(lines, "")
			}
			text = text[1:]
		default:
			lines[at] += text[:1]
			text = text[1:]
		}
	}
	return lines
}

func TestScreen(t *testing.T) {
	tty, out := terminal(t)
	rt := newRuntime(nil, &productWriter{w: tty}, tty, []string{"TERM=xterm"}, time.Now)
	rt.output = outputText
	s := rt.newScreen()
	if s == nil {
		t.Fatal("no screen on a terminal")
	}
	if w, h := s.size(); w != 40 || h != 12 {
		t.Errorf("%d by %d", w, h)
	}
	release := s.capture()
	s.draw([]string{"one", "two"})
	s.draw([]string{"one", "two"}) // nothing has changed
	rt.notef("said %d", 1)
	s.draw([]string{"one", "evil \x1b[2J\x1b]0;title\a\nline\ttab", "three"})
	fmt.Fprint(rt.stderr, "half ")
	s.draw([]string{"uno"})
	fmt.Fprint(rt.stderr, "and half\n")
	release()
	fmt.Fprintln(rt.stderr, "the end")
	text := out()
	want := "ringtrace: said 1|half and half|uno|the end"
	if got := strings.TrimRight(strings.Join(shown(text), "|"), "|"); got != want {
		t.Errorf("a person sees %q, want %q", got, want)
	}
	for _, bad := range []string{"\x1b[2J", "\x1b]", "\a", "\t"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q got through", bad)
		}
	}
	if n := strings.Count(text, "one"); n != 3 { // drawn, drawn again below the note, drawn with three lines
		t.Errorf("drawn %d times: %q", n, text)
	}
}

func TestNoScreen(t *testing.T) {
	tty, _ := terminal(t)
	for name, change := range map[string]func(*runtime){
		"json":       func(rt *runtime) { rt.output = outputJSON },
		"a pipe":     func(rt *runtime) { rt.stdout = &productWriter{w: io.Discard} },
		"a dumb one": func(rt *runtime) { rt.environ = []string{"TERM=dumb"} },
	} {
		rt := newRuntime(nil, &productWriter{w: tty}, tty, []string{"TERM=xterm"}, time.Now)
		rt.output = outputText
		change(rt)
		if rt.newScreen() != nil {
			t.Errorf("%s: a screen is drawn", name)
		}
	}
}

// TestLastWordsOfWatch: an interrupted watch says how much is on and the way back
// once, in its error; the line that collects can be pasted without a terminal.
func TestLastWordsOfWatch(t *testing.T) {
	undo := "ringtrace disable --campaign X"
	for ended, want := range map[string]string{
		"interrupted": "\ncollect the traces: ringtrace collect -c /@PROD --campaign X --redact binds,literals\n",
		"for":         "\nended (for): 2 sessions armed, 1 fire seen, 0 pending\nundo: " + undo + "\ncollect the traces: ringtrace collect -c /@PROD --campaign X --redact binds,literals\n",
	} {
		var out strings.Builder
		rt := newRuntime(nil, &out, io.Discard, nil, time.Now)
		rt.connect = "/@PROD"
		rt.printSummary(watch.Line{Campaign: "X", Undo: &undo, Summary: &watch.Totals{Watched: 2, Hits: 1, Ended: ended}})
		if out.String() != want {
			t.Errorf("%s: %q, want %q", ended, out.String(), want)
		}
	}
}
