package styles

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// literal writes text as an Oracle string expression in plain ASCII that no
// SQL*Plus setting can change: quotes are doubled, and whatever is not printable
// ASCII, starts a substitution (`&` and the script's own character) or could
// stand alone on a line goes through UNISTR, as text of the database character
// set.
func literal(text string, define byte) string {
	plain := true
	for _, r := range text {
		if r < ' ' || r > '~' || r == '&' || r == rune(define) || r == '\\' {
			plain = false
		}
	}
	if plain {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteString("to_char(unistr('")
	for _, r := range text {
		switch {
		case r == '\'':
			b.WriteString("''")
		case r < ' ' || r > '~' || r == '&' || r == rune(define) || r == '\\':
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\%04X`, u)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString("'))")
	return b.String()
}

// condition writes a selector with literals, an alternative a line, so that
// many of them do not make one line too long.
func condition(sel *sessions.Selector, inst, conName string, define byte) string {
	// The values come in last: whatever they hold, only our own "or" is broken.
	var values []string
	text := sel.Where(inst, conName, func(v any) string {
		if n, ok := v.(int); ok {
			return strconv.Itoa(n)
		}
		values = append(values, literal(fmt.Sprint(v), define))
		return "\x00"
	})
	text = strings.ReplaceAll(text, " or ", "\n        or ")
	for _, v := range values {
		text = strings.Replace(text, "\x00", v, 1)
	}
	return text
}

// maxIdentifier is the longest name, in bytes (12.2+; 30 before)
// (facts/views-and-sqlplus.md 1).
const maxIdentifier = 128

// quoted writes a user name as a quoted identifier. What cannot stand there in
// plain ASCII is refused: a script cannot name it.
func quoted(name string) (string, error) {
	bad := func(why string) error {
		return exit.Errorf(exit.Usage, "use --style generator or guarded for its sessions", "user %q cannot be named in a trigger: %s", name, why)
	}
	switch {
	case name == "":
		return "", bad("it is empty")
	case len(name) > maxIdentifier:
		return "", bad(fmt.Sprintf("it is longer than %d bytes", maxIdentifier))
	}
	for _, r := range name {
		if r < ' ' || r > '~' || r == '"' {
			return "", bad("it holds a character that is not printable ASCII, or a double quote")
		}
	}
	return `"` + name + `"`, nil
}

// concat turns a line with {placeholders} into an Oracle expression that
// prints it: `oradebug setorapid {pid}` becomes 'oradebug setorapid ' || b.pid.
func concat(line string) string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, "'"+strings.ReplaceAll(text, "'", "''")+"'")
		}
	}
	for line != "" {
		open := strings.IndexByte(line, '{')
		if open < 0 {
			add(line)
			break
		}
		end := strings.IndexByte(line[open:], '}') + open
		add(line[:open])
		parts = append(parts, "b."+line[open+1:end])
		line = line[end+1:]
	}
	return strings.Join(parts, " || ")
}
