package oradebug

import (
	"regexp"
	"strconv"
	"strings"
)

// The exact outputs are those of facts/oradebug.md 2.1; none of them is ever
// matched in part.
var (
	errorLine  = regexp.MustCompile(`^([A-Z][A-Z0-9]{1,3})-(\d{4,5}): ?(.*)$`)
	helpLine   = regexp.MustCompile(`^Help: https?://docs\.oracle\.com/error-help/`)
	headLine   = regexp.MustCompile(`^ERROR( at line \d+)?:$`)
	funcLine   = regexp.MustCompile(`^Function returned ([0-9A-Fa-f]{1,16})$`)
	varLine    = regexp.MustCompile(`^.+\[[0-9A-Fa-f]+, [0-9A-Fa-f]+\) = [0-9A-Fa-f]+( [0-9A-Fa-f]+)*$`)
	hangLine   = regexp.MustCompile(`^Hang Analysis in (.+)$`)
	stackLine  = regexp.MustCompile(`^[A-Za-z_$][\w$.@]*\(\)(\+\d+)?(<-[^<>]+)+$`)
	eventLine  = regexp.MustCompile(`^[A-Za-z_.$0-9]+( ?\[[^\]]*\]| (?i:trace name|level[ =]))`)
	eventName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z_.$0-9]*$`)
	pathLine   = regexp.MustCompile(`^(/|[A-Za-z]:[\\/]|\\\\)[^\x00-\x1f]*$`)
	promptText = regexp.MustCompile(`^(SQL> ?)+`)
)

const processed = "Statement processed."

// wrapWidth is SQL*Plus's default line size, at which it folds error lines.
const wrapWidth = 80

// ParseReply reads what sqlplus printed for one command. word is the command
// ("SETORAPID", in any letter case); it says which texts can be an answer at
// all. Without it only answers that speak for themselves are known. Prompts,
// blank lines and the `Help:` line of 23ai clients are dropped. What matches
// nothing is ReplyUnknown, never success: that is how a translated
// `Statement processed.` ends (facts/oradebug.md 0.1).
func ParseReply(word, output string) Reply {
	var r Reply
	r.Lines = replyLines(output)
	word = strings.ToUpper(word)
	if r.readErrors() {
		r.Kind = ReplyFailed
		return r
	}
	if len(r.Lines) == 0 {
		r.Kind = ReplyEmpty
		return r
	}
	if allProcessed(r.Lines) {
		r.Kind = ReplyProcessed
		return r
	}
	switch word {
	case "SETORAPID", "SETOSPID", "SETORAPNAME":
		r.readAttach()
	case "TRACEFILE_NAME":
		r.readPath()
	case "EVENTDUMP":
		r.readEvents()
	case "SHORT_STACK":
		r.readOne(stackLine, ReplyStack)
	case "CALL":
		r.readOne(funcLine, ReplyFunction)
	case "DUMPVAR":
		r.readAll(varLine, ReplyVariable)
	case "HANGANALYZE":
		r.readOne(hangLine, ReplyHang)
	case "HELP", "DOC", "DUMPLIST", "CURRENT_SQL", "PROCSTAT", "BUILDINFO", "PLSQL_STACK",
		"LKDEBUG", "IPC", "PEEK", "DUMPTYPE", "SHOW", "FFSTATUS", "TRANSLATE_ADDR", "DIRECT_ACCESS", "-R":
		r.Kind = ReplyText
	case "":
		r.readAny()
	}
	return r
}

func replyLines(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \t\r\n")
		text := promptText.ReplaceAllString(line, "")
		echo := text != line && isEcho(text)
		if text == "" || echo || helpLine.MatchString(text) {
			continue
		}
		out = append(out, text)
	}
	return out
}

// isEcho reports the command itself behind a prompt, as SET ECHO ON and spool
// files show it.
func isEcho(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return strings.EqualFold(word, "oradebug")
}

func allProcessed(lines []string) bool {
	for _, l := range lines {
		if l != processed {
			return false
		}
	}
	return true
}

// readErrors collects error lines and joins what SQL*Plus folded.
func (r *Reply) readErrors() bool {
	open := false
	width := 0
	for _, line := range r.Lines {
		if headLine.MatchString(line) {
			open = false
			continue
		}
		if m := errorLine.FindStringSubmatch(line); m != nil {
			code, _ := strconv.Atoi(m[2])
			r.Errors = append(r.Errors, ErrorLine{Prefix: m[1], Code: code, Text: m[3]})
			open, width = true, len(line)
			continue
		}
		if open {
			last := &r.Errors[len(r.Errors)-1]
			if width < wrapWidth { // folded between words; else within one
				last.Text += " "
			}
			last.Text += line
			width = len(line)
		}
	}
	return len(r.Errors) > 0
}

func (r *Reply) readOne(re *regexp.Regexp, kind ReplyKind) {
	if len(r.Lines) != 1 {
		joined := strings.Join(r.Lines, "")
		if kind != ReplyStack || !re.MatchString(joined) { // a long stack is folded
			return
		}
		r.Kind = kind
		return
	}
	m := re.FindStringSubmatch(r.Lines[0])
	if m == nil {
		return
	}
	r.Kind = kind
	switch kind {
	case ReplyFunction:
		r.Value = m[1]
	case ReplyHang:
		r.Path = m[1]
	}
}

func (r *Reply) readAll(re *regexp.Regexp, kind ReplyKind) {
	for _, l := range r.Lines {
		if !re.MatchString(l) {
			return
		}
	}
	r.Kind = kind
}

func (r *Reply) readAttach() {
	if a, ok := ParseAttach(r.Lines[0]); ok && len(r.Lines) == 1 {
		r.Attach, r.Kind = a, ReplyAttached
	}
}

// readPath takes one path; one longer than the line size is folded.
func (r *Reply) readPath() {
	for i, l := range r.Lines[:len(r.Lines)-1] {
		if len(l) < wrapWidth-1 || strings.Contains(r.Lines[i+1], " ") {
			return
		}
	}
	path := strings.Join(r.Lines, "")
	if pathLine.MatchString(path) {
		r.Path, r.Kind = path, ReplyTracefile
	}
}

// readEvents takes the lines of eventdump. A line whose names are newer than
// the catalogue is still an event if it has the shape of one; anything else
// makes the whole reply unknown.
func (r *Reply) readEvents() {
	var events []string
	for _, l := range r.Lines {
		if isEventLine(l) {
			events = append(events, l)
			continue
		}
		if n := len(events); n > 0 && len(events[n-1]) >= wrapWidth-1 {
			if _, err := ParseSpec(events[n-1] + l); err == nil {
				events[n-1] += l
				continue
			}
		}
		return
	}
	r.Events, r.Kind = events, ReplyEvents
}

// isEventLine also takes a name that no catalogue has (a patched alias, a newer
// release) before something that is an event's body.
func isEventLine(l string) bool {
	if _, err := ParseSpec(l); err == nil || eventLine.MatchString(l) {
		return true
	}
	name, rest, ok := strings.Cut(l, " ")
	if !ok || !eventName.MatchString(name) {
		return false
	}
	_, err := ParseSpec("942 " + rest)
	return err == nil
}

// readAny knows the answers that speak for themselves.
func (r *Reply) readAny() {
	r.readAttach()
	if r.Kind == ReplyUnknown {
		r.readOne(funcLine, ReplyFunction)
	}
	if r.Kind == ReplyUnknown {
		r.readOne(hangLine, ReplyHang)
	}
	if r.Kind == ReplyUnknown {
		r.readOne(stackLine, ReplyStack)
	}
	if r.Kind == ReplyUnknown && len(r.Lines) == 1 && strings.HasSuffix(r.Lines[0], ".trc") {
		r.readPath()
	}
	if r.Kind == ReplyUnknown {
		r.readAll(varLine, ReplyVariable)
	}
	if r.Kind == ReplyUnknown {
		r.readEvents()
	}
}

// HasError reports whether the reply holds the error ORA-code.
func (r *Reply) HasError(code int) bool {
	for _, e := range r.Errors {
		if e.Prefix == "ORA" && e.Code == code {
			return true
		}
	}
	return false
}

// Tolerated reports a reply whose only error is known to leave the command
// done: ORA-32522 for SETTRACEFILEID on another process, which sets the id all
// the same (facts/oradebug.md 0.8, 2.3).
func (r *Reply) Tolerated(word string) bool {
	if !strings.EqualFold(word, "SETTRACEFILEID") || len(r.Errors) == 0 {
		return false
	}
	for _, e := range r.Errors {
		if e.Prefix != "ORA" || e.Code != 32522 {
			return false
		}
	}
	return true
}

// String prints the line as Oracle does.
func (e ErrorLine) String() string {
	digits := 5
	if e.Prefix == "SP2" {
		digits = 4
	}
	code := strconv.Itoa(e.Code)
	if len(code) < digits {
		code = strings.Repeat("0", digits-len(code)) + code
	}
	return e.Prefix + "-" + code + ": " + e.Text
}
