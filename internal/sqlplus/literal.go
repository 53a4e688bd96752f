package sqlplus

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Literal writes a text as a SQL literal that survives SQL*Plus: printable
// characters in quotes of at most 400 bytes, control characters as CHR. A NUL
// byte in the result separates pieces between which a line may end; it is
// taken out before anything is sent. Oracle's literal ” is NULL, as a bind of
// an empty text is.
func Literal(s string) (string, error) {
	if isPlain(s) { // most are, and an identity query has many
		return "'" + s + "'", nil
	}
	if !utf8.ValidString(s) {
		return "", errors.New("the text is not valid UTF-8")
	}
	if len(s) > maxLiteral {
		return "", fmt.Errorf("the text has %d bytes, and a literal holds %d", len(s), maxLiteral)
	}
	var parts []string
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			parts = append(parts, "'"+run.String()+"'")
			run.Reset()
		}
	}
	for _, r := range s {
		switch {
		case r < ' ' || r == 0x7f:
			flush()
			parts = append(parts, "chr("+strconv.Itoa(int(r))+")")
			continue
		case r == '\'':
			run.WriteByte('\'')
		}
		run.WriteRune(r)
		if run.Len() >= maxQuoted {
			flush()
		}
	}
	flush()
	switch len(parts) {
	case 0:
		return "''", nil
	case 1:
		if parts[0][0] == '\'' {
			return parts[0], nil
		}
	}
	return "(" + strings.Join(parts, "||\x00") + ")", nil
}

// maxQuoted is how many bytes stand between two quotes at most.
const maxQuoted = 400

// isPlain reports a text of one piece without anything to be written otherwise.
func isPlain(s string) bool {
	if len(s) >= maxQuoted {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '\'' {
			return false
		}
	}
	return true
}

// maxLiteral is what a VARCHAR2 holds in SQL, in bytes.
const maxLiteral = 4000

// quote is a short literal of our own.
func quote(s string) string {
	return "'" + strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s), "'", "''") + "'"
}

// literalOf writes an argument of a statement, in pieces between which a line
// may end. A time is a DATE of its digits, without a zone.
func literalOf(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return []string{"null"}, nil
	case string:
		s, err := Literal(v)
		return strings.Split(s, "\x00"), err
	case int64:
		// In parentheses, because a minus may stand before it.
		if v < 0 {
			return []string{"(" + strconv.FormatInt(v, 10) + ")"}, nil
		}
		return []string{strconv.FormatInt(v, 10)}, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is not a number that Oracle knows", v)
		}
		return []string{"(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"}, nil
	case bool:
		if v {
			return []string{"1"}, nil
		}
		return []string{"0"}, nil
	case []byte:
		if len(v) > maxLiteral/2 {
			return nil, fmt.Errorf("%d bytes are more than a RAW literal holds", len(v))
		}
		var parts []string
		for h := hex.EncodeToString(v); h != ""; {
			n := min(800, len(h))
			parts = append(parts, "'"+h[:n]+"'")
			h = h[n:]
		}
		if parts == nil {
			return []string{"null"}, nil
		}
		s := "hextoraw(" + strings.Join(parts, "||\x00") + ")"
		return strings.Split(s, "\x00"), nil
	case time.Time:
		if y := v.Year(); y < 1 || y > 9999 {
			return nil, fmt.Errorf("the year %d is outside 1 to 9999", y)
		}
		return []string{"to_date('" + v.Format("2006-01-02 15:04:05") + "','YYYY-MM-DD HH24:MI:SS')"}, nil
	}
	return nil, fmt.Errorf("a %T cannot be an argument", v)
}
