package lint

import (
	"bytes"
	"path/filepath"
	"strings"

	"ringtrace/oradebug"
)

// Kind is what a file is, which decides which of its lines reach SQL*Plus.
type Kind uint8

// The kinds of file.
const (
	KindScript   Kind = iota // SQL*Plus reads every line
	KindShell                // here-documents reach SQL*Plus
	KindLog                  // a spool log: what follows a prompt
	KindMarkdown             // fenced code
	KindProse                // other text: only lines that can be nothing else
	KindTrace                // an Oracle trace file: no commands at all
)

// String returns a word for the kind.
func (k Kind) String() string {
	return [...]string{"script", "shell", "log", "markdown", "prose", "trace"}[k]
}

// DetectKind decides by name and content. Content wins where it is certain: a
// file full of `SQL>` prompts is a log, whatever its name.
func DetectKind(name string, src []byte) Kind {
	src = bytes.TrimPrefix(src, utf8BOM)
	ext := strings.ToLower(filepath.Ext(name))
	switch ext {
	case ".md", ".markdown":
		return KindMarkdown
	case ".trc", ".trm":
		return KindTrace
	}
	switch {
	case isTrace(src):
		return KindTrace
	case isShell(src):
		return KindShell
	case hasPrompt(src) && (ext != ".sql" || mostlyPrompts(src)):
		return KindLog
	}
	switch ext {
	case ".sh", ".ksh", ".bash", ".zsh", ".csh", ".profile", ".env":
		return KindShell
	case ".sql", ".pls", ".plb", ".pks", ".pkb", ".ddl", ".prc", ".fnc", ".trg", "":
		if ext == "" && looksLikeProse(name) {
			return KindProse
		}
		return KindScript
	case ".log", ".lst", ".out", ".spool":
		// A spool file without prompts holds what a script printed, or is a
		// spooled script itself.
		return KindScript
	}
	if mostlyCommands(src) {
		return KindScript
	}
	return KindProse
}

// mostlyCommands says whether two thirds of the first lines are what SQL*Plus
// knows: scripts are kept under all kinds of names.
func mostlyCommands(src []byte) bool {
	const enough = 200
	known, lines := 0, 0
	raw := rawLines{src: src}
	for l := (line{}); lines < enough && raw.next(&l); {
		b := l.text[skipBlanks(l.text, 0):]
		if len(b) == 0 {
			continue
		}
		lines++
		switch k, end := classify(b, 0); {
		case bytes.HasPrefix(b, []byte("--")):
			known++
		case k == classOradebug:
			if _, err := oradebug.ParseCommand(string(b)); err == nil {
				known++
			}
		case k != classUnknown && end < len(b) && b[end] != ':' && b[end] != '=' && b[end] != '(':
			known++
		case k != classUnknown && end == len(b):
			known++
		}
	}
	return known > 0 && known*3 >= lines*2
}

var utf8BOM = []byte("\xef\xbb\xbf")

func looksLikeProse(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "changelog") ||
		strings.HasPrefix(base, "license") || strings.HasPrefix(base, "notice")
}

func isTrace(src []byte) bool {
	return bytes.HasPrefix(src, []byte("Trace file /")) || bytes.HasPrefix(src, []byte("Dump file /"))
}

// isShell looks at the first line: #! with a shell, or the ":" that old
// scripts begin with.
func isShell(src []byte) bool {
	first := src
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		first = src[:i]
	}
	first = trimRight(first)
	if len(first) == 1 && first[0] == ':' {
		return true
	}
	return bytes.HasPrefix(first, []byte("#!")) && bytes.Contains(first, []byte("sh"))
}

// hasPrompt says whether some line begins with a SQL*Plus prompt.
func hasPrompt(src []byte) bool {
	for rest := src; ; {
		i := bytes.Index(rest, []byte("> "))
		if i < 0 {
			// `SQL>oradebug …` without the blank.
			return bytes.HasPrefix(src, []byte("SQL>")) || bytes.Contains(src, []byte("\nSQL>"))
		}
		start := bytes.LastIndexByte(rest[:i], '\n') + 1
		if _, ok := promptEnd(rest[start : i+2]); ok || anyPromptBeforeOradebug(rest[start:min(len(rest), i+20)]) > 0 {
			return true
		}
		end := bytes.IndexByte(rest[i:], '\n')
		if end < 0 {
			return false
		}
		rest = rest[i+end+1:]
	}
}

// mostlyPrompts says whether more lines begin with a prompt than with a word
// that SQL*Plus knows: a script may show a dialogue in a comment.
func mostlyPrompts(src []byte) bool {
	prompts, known := 0, 0
	raw := rawLines{src: src}
	for l := (line{}); raw.next(&l); {
		if _, ok := promptEnd(l.text); ok || anyPromptBeforeOradebug(l.text) > 0 {
			prompts++
			continue
		}
		i := skipBlanks(l.text, 0)
		if k, _ := classify(l.text, i); k != classUnknown || bytes.HasPrefix(l.text[i:], []byte("--")) {
			known++
		}
	}
	return prompts > known
}

// promptEnd finds the end of a prompt such as `SQL> `, `SYS@orcl> `,
// `10:23:45 SQL> ` or `/pdb1 AS SYSDBA> ` at the beginning of a line.
func promptEnd(b []byte) (int, bool) {
	if len(b) > 120 {
		b = b[:120]
	}
	i := bytes.IndexByte(b, '>')
	if i <= 0 {
		return 0, false
	}
	p := b[:i]
	if bytes.HasPrefix(p, []byte("--")) || bytes.HasPrefix(p, []byte("/*")) || p[0] == '#' || foldPrefix(p, "rem ") {
		return 0, false
	}
	tail := p[max(0, len(p)-3):]
	named := foldEqual(tail, "sql") && (len(p) == 3 || !isWord(p[len(p)-4])) || foldIndex(p, "as sysdba") >= 0 || promptAt(p)
	if !named || bytes.ContainsAny(p, "<'\"=;|") {
		return 0, false
	}
	i++
	if i < len(b) && b[i] == ' ' {
		i++
	}
	return i, true
}

// promptAt says whether p looks like user@database, the other usual prompt.
func promptAt(p []byte) bool {
	i := bytes.IndexByte(p, '@')
	if i <= 0 || i == len(p)-1 || bytes.IndexByte(p, ' ') >= 0 {
		return false
	}
	return isWord(p[i-1]) && isWord(p[i+1])
}
