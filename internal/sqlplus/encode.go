package sqlplus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Rows as they are printed. Every row is one text:
//
//	~r|+3:APP|-|+11:SQL^Plus\n\p|~
//
// with a field per column, "-" for NULL or "+", the value's length in
// characters, ":" and the value, in which what SQL*Plus or the separator could
// spoil is replaced. A blank becomes ^, so that nothing can be trimmed. The
// last line of an answer is ~e|~: without it the query did not come to its end.
const (
	rowMark   = "~r|"
	pieceMark = "~q|"
	endMark   = "~e|"
	lastMark  = "|~"
)

// spoilt lists what is replaced in a value: SQL expression of the character and
// what stands for it. The backslash is first, the blank last.
var spoilt = [...]struct{ sql, char, stands string }{
	{`'\'`, `\`, `\\`},
	{`'^'`, `^`, `\c`},
	{`'|'`, `|`, `\p`},
	{`chr(10)`, "\n", `\n`},
	{`chr(13)`, "\r", `\r`},
	{`chr(9)`, "\t", `\t`},
	{`chr(0)`, "\x00", `\0`},
	{`' '`, ` `, `^`},
}

// guarded is the SQL expression of a value in its printed form.
func guarded(expr string) string {
	for _, c := range spoilt {
		expr = "replace(" + expr + "," + c.sql + ",'" + c.stands + "')"
	}
	return expr
}

// unguard reads the printed form of a value.
func unguard(s string) (string, error) {
	if !strings.ContainsAny(s, `\^`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '^':
			b.WriteByte(' ')
		case s[i] != '\\':
			b.WriteByte(s[i])
		case i+1 == len(s):
			return "", errors.New("it ends in the middle of an escape")
		default:
			i++
			at := strings.IndexByte(`\cpnrt0`, s[i])
			if at < 0 {
				return "", fmt.Errorf("it holds the unknown escape \\%c", s[i])
			}
			b.WriteByte("\\^|\n\r\t\x00"[at])
		}
	}
	return b.String(), nil
}

// errShort says that a value is not as long as it should be: it was cut or
// refused on its way.
var errShort = errors.New("a value is not complete")

// sized checks a value against its length, in characters; a database whose
// character set stores large code points as two counts them so.
func sized(s string, want int) error {
	have := utf8.RuneCountInString(s)
	for _, r := range s {
		if have == want {
			break
		}
		if r > 0xffff {
			have++
		}
	}
	if have != want {
		return fmt.Errorf("%w: %d of %d characters", errShort, have, want)
	}
	return nil
}

// field reads one field of a row; ok is false for NULL.
func field(s string) (value string, ok bool, err error) {
	if s == "-" {
		return "", false, nil
	}
	size, body, found := strings.Cut(s, ":")
	n, err := strconv.Atoi(strings.TrimPrefix(size, "+"))
	if !found || !strings.HasPrefix(s, "+") || err != nil {
		return "", false, fmt.Errorf("the field %q was not understood", cut(s))
	}
	if value, err = unguard(body); err != nil {
		return "", false, fmt.Errorf("the field %q: %w", cut(s), err)
	}
	return value, true, sized(value, n)
}

func cut(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// records puts lines together to what one row of the wrapping statement
// printed, up to the end mark. A record is folded at LINESIZE if a SQL*Plus
// has a smaller one. complete tells whether the end mark was among them.
func records(lines []string) (list []string, rest []string, complete bool) {
	open := ""
	for _, l := range lines {
		switch {
		case open != "":
			open += l
		case strings.HasPrefix(l, rowMark), strings.HasPrefix(l, pieceMark), strings.HasPrefix(l, endMark[:2]):
			open = l
		default:
			rest = append(rest, l)
			continue
		}
		if !strings.HasSuffix(open, lastMark) {
			continue
		}
		if open == endMark+"~" {
			complete = true
		} else {
			list = append(list, open)
		}
		open = ""
	}
	if open != "" {
		complete = false
	}
	return list, rest, complete
}

// tags tell dates from text: the words that the session's NLS formats begin
// with.
type tags struct{ date, timestamp, zoned string }

func (c *Conversation) tags() tags {
	n := c.nonce[:min(8, len(c.nonce))]
	return tags{"~d" + n + " ", "~t" + n + " ", "~z" + n + " "}
}

// settings are the ALTER SESSION commands behind the tags. Text in double
// quotes stands in a format as it is, and conversions in both directions heed
// it.
func (t tags) settings() []string {
	return []string{
		`alter session set nls_date_format = '"` + t.date + `"YYYY-MM-DD HH24:MI:SS'`,
		`alter session set nls_timestamp_format = '"` + t.timestamp + `"YYYY-MM-DD HH24:MI:SS.FF9'`,
		`alter session set nls_timestamp_tz_format = '"` + t.zoned + `"YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM'`,
	}
}

// typed turns a tagged text into a time. A DATE has no zone: its digits are
// given as UTC.
func (t tags) typed(s string) any {
	for _, f := range [...]struct{ tag, layout string }{
		{t.date, "2006-01-02 15:04:05"},
		{t.timestamp, "2006-01-02 15:04:05.999999999"},
		{t.zoned, "2006-01-02 15:04:05.999999999 -07:00"},
	} {
		if rest, ok := strings.CutPrefix(s, f.tag); ok {
			if at, err := time.Parse(f.layout, rest); err == nil {
				return at
			}
			return rest
		}
	}
	return s
}
