package report

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// deceptive reports whether a character changes what a reader sees of the text
// around it: direction controls, and the line and paragraph separators.
func deceptive(r rune) bool {
	switch {
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029:
		return true
	}
	return false
}

// clean makes text from the database safe for a terminal: control characters,
// escape sequences among them, are shown as what they are not.
func clean(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || deceptive(r) }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < 0x20:
			return '␀' + r
		case r == 0x7f, r >= 0x80 && r < 0xa0, deceptive(r):
			return '·'
		}
		return r
	}, s)
}

// plainWriter passes a page on and replaces deceptive characters: escaping lets
// them through, and SQL text could be made to read as another.
type plainWriter struct {
	w    io.Writer
	rest []byte // a character that is not whole yet
	buf  bytes.Buffer
}

func (p *plainWriter) Write(b []byte) (int, error) {
	n := len(b)
	if len(p.rest) > 0 {
		b = append(p.rest, b...)
		p.rest = nil
	}
	p.buf.Reset()
	for len(b) > 0 {
		i := bytes.IndexFunc(b, func(r rune) bool { return r == utf8.RuneError || deceptive(r) })
		if i < 0 {
			p.buf.Write(b)
			break
		}
		p.buf.Write(b[:i])
		b = b[i:]
		if !utf8.FullRune(b) {
			p.rest = append([]byte(nil), b...)
			break
		}
		r, size := utf8.DecodeRune(b)
		if deceptive(r) {
			p.buf.WriteString("·")
		} else {
			p.buf.Write(b[:size])
		}
		b = b[size:]
	}
	if _, err := p.w.Write(p.buf.Bytes()); err != nil {
		return 0, err
	}
	return n, nil
}

// Flush writes what is left of a character that never became whole.
func (p *plainWriter) Flush() error {
	_, err := p.w.Write(p.rest)
	p.rest = nil
	return err
}
