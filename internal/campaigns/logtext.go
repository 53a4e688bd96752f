package campaigns

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"ringtrace/internal/exit"
)

// logLine is one line of a log, made plain.
type logLine struct {
	n    int // from 1
	text string
}

// help matches what 23ai clients print behind errors
// (facts/views-and-sqlplus.md 3.4).
var helpLine = regexp.MustCompile(`^\s*Help: https://docs\.oracle\.com/error-help/\S*\s*$`)

// logLines makes a log plain: no byte order mark, no CR, no trailing blanks, no
// SQL*Plus prompt in front (a log cut out of a terminal), no Help: lines.
func logLines(path string, b []byte) ([]logLine, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(b, []byte{0xff, 0xfe}) || bytes.HasPrefix(b, []byte{0xfe, 0xff}) {
		return nil, exit.Errorf(exit.Failed, "save it as plain text (UTF-8), or take the log that SQL*Plus wrote itself", "%s:1: the file is UTF-16", path)
	}
	var out []logLine
	n := 0
	for len(b) > 0 {
		n++
		var raw []byte
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			raw, b = b[:i], b[i+1:]
		} else {
			raw, b = b, nil
		}
		text := strings.TrimRight(string(raw), " \t\r\x00")
		for {
			rest, ok := strings.CutPrefix(text, "SQL>")
			if !ok {
				break
			}
			text = strings.TrimLeft(rest, " ")
		}
		if text == "" || helpLine.MatchString(text) {
			continue
		}
		if !utf8.ValidString(text) {
			// A message in the database's own character set; only its digits matter.
			text = strings.ToValidUTF8(text, "?")
		}
		out = append(out, logLine{n, text})
	}
	return out, nil
}

// errorLine matches answers that are errors; their numbers are the same in
// every language.
var errorLine = regexp.MustCompile(`^\s*((?:ORA|SP2)-\d{4,5})\b`)

// attachReply matches `Oracle pid: 38, Unix process pid: 52490, image: …`
// (facts/oradebug.md 2.1), also with NID, for Windows threads, and translated:
// what counts is the form, two numbers behind colons.
var attachReply = regexp.MustCompile(`^\s*[^:：\d]{1,60}[:：]\s*(\d{1,9})\s*[,，、]\s*[^:：\d]{1,60}[:：]\s*(\d{1,19})\s*[,，、]`)

// attachStart is a reply that a narrow terminal may have wrapped.
var attachStart = regexp.MustCompile(`^\s*Oracle pid: ?\d`)

// cursor walks over the lines of a log and can put wrapped ones together.
type cursor struct {
	path  string
	lines []logLine
	at    int
}

func (c *cursor) done() bool { return c.at >= len(c.lines) }

func (c *cursor) line() logLine { return c.lines[c.at] }

// maxWrap is over how many lines a marker may have been wrapped.
const maxWrap = 4

// joined matches re against the current line, or against it and the next ones
// put together as a terminal wraps them. It returns the match and how many
// lines it took.
func (c *cursor) joined(re *regexp.Regexp) ([]string, int) {
	text := c.lines[c.at].text
	for n := 1; ; n++ {
		if m := re.FindStringSubmatch(text); m != nil {
			return m, n
		}
		if n == maxWrap || c.at+n >= len(c.lines) {
			return nil, 0
		}
		next := c.lines[c.at+n].text
		// A wrap loses the blank it stands on: try with it, too.
		if m := re.FindStringSubmatch(text + " " + next); m != nil {
			return m, n + 1
		}
		text += next
	}
}
