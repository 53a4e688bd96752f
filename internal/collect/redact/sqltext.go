package redact

import "bytes"

// sql replaces the literals of a SQL text in place: strings of any quoting,
// numbers, and comments other than hints, which can hold values as well. With
// only nil, all of them; else those that it accepts. learn is told every
// literal.
func (r *Redactor) sql(text []byte, only func([]byte) bool, learn func([]byte)) {
	put := func(lo, hi int) {
		if lo >= hi {
			return
		}
		learn(text[lo:hi])
		if only == nil || only(text[lo:hi]) {
			copy(text[lo:hi], r.token(text[lo:hi]))
			r.count(1, 0)
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\'':
			lo, hi, next := stringLiteral(text, i)
			put(lo, hi)
			i = next
		case c == '"':
			i = skipTo(text, i+1, `"`)
		case bytes.HasPrefix(text[i:], []byte("/*")):
			next := skipTo(text, i+2, "*/")
			if i+2 < len(text) && text[i+2] != '+' {
				put(i+2, max(i+2, next-2))
			}
			i = next
		case bytes.HasPrefix(text[i:], []byte("--")):
			next := skipTo(text, i+2, "\n")
			if i+2 < len(text) && text[i+2] != '+' {
				put(i+2, next)
			}
			i = next
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			next := i + 1
			for next < len(text) && (word(text[next]) || text[next] == '.') {
				next++
			}
			put(i, next)
			i = next
		case word(c) || c == ':' || c >= 0x80:
			next := i + 1
			for next < len(text) && (word(text[next]) || text[next] >= 0x80) {
				next++
			}
			i = next
			if isQ(text, i) {
				lo, hi, end := qLiteral(text, i)
				put(lo, hi)
				i = end
			}
		default:
			i++
		}
	}
}

// isQ reports whether the word that ends at i is q or nq, with a quote behind.
func isQ(text []byte, i int) bool {
	if i >= len(text) || text[i] != '\'' || text[i-1]|0x20 != 'q' {
		return false
	}
	return i == 1 || !word(text[i-2]) || text[i-2]|0x20 == 'n' && (i == 2 || !word(text[i-3]))
}

// qLiteral finds the ends of q'[…]', of which text[i] is the first quote.
func qLiteral(text []byte, i int) (lo, hi, next int) {
	if i+1 >= len(text) {
		return i, i, i + 1
	}
	end := text[i+1]
	if p := bytes.IndexByte([]byte("[({<"), end); p >= 0 {
		end = "])}>"[p]
	}
	lo = i + 2
	if lo > len(text) {
		return lo - 1, lo - 1, len(text)
	}
	if k := bytes.Index(text[lo:], []byte{end, '\''}); k >= 0 {
		return lo, lo + k, lo + k + 2
	}
	return lo, len(text), len(text)
}

// stringLiteral finds the ends of a string whose first quote is text[i].
func stringLiteral(text []byte, i int) (lo, hi, next int) {
	for j := i + 1; j < len(text); j++ {
		if text[j] != '\'' {
			continue
		}
		if j+1 < len(text) && text[j+1] == '\'' {
			j++
			continue
		}
		return i + 1, j, j + 1
	}
	return i + 1, len(text), len(text)
}

func skipTo(text []byte, i int, end string) int {
	if i > len(text) {
		return len(text)
	}
	if k := bytes.Index(text[i:], []byte(end)); k >= 0 {
		return i + k + len(end)
	}
	return len(text)
}
