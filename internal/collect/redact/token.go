package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// token makes the stand-in of a value: the same length, letters for letters
// and digits for digits, so that numbers, dates and layout stay readable. It
// always differs from the value, and holds no other value either.
func (r *Redactor) token(value []byte) []byte { return r.tokenOf(value, false) }

// hexToken is token for a value of hexadecimal digits.
func (r *Redactor) hexToken(value []byte) []byte { return r.tokenOf(value, true) }

func (r *Redactor) tokenOf(value []byte, hexadecimal bool) []byte {
	out := make([]byte, len(value))
	for try := uint32(0); ; try++ {
		s := keystream{key: r.key, value: value, try: try}
		same := true
		for i, c := range value {
			out[i] = standIn(c, s.next(), hexadecimal)
			same = same && out[i] == c
		}
		if len(value) == 0 || !same && (try >= 4 || !r.sealed || r.free.find(out, surelyLeft) < 0) {
			return out
		}
		if try == 8 { // nothing but blanks and punctuation
			for i, c := range value {
				if c != '\n' && c != '\r' {
					out[i] = 'x'
				}
			}
			return out
		}
	}
}

func standIn(c, k byte, hexadecimal bool) byte {
	letters := byte(26)
	if hexadecimal {
		letters = 6
	}
	switch {
	case c >= '0' && c <= '9':
		return '0' + k%10
	case c >= 'a' && c <= 'z':
		return 'a' + k%letters
	case c >= 'A' && c <= 'Z':
		return 'A' + k%letters
	case c >= 0x80:
		return 'x'
	}
	return c
}

// keystream is as many bytes as one likes that only the key and the value
// determine.
type keystream struct {
	key, value []byte
	try, block uint32
	buf        []byte
}

func (s *keystream) next() byte {
	if len(s.buf) == 0 {
		m := hmac.New(sha256.New, s.key)
		var head [8]byte
		binary.BigEndian.PutUint32(head[:4], s.try)
		binary.BigEndian.PutUint32(head[4:], s.block)
		m.Write(head[:])
		m.Write(s.value)
		s.block++
		s.buf = m.Sum(nil)
	}
	b := s.buf[0]
	s.buf = s.buf[1:]
	return b
}

// blank replaces letters by x and digits by 0, in place, and returns how many
// bytes it changed. Layout and punctuation stay.
func blank(line []byte) int64 {
	n := int64(0)
	for i, c := range line {
		switch {
		case c >= '0' && c <= '9':
			line[i] = '0'
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x7f, c < ' ' && c != '\n' && c != '\r' && c != '\t':
			line[i] = 'x'
		default:
			continue
		}
		n++
	}
	return n
}
