package redact

import (
	"bytes"
	"encoding/hex"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// bindState is what the lines of a bind say about its value.
type bindState struct {
	kind, charset, actual int
	memory                bool
}

const charsetUTF16 = 2000 // AL16UTF16 (facts/trace-format.md 7)

var (
	bindHead  = regexp.MustCompile(`^[ \t]*Bind#\d+$`)
	bindOld   = regexp.MustCompile(`^[ \t]*bind \d+: [(a-zA-Z0-9_=() .]*$`)
	bindSame  = regexp.MustCompile(`^[ \t]*\(?No oacdef for this bind\.?\)?$`)
	bindNone  = regexp.MustCompile(`^[ \t]*value=Unhandled datatype \(\d+\) found in kxsbndinf$`)
	hexPairs  = regexp.MustCompile(`^[0-9a-fA-F]{1,2}( [0-9a-fA-F]{1,2})*$`)
	hexOnly   = regexp.MustCompile(`^[0-9a-fA-F]+$`)
	gluedBind = regexp.MustCompile(`^(.*?)( +Bind#\d+)$`)
	afterTail = regexp.MustCompile(`^"(\.\.\.)?[ ]*(Bind#\d+)?[\r\n]*$`)
)

// isBindFacts recognizes the lines of a bind that hold its type, lengths and
// address.
func isBindFacts(t []byte) bool {
	t = bytes.TrimLeft(t, " \t")
	known := false
	for _, k := range []string{"oacdty=", "oacflg=", "kxsbbbfp=", "bfp=", "mxl=", "toid=", "dty="} {
		known = known || has(t, k)
	}
	if !known {
		return false
	}
	for _, c := range t {
		if !word(c) && c != '=' && c != '(' && c != ')' && c != '-' && c != ' ' || c == '$' || c == '#' {
			return false
		}
	}
	return true
}

// bindLine takes a line of a bind section; false: the section has ended before
// it.
func (p *parser) bindLine(l, t []byte) bool {
	b := &p.bind
	switch {
	case len(t) == 0:
		p.out.Write(l)
	case bytes.Contains(t, []byte("Bind#")) && bindHead.Match(t):
		*b = bindState{}
		p.keep(l)
	case t[len(t)-1] > '9' && (bindNone.Match(t) || bindSame.Match(t)), t[len(t)-1] == '.' && bindSame.Match(t), t[len(t)-1] == ')' && bindSame.Match(t):
		p.keep(l)
	case isBindFacts(t), bindOld.Match(t):
		if v := numberBehind(t, "oacdty="); v > 0 {
			b.kind = v
		}
		if bytes.Contains(t, []byte("csi=")) {
			b.charset = numberBehind(t, "csi=")
		}
		if bytes.Contains(t, []byte("avl=")) {
			b.actual = numberBehind(t, "avl=")
		}
		p.keep(l)
	case bytes.HasPrefix(bytes.TrimLeft(t, " \t"), []byte("value=")):
		p.value(l, t)
	case memoryTitle.Match(t):
		b.memory = true
		p.keep(l)
	case b.memory && memoryLine.Match(t):
		p.memory(l)
	case has(t, "kkscoacd"):
		p.keep(l)
	case t[0] != ' ' && t[0] != '\t':
		return false
	default:
		p.drop(l)
	}
	return true
}

// value takes a line with a value, and the lines on which it goes on.
func (p *parser) value(l, t []byte) {
	at := bytes.Index(l, []byte("value=")) + len("value=")
	if at < len(t) && t[at] == '"' {
		p.quoted(l, at+1)
		return
	}
	v, glued := t[at:], 0
	if m := gluedBind.FindSubmatch(v); m != nil {
		v, glued = m[1], len(m[2])
	}
	v = bytes.TrimRight(v, " ")
	head, tail := bytes.Clone(l[:at]), bytes.Clone(l[at+len(v):])
	v = bytes.Clone(v)
	if glued > 0 {
		p.bind = bindState{}
	}
	p.out.Write(head)
	p.scalar(v)
	p.out.Write(tail)
}

// scalar takes a value that stands on one line without quotes.
func (p *parser) scalar(v []byte) {
	r := p.r
	plain, isText := "", false
	if p.bind.charset == charsetUTF16 && hexPairs.Match(v) {
		plain, isText = decodePairs(v)
	}
	if p.learning {
		if r.what.Binds {
			r.learnValue(string(v))
			r.learnValue(plain)
			if raw, err := hex.DecodeString(string(v)); err == nil && len(v) >= 8 && p.bind.kind == 23 {
				r.learnValue(string(raw))
			}
		}
		return
	}
	if !r.what.Binds && (p.bind.charset != charsetUTF16 || r.holds(v) < 0) {
		p.free(v)
		return
	}
	switch {
	case len(v) == 0:
	case isText:
		p.out.Write(encodeLike(v, r.token([]byte(plain))))
		r.count(1, 0)
	case p.bind.charset == charsetUTF16 && hexPairs.Match(v), (p.bind.kind == 23 || p.bind.kind == 24) && hexOnly.Match(v):
		p.out.Write(r.hexToken(v))
		r.count(1, 0)
	default:
		p.out.Write(r.token(v))
		r.count(1, 0)
	}
}

// decodePairs reads "0 34 0 32", UTF-16 in hexadecimal bytes, if it is ASCII.
func decodePairs(v []byte) (string, bool) {
	parts := strings.Split(string(v), " ")
	if len(parts)%2 != 0 {
		return "", false
	}
	var out []byte
	for i := 0; i < len(parts); i += 2 {
		hi, err1 := strconv.ParseUint(parts[i], 16, 8)
		lo, err2 := strconv.ParseUint(parts[i+1], 16, 8)
		if err1 != nil || err2 != nil || hi != 0 || lo < ' ' || lo > '~' {
			return "", false
		}
		out = append(out, byte(lo))
	}
	return string(out), true
}

// encodeLike writes a token the way its value was written: every character of
// printable ASCII takes two digits, so the length stays.
func encodeLike(v, token []byte) []byte {
	parts := strings.Split(string(v), " ")
	for i := range token {
		parts[2*i+1] = strconv.FormatUint(uint64(token[i]), 16)
	}
	return []byte(strings.Join(parts, " "))
}

// quoted takes a value in double quotes that begins at l[at]. It may hold
// quotes and newlines; avl, its length, tells where it ends, and where no quote
// stands there, the first line that ends in a quote, or the next bind.
func (p *parser) quoted(l []byte, at int) {
	p.out.Write(l[:at])
	v := bytes.Clone(l[at:])
	if n := p.bind.actual; n > 0 && n < longestValue && (p.bind.kind == 1 || p.bind.kind == 8 || p.bind.kind == 96) {
		if need := n + 1 - len(v); need > 0 {
			more, _ := p.br.Peek(need) // shorter at the end of the file
			if len(more) == need && more[need-1] == '"' {
				rest := make([]byte, need)
				_, _ = io.ReadFull(p.br, rest) // it was there a moment ago
				v = append(append(v, rest...), p.line()...)
			}
		}
		if len(v) > n && v[n] == '"' && afterTail.Match(v[n:]) {
			p.quotedValue(v[:n], v[n:])
			return
		}
	}
	for {
		if i := tailOf(v); i >= 0 {
			p.quotedValue(v[:i], v[i:])
			return
		}
		next := p.peekLine()
		if len(next) == 0 || len(v) > longest || endsBind(trimEnd(next)) {
			p.quotedValue(v, nil)
			return
		}
		v = append(v, p.line()...)
	}
}

// tailOf finds the closing quote of a value whose last line ends with it.
func tailOf(v []byte) int {
	from := bytes.LastIndexByte(bytes.TrimRight(v, "\r\n"), '\n') + 1
	for i := len(v) - 1; i >= from; i-- {
		if v[i] == '"' && afterTail.Match(v[i:]) {
			return i
		}
	}
	return -1
}

func endsBind(t []byte) bool {
	return isRecord(t) || bindHead.Match(t) || isBindFacts(t) && t[0] == ' ' || memoryTitle.Match(t) || has(t, "*** 2")
}

func (p *parser) quotedValue(v, tail []byte) {
	r := p.r
	switch {
	case p.learning:
		if r.what.Binds {
			r.learnValue(string(v))
			if bytes.ContainsRune(v, '\n') {
				for line := range bytes.Lines(v) {
					r.learnValue(string(trimEnd(line)))
				}
			}
		}
	case r.what.Binds:
		p.out.Write(r.token(v))
		r.count(1, 0)
	default:
		p.free(v)
	}
	if bytes.Contains(tail, []byte("Bind#")) {
		p.bind = bindState{}
	}
	p.out.Write(tail)
}
