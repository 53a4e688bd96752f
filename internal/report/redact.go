package report

import (
	"fmt"
	"strings"

	"ringtrace/tracefile"
)

// redactor takes out what must not be mailed: bind values leave their type and
// length, literals a placeholder, names a number that is the same throughout
// one report.
type redactor struct {
	what  Redact
	named map[string]string
}

func newRedactor(what Redact) *redactor { return &redactor{what: what, named: map[string]string{}} }

func (r *redactor) bind(v tracefile.BindValue) string {
	if !r.what.Binds || v.Null {
		return v.Literal()
	}
	return fmt.Sprintf("<%d bytes>", len(v.Text))
}

func (r *redactor) name(s string) string {
	if !r.what.Names || s == "" {
		return s
	}
	if n, ok := r.named[s]; ok {
		return n
	}
	n := fmt.Sprintf("name-%d", len(r.named)+1)
	r.named[s] = n
	return n
}

// sql replaces the string and number literals of a text.
func (r *redactor) sql(text string) string {
	if !r.what.Literals {
		return text
	}
	var out strings.Builder
	word := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			j := strings.IndexByte(text[i+1:], '\'')
			out.WriteString("'…'")
			if j < 0 {
				return out.String()
			}
			i += j + 1
			word = false
		case c >= '0' && c <= '9' && !word:
			for i+1 < len(text) && (text[i+1] >= '0' && text[i+1] <= '9' || text[i+1] == '.') {
				i++
			}
			out.WriteByte('0')
		default:
			out.WriteByte(c)
			word = c == '_' || c == '$' || c == '#' || c == ':' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
		}
	}
	return out.String()
}

// message redacts the literals of an error message, which may quote values.
func (r *redactor) message(s string) string {
	if r.what.Literals || r.what.Binds {
		return dropQuoted(s)
	}
	return s
}

// dropQuoted keeps the words of a message and drops what stands in quotes.
func dropQuoted(s string) string {
	for _, q := range []string{`"`, "'"} {
		parts := strings.Split(s, q)
		for i := 1; i < len(parts); i += 2 {
			parts[i] = "…"
		}
		s = strings.Join(parts, q)
	}
	return s
}
