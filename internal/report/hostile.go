package report

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// deceptive reports whether a character changes what a reader sees of the text
// around it: direction controls, characters without width, and the line and
// paragraph separators.
func deceptive(r rune) bool {
	return r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Cf, r)
}

// harmless is what stands for a character on a terminal: control characters,
// escape sequences among them, are shown as what they are not.
func harmless(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < 0x20:
		return '␀' + r
	case r == 0x7f, r >= 0x80 && r < 0xa0, deceptive(r):
		return '·'
	}
	return r
}

// clean makes text from the database safe for a terminal, on one line.
func clean(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return harmless(r) != r }) {
		return s
	}
	return strings.Map(harmless, s)
}

// plainWriter passes a page or a text on and replaces control characters and
// deceptive ones: escaping for HTML lets them through, and one field of a text
// that nobody cleaned is enough for a trace to steer a terminal. Line ends are
// passed on, in a page tabs too.
type plainWriter struct {
	w    io.Writer
	page bool
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
		i := bytes.IndexFunc(b, func(r rune) bool { return r == utf8.RuneError || p.shown(r) != r })
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
		if c := p.shown(r); c != r {
			p.buf.WriteRune(c)
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

func (p *plainWriter) shown(r rune) rune {
	if r == '\n' || p.page && (r == '\t' || r == '\r') {
		return r
	}
	return harmless(r)
}

// Flush writes what is left of a character that never became whole.
func (p *plainWriter) Flush() error {
	_, err := p.w.Write(p.rest)
	p.rest = nil
	return err
}
