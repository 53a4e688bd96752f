package templates

import (
	"bytes"
	"fmt"
	"io"

	"ringtrace/internal/exit"
)

// MaxLine is the longest line, in bytes, that a script may hold: SQL*Plus
// takes 2,500 up to 12.1 (facts/views-and-sqlplus.md 3.5), less a margin.
const MaxLine = 2400

const chunk = 64 << 10

// lineChecker passes text on in large pieces and refuses what SQL*Plus would
// misread.
type lineChecker struct {
	w    io.Writer
	name string
	buf  []byte
	line int // lines already passed on
	err  error
}

func newLineChecker(w io.Writer, name string) *lineChecker {
	return &lineChecker{w: w, name: name, buf: make([]byte, 0, chunk+MaxLine)}
}

func (c *lineChecker) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	c.buf = append(c.buf, p...)
	if len(c.buf) >= chunk {
		c.flush()
	}
	return len(p), c.err
}

// flush checks and passes on all whole lines; the rest stays.
func (c *lineChecker) flush() {
	end := bytes.LastIndexByte(c.buf, '\n') + 1
	if end == 0 && len(c.buf) > MaxLine {
		c.err = c.refuse("is longer than %d characters", MaxLine)
		return
	}
	if c.err = c.check(c.buf[:end]); c.err != nil {
		return
	}
	if _, err := c.w.Write(c.buf[:end]); err != nil {
		c.err = err
		return
	}
	c.buf = c.buf[:copy(c.buf, c.buf[end:])]
}

// Close passes on the rest, with a line end if the template forgot it.
func (c *lineChecker) Close() error {
	if c.err == nil && len(c.buf) > 0 && c.buf[len(c.buf)-1] != '\n' {
		c.buf = append(c.buf, '\n')
	}
	if c.err == nil {
		c.flush()
	}
	return c.err
}

func (c *lineChecker) check(text []byte) error {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if err := c.checkLine(text[:end]); err != nil {
			return err
		}
		c.line++
		text = text[end+1:]
	}
	return nil
}

func (c *lineChecker) checkLine(line []byte) error {
	if len(line) > MaxLine {
		return c.refuse("is longer than %d characters", MaxLine)
	}
	for i, b := range line {
		if b < ' ' && b != '\t' || b > '~' {
			return c.refuse("holds byte 0x%02x at column %d; scripts are plain ASCII", b, i+1)
		}
	}
	if t := bytes.TrimRight(line, " \t"); len(t) > 0 && t[len(t)-1] == '-' {
		return c.refuse("ends in a hyphen, which SQL*Plus reads as a continuation")
	}
	return nil
}

func (c *lineChecker) refuse(format string, args ...any) error {
	return exit.Errorf(exit.Failed, "change the template (or the text it prints) and run it again",
		"%s: line %d of the script %s", c.name, c.line+1, fmt.Sprintf(format, args...))
}
