package templates

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// Error is what is wrong with a user's template, and where. Column counts
// bytes from 1; it is 0 where the library does not say and the text cannot be
// found again.
type Error struct {
	Name         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	pos := e.Name
	if e.Line > 0 {
		pos += ":" + strconv.Itoa(e.Line)
	}
	if e.Column > 0 {
		pos += ":" + strconv.Itoa(e.Column)
	}
	return pos + ": " + e.Message
}

// What text/template and its parser say, taken apart.
var (
	withColumn = regexp.MustCompile(`(?s)^template: (.*?):(\d+):(\d+): (.*)$`)
	lineOnly   = regexp.MustCompile(`(?s)^template: (.*?):(\d+): (.*)$`)
	executing  = regexp.MustCompile(`(?s)^executing ".*?" at <(.*?)>: (.*)$`)
	noField    = regexp.MustCompile(`^can't evaluate field (\w+) in type (.*)$`)
	noFunction = regexp.MustCompile(`^function "(\w+)" not defined$`)
	noTemplate = regexp.MustCompile(`^template "?(.*?)"? not defined$`)
	quotedWord = regexp.MustCompile(`"([^"]+)"|<([^>]+)>`)
)

// explain turns an error of text/template into an *Error; text is the
// template's own text, used to find the column that a parse error lacks.
func explain(name, text string, err error) *Error {
	e := &Error{Name: name, Message: strings.TrimPrefix(err.Error(), "template: ")}
	switch m := withColumn.FindStringSubmatch(err.Error()); {
	case m != nil:
		e.Name, e.Line, e.Column, e.Message = m[1], number(m[2]), number(m[3])+1, m[4]
	default:
		if m := lineOnly.FindStringSubmatch(err.Error()); m != nil {
			e.Name, e.Line, e.Message = m[1], number(m[2]), m[3]
			if e.Name == name {
				e.Column = column(text, e.Line, e.Message)
			}
		}
	}
	if m := executing.FindStringSubmatch(e.Message); m != nil {
		e.Message = m[2]
		if f := noField.FindStringSubmatch(m[2]); f != nil {
			e.Message = fmt.Sprintf("there is no field %s here (%s)", f[1], m[1])
		}
	}
	return e
}

// column finds what a parse error complains of in its line: the word that the
// message quotes, else the action that the line holds.
func column(text string, line int, message string) int {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return 0
	}
	l := lines[line-1]
	for _, m := range quotedWord.FindAllStringSubmatch(message, -1) {
		word := m[1] + m[2]
		from := strings.Index(l, "{{")
		if from < 0 {
			from = 0
		}
		if i := strings.Index(l[from:], word); i >= 0 {
			return from + i + 1
		}
	}
	if i := strings.Index(l, "{{"); i >= 0 {
		return i + 1
	}
	return 1
}

// hint says what to type instead, where the message shows what was meant.
func hint(e *Error) string {
	const see = "docs/templates.md lists fields, functions and pieces; `ringtrace templates show guarded_enable` is one that works"
	if m := noFunction.FindStringSubmatch(e.Message); m != nil {
		if like := closest(m[1], FuncNames()); like != "" {
			return "did you mean " + like + "? " + see
		}
		return "only these functions exist: " + strings.Join(FuncNames(), " ")
	}
	if m := noTemplate.FindStringSubmatch(e.Message); m != nil {
		return "the shared pieces are: " + strings.Join(PieceNames(), " ")
	}
	return see
}

// closest returns the candidate that word most likely means: the same but for
// letter case and one edit in every three letters; empty if there is none.
func closest(word string, candidates []string) string {
	best, at := "", max(2, len(word)/3+1)
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < at && d < len(word) {
			best, at = c, d
		}
	}
	return best
}

// distance is the number of single-byte edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // digits by the pattern
	return n
}

func refuse(code exit.Code, e *Error) error { return exit.Errorf(code, hint(e), "%w", e) }
