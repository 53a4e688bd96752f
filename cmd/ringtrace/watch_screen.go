package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"ringtrace/internal/jsontext"
)

// screen draws a few lines in place on a terminal. What is said meanwhile
// stands above them.
type screen struct {
	rt *runtime

	mu    sync.Mutex
	drawn int
	last  string
}

// newScreen returns nil where there is no terminal, or JSON was asked for.
func (rt *runtime) newScreen() *screen {
	p, ok := rt.stdout.(*productWriter)
	if !ok || rt.output != outputText || rt.getenv("TERM") == "dumb" || !isTerminal(p.w) {
		return nil
	}
	return &screen{rt: rt}
}

// size is that of the terminal, in characters.
func (s *screen) size() (width, height int) {
	if p, ok := s.rt.stdout.(*productWriter); ok {
		if f, ok := p.w.(*os.File); ok {
			if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
				return w, h
			}
		}
	}
	return 80, 24
}

// up moves to the first line that was drawn, which can be overwritten then.
func (s *screen) up() string {
	if s.drawn == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r", s.drawn)
}

// draw replaces what was drawn before. What comes from the database is made
// harmless first.
func (s *screen) draw(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("\x1b[2K" + strings.NewReplacer("\n", " ", "\t", " ").Replace(printable(l)) + "\n")
	}
	if b.String() == s.last {
		return
	}
	fmt.Fprint(s.rt.stdout, s.up()+b.String()+"\x1b[J")
	s.drawn, s.last = len(lines), b.String()
}

// note puts text, whole lines, above what is drawn.
func (s *screen) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprint(s.rt.stdout, s.up()+"\x1b[J"+text+s.last)
}

// capture leads what goes to a terminal on standard error above the lines that
// are drawn, until it is released. Written in between, it would shift them.
func (s *screen) capture() (release func()) {
	if !isTerminal(s.rt.stderr) {
		return func() {}
	}
	w := &above{s: s, below: s.rt.stderr}
	s.rt.stderr = w
	return w.release
}

// above is standard error while a screen is up; --exec may write to it later,
// too.
type above struct {
	s     *screen
	below io.Writer

	mu   sync.Mutex
	rest []byte
	over bool
}

func (a *above) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return a.below.Write(p)
	}
	a.rest = append(a.rest, p...)
	if i := bytes.LastIndexByte(a.rest, '\n'); i >= 0 {
		a.s.note(string(a.rest[:i+1]))
		a.rest = append(a.rest[:0], a.rest[i+1:]...)
	}
	return len(p), nil
}

func (a *above) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if len(a.rest) > 0 {
		_, _ = a.below.Write(a.rest) // nobody is left to tell
	}
}

// printJSONLine prints one object on a line of its own.
func (rt *runtime) printJSONLine(v any) error {
	enc := json.NewEncoder(jsontext.Writer(rt.stdout))
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}
