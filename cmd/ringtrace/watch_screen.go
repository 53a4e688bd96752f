package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// screen draws a few lines in place on a terminal.
type screen struct {
	rt    *runtime
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

func (s *screen) width() int {
	if p, ok := s.rt.stdout.(*productWriter); ok {
		if f, ok := p.w.(*os.File); ok {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil {
				return w
			}
		}
	}
	return 80
}

// draw replaces what was drawn before. What comes from the database is made
// harmless first.
func (s *screen) draw(lines []string) {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("\x1b[2K" + strings.ReplaceAll(printable(l), "\n", " ") + "\n")
	}
	if b.String() == s.last {
		return
	}
	up := ""
	if s.drawn > 0 {
		up = fmt.Sprintf("\x1b[%dA\r", s.drawn)
	}
	fmt.Fprint(s.rt.stdout, up+b.String()+"\x1b[J")
	s.drawn, s.last = len(lines), b.String()
}

// printJSONLine prints one object on a line of its own.
func (rt *runtime) printJSONLine(v any) error {
	enc := json.NewEncoder(rt.stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}
