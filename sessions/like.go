package sessions

import (
	"strings"
	"unicode/utf8"
)

// A LIKE pattern as people type it: % is any run of characters, _ is one
// character, and a backslash takes the next %, _ or backslash literally. A
// backslash before anything else is itself (DOMAIN\user needs no doubling);
// Oracle would raise ORA-01424 there, so patterns are always rewritten before
// they are sent.

// likeTok is a literal character, or any (%) or one (_).
type likeTok struct {
	r    rune
	kind likeKind
}

type likeKind uint8

const (
	likeLiteral likeKind = iota
	likeAny
	likeOne
)

func parseLike(p string) []likeTok {
	toks := make([]likeTok, 0, len(p))
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRuneInString(p[i:])
		i += n
		switch r {
		case '%':
			toks = append(toks, likeTok{kind: likeAny})
		case '_':
			toks = append(toks, likeTok{kind: likeOne})
		case '\\':
			if i < len(p) && strings.IndexByte(`%_\`, p[i]) >= 0 {
				r = rune(p[i])
				i++
			}
			toks = append(toks, likeTok{r: r})
		default:
			toks = append(toks, likeTok{r: r})
		}
	}
	return toks
}

// likeForOracle rewrites a typed pattern so that it is valid with
// LIKE … ESCAPE '\'.
func likeForOracle(p string) string {
	var b strings.Builder
	for _, t := range parseLike(p) {
		switch {
		case t.kind == likeAny:
			b.WriteByte('%')
		case t.kind == likeOne:
			b.WriteByte('_')
		case t.r == '%' || t.r == '_' || t.r == '\\':
			b.WriteByte('\\')
			b.WriteRune(t.r)
		default:
			b.WriteRune(t.r)
		}
	}
	return b.String()
}

// likeMatch matches in O(len(pattern) * len(text)) at worst.
func likeMatch(pat []likeTok, text string) bool {
	s := []rune(text)
	p, i := 0, 0
	star, mark := -1, 0
	for i < len(s) {
		switch {
		case p < len(pat) && pat[p].kind == likeAny:
			star, mark = p, i
			p++
		case p < len(pat) && (pat[p].kind == likeOne || pat[p].r == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pat) && pat[p].kind == likeAny {
		p++
	}
	return p == len(pat)
}
