package redact

import (
	"bytes"
	"encoding/hex"
	"fmt"
)

// surelyLeft is how long a value must be for the last look: a shorter one can
// be in a token by chance.
const surelyLeft = 6

// look searches what comes out for what should have been taken out.
func (r *Redactor) look(where string, out []byte) {
	at := r.holds(out)
	if at < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) < 10 {
		r.left = append(r.left, fmt.Sprintf("%s, near byte %d", where, at))
	}
}

// search replaces in place what is known in a text, blanks it as a whole where
// a value stands in it in another form, and looks once more.
func (r *Redactor) search(where string, text []byte) {
	r.count(r.free.replace(text, r.token), 0)
	if r.holds(text) >= 0 {
		r.count(0, blank(text))
		r.look(where, text)
	}
}

// holds returns where a value stands in a text, or -1: as it is, in UTF-16, and
// in what hexadecimal digits stand for.
func (r *Redactor) holds(text []byte) int {
	if at := r.plainly(text); at >= 0 {
		return at
	}
	for i := 0; i < len(text); i++ {
		if !isHex(text[i]) {
			continue
		}
		end := i
		for end < len(text) && (isHex(text[end]) || text[end] == ' ') {
			end++
		}
		if end-i >= 2*surelyLeft && r.inHex(text[i:end]) {
			return i
		}
		i = end
	}
	return -1
}

func (r *Redactor) plainly(text []byte) int {
	at := r.free.find(text, surelyLeft)
	if at < 0 && bytes.IndexByte(text, 0) >= 0 {
		at = r.free.find(bytes.ReplaceAll(text, []byte{0}, nil), surelyLeft)
	}
	return at
}

// inHex looks into a run of hexadecimal digits and blanks: as bytes of two
// digits from either digit on, and as bytes between blanks, which Oracle prints
// with one digit where that is enough.
func (r *Redactor) inHex(run []byte) bool {
	digits := bytes.ReplaceAll(run, []byte(" "), nil)
	raw := make([]byte, len(digits)/2)
	for from := range 2 {
		part := digits[min(from, len(digits)):]
		n, err := hex.Decode(raw, part[:len(part)&^1])
		if err == nil && r.plainly(raw[:n]) >= 0 {
			return true
		}
	}
	raw = raw[:0]
	for _, f := range bytes.Fields(run) {
		if len(f) > 2 {
			return false
		}
		b := byte(0)
		for _, c := range f {
			b = b<<4 | hexValue(c)
		}
		raw = append(raw, b)
	}
	return r.plainly(raw) >= 0
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
