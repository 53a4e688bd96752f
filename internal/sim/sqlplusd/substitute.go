package sqlplusd

import (
	"strings"

	"ringtrace/internal/sim/assume"
)

// substitute replaces substitution variables. It returns false when it gave
// up because no value could be had.
func (in *Interp) substitute(text string) (string, bool) {
	define := in.set.text("DEFINE")
	if define == "" || !strings.Contains(text, define) {
		return text, true
	}
	var b strings.Builder
	esc := in.set.text("ESCAPE")
	for i := 0; i < len(text); {
		if esc != "" && strings.HasPrefix(text[i:], esc) && strings.HasPrefix(text[i+len(esc):], define) {
			b.WriteString(define)
			i += len(esc) + len(define)
			continue
		}
		if !strings.HasPrefix(text[i:], define) {
			b.WriteByte(text[i])
			i++
			continue
		}
		j := i + len(define)
		keep := strings.HasPrefix(text[j:], define) // && keeps the value
		if keep {
			j += len(define)
		}
		name := variableName(text[j:])
		if name == "" {
			b.WriteString(text[i:j])
			i = j
			continue
		}
		i = j + len(name)
		if c := in.set.text("CONCAT"); c != "" && strings.HasPrefix(text[i:], c) {
			i += len(c)
		}
		value, ok := in.defines[strings.ToUpper(name)]
		if !ok {
			value = in.ask(name)
			if keep {
				in.defines[strings.ToUpper(name)] = value
			}
		}
		b.WriteString(value)
	}
	return b.String(), true
}

// ask prompts for an undefined variable and takes the next line of standard
// input, which on a pipe is the next line of the script
// (facts/views-and-sqlplus.md 3.5).
func (in *Interp) ask(name string) string {
	in.out.println("Enter value for " + strings.ToLower(name) + ": ")
	if !in.c.DB.Assume.On(assume.UndefinedSwallowsLine) {
		return ""
	}
	l, _ := in.base.read()
	return l
}

func variableName(s string) string {
	n := 0
	for n < len(s) {
		c := s[n]
		if c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			n++
			continue
		}
		break
	}
	return s[:n]
}
