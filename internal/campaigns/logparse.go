package campaigns

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// The lines that the guarded scripts print (templates/guarded_enable.tmpl).
// They are anchored on both ends, so that a wrapped one shows.
var (
	headMark  = regexp.MustCompile(`^ringtrace: log of (\S+) campaign=(\S+) inst=(\d+) part=(\d+)/(\d+) sessions=(\d+)$`)
	guardMark = regexp.MustCompile(`^ringtrace: guard (.+)$`)
	blockMark = regexp.MustCompile(`^(\d+)/(\d+) (` + labelForm + `)$`)
	stateMark = regexp.MustCompile(`^ringtrace: ([A-Z_]+) (\d+)/(\d+) (` + labelForm + `)$`)
	partMark  = regexp.MustCompile(`^ringtrace: (before session|before process|after session|after process|tracefile)$`)
	ownMark   = regexp.MustCompile(`^ringtrace: own session$`)
	endMark   = regexp.MustCompile(`^ringtrace: end of (\S+)$`)
	// The enable script selects one word, the disable script two on one line:
	// for the session and for the ring.
	proofAnswer = regexp.MustCompile(`^\s*(session_event|help)(?:\s+(?:session_event|help))?\s*$`)
	openHead    = regexp.MustCompile(`^ringtrace: |^\d+/\d+ inst=`)
)

const labelForm = `inst=\d+ sid=\d+ serial=\d+ orapid=\d+ pserial=\d+(?: ospid=[0-9A-Fa-f]+)?`

// What a log may hold that a script spooled: runs in a file, lines of an
// answer to EVENTDUMP, bytes of a path. More is damage or made to cost time.
const (
	maxRuns = 200
	maxDump = 5000
	maxPath = 4096
)

// section is the log of one run of one script.
type section struct {
	path      string
	line      int // of its first line
	script    string
	campaign  string
	inst      int
	part, of  int
	sessions  int
	stop      string // what the guard said instead of passed
	blocks    []*block
	ended     bool // the line "end of" is there
	ownErrors []string
}

// block is what a log shows of one session.
type block struct {
	n, of   int
	label   string
	line    int
	errors  []answer // ORA- and SP2- lines in order
	attach  *attach
	proof   string // session_event or help: the first query's answer
	outcome string // ARMED, SKIPPED, MOVED; DISARMED, RING_ONLY, GONE
	dumps   map[string][]string
	trace   string
}

// answer is an error in a block and where it stood.
type answer struct {
	code, text string
	line       int
	where      string // attach, the name of a part, or set
}

// attach is the reply to setorapid.
type attach struct{ orapid, pid string }

// parseLog reads a log, which may hold the logs of several runs one after the
// other. A line that contradicts the form is an error with its line.
func parseLog(path string, b []byte) ([]*section, error) {
	lines, err := logLines(path, b)
	if err != nil {
		return nil, err
	}
	c := &cursor{path: path, lines: lines}
	p := &parser{cursor: c}
	for !c.done() {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	for _, s := range p.sections {
		if s.ended && len(s.blocks) != s.sessions {
			return nil, p.fail(s.line, tamperedHint, "the log of %s has its end, but %d of %d blocks", s.script, len(s.blocks), s.sessions)
		}
	}
	if len(p.sections) == 0 {
		return nil, exit.Errorf(exit.Failed, "give the log that the enable script spooled (enable_<inst>_<time>.log)",
			"%s: not the log of a guarded script: no line `ringtrace: log of …`", path)
	}
	return p.sections, nil
}

type parser struct {
	*cursor
	sections []*section
	sec      *section
	blk      *block
	where    string
}

func (p *parser) fail(line int, hint, format string, args ...any) error {
	return exit.Errorf(exit.Failed, hint, "%s:%d: %s", p.path, line, fmt.Sprintf(format, args...))
}

const tamperedHint = "take the log as SQL*Plus spooled it; if it was edited, nobody can tell what the script did: run its disable script instead"

// step takes one marker or one line of an answer.
func (p *parser) step() error {
	l := p.line()
	if !openHead.MatchString(l.text) {
		if p.sec == nil || p.sec.ended {
			p.at++ // a banner, or talk behind the end
			return nil
		}
		return p.answer(l)
	}
	if m, n := p.joined(headMark); m != nil {
		p.at += n
		return p.begin(l, m)
	}
	if p.sec == nil {
		return p.fail(l.n, "give the whole log, from its first line", "%q stands before the line `ringtrace: log of …`", clip(l.text))
	}
	if m := guardMark.FindStringSubmatch(l.text); m != nil {
		p.at++
		if p.sec.stop == "" && m[1] != "passed" {
			p.sec.stop = m[1]
		}
		return nil
	}
	if m, n := p.joined(blockMark); m != nil {
		p.at += n
		return p.beginBlock(l, m)
	}
	if m, n := p.joined(stateMark); m != nil {
		p.at += n
		return p.endBlock(l, m)
	}
	if m := partMark.FindStringSubmatch(l.text); m != nil {
		p.at++
		p.where = m[1]
		if p.blk == nil {
			return p.fail(l.n, tamperedHint, "%q stands outside a block", l.text)
		}
		return nil
	}
	if ownMark.MatchString(l.text) {
		p.at++
		p.blk, p.where = nil, "own"
		return nil
	}
	if m, n := p.joined(endMark); m != nil {
		p.at += n
		if m[1] != p.sec.script {
			return p.fail(l.n, tamperedHint, "end of %s in the log of %s", m[1], p.sec.script)
		}
		p.sec.ended, p.blk = true, nil
		return nil
	}
	if strings.HasPrefix(l.text, "ringtrace: the undo is ") || strings.HasPrefix(l.text, "ringtrace: the next part is ") {
		p.at++
		return nil
	}
	if p.at >= len(p.lines)-maxWrap {
		p.at = len(p.lines) // cut in the middle of a marker: the log ends here
		return nil
	}
	return p.fail(l.n, tamperedHint, "unknown line %q", clip(l.text))
}

func (p *parser) begin(l logLine, m []string) error {
	nums := make([]int, 4)
	for i := range nums {
		n, err := strconv.Atoi(m[i+3])
		if err != nil {
			return p.fail(l.n, tamperedHint, "number %q is out of range", m[i+3])
		}
		nums[i] = n
	}
	if strings.HasPrefix(m[1], "collect_") {
		return p.fail(l.n, "leave it out; import takes the logs of enable and disable scripts", "the log is of the collect script %s", m[1])
	}
	if len(p.sections) == maxRuns {
		return p.fail(l.n, "cut the file into one log a run", "more than %d runs in one file", maxRuns)
	}
	p.sec = &section{path: p.path, line: l.n, script: m[1], campaign: m[2], inst: nums[0], part: nums[1], of: nums[2], sessions: nums[3]}
	p.sections = append(p.sections, p.sec)
	p.blk, p.where = nil, ""
	return nil
}

func (p *parser) beginBlock(l logLine, m []string) error {
	n, of, err := ordinal(m[1], m[2])
	if err != nil {
		return p.fail(l.n, tamperedHint, "%v", err)
	}
	if n != len(p.sec.blocks)+1 || of != p.sec.sessions {
		return p.fail(l.n, tamperedHint, "block %d/%d, expected block %d/%d", n, of, len(p.sec.blocks)+1, p.sec.sessions)
	}
	// A script without a connection runs on to its end, in vain: WHENEVER does
	// not see SP2-0640 (facts/views-and-sqlplus.md 3.3).
	if p.sec.stop != "" && p.sec.stop != "unanswered" {
		return p.fail(l.n, tamperedHint, "a block behind a guard that stopped the script (%s)", p.sec.stop)
	}
	p.blk = &block{n: n, of: of, label: m[3], line: l.n, dumps: map[string][]string{}}
	p.sec.blocks = append(p.sec.blocks, p.blk)
	p.where = "attach"
	return nil
}

func (p *parser) endBlock(l logLine, m []string) error {
	n, of, err := ordinal(m[2], m[3])
	if err != nil {
		return p.fail(l.n, tamperedHint, "%v", err)
	}
	if p.blk == nil || p.blk.n != n || p.blk.of != of || p.blk.label != m[4] {
		return p.fail(l.n, tamperedHint, "%s for block %d/%d (%s), which is not the block that is open", m[1], n, of, m[4])
	}
	if p.blk.outcome != "" {
		return p.fail(l.n, tamperedHint, "block %d/%d has two outcomes, %s and %s", n, of, p.blk.outcome, m[1])
	}
	words := "ARMED SKIPPED MOVED"
	if strings.HasPrefix(p.sec.script, "disable_") {
		words = "DISARMED RING_ONLY GONE MOVED"
	}
	if !hasWord(words, m[1]) {
		return p.fail(l.n, tamperedHint, "%s is no outcome of %s (one of %s)", m[1], p.sec.script, words)
	}
	p.blk.outcome, p.where = m[1], "outcome"
	return nil
}

// answer takes one line that SQL*Plus or the server printed.
func (p *parser) answer(l logLine) error {
	p.at++
	if m := errorLine.FindStringSubmatch(l.text); m != nil {
		if p.blk == nil {
			if p.where == "own" {
				p.sec.ownErrors = append(p.sec.ownErrors, l.text)
			}
			return nil
		}
		p.blk.errors = append(p.blk.errors, answer{m[1], l.text, l.n, p.where})
		return nil
	}
	if p.blk == nil {
		return nil
	}
	switch p.where {
	case "attach":
		p.at--
		p.attachLine(l)
	case "tracefile":
		if len(p.blk.trace) < maxPath {
			p.blk.trace += l.text // a long path may have been wrapped
		}
	case "before session", "before process", "after session", "after process":
		if d := p.blk.dumps[p.where]; len(d) < maxDump {
			p.blk.dumps[p.where] = append(d, l.text)
		}
	}
	return nil
}

func (p *parser) attachLine(l logLine) {
	m, n := attachReply.FindStringSubmatch(l.text), 1
	if m == nil && attachStart.MatchString(l.text) {
		m, n = p.joined(attachReply)
	}
	p.at += max(n, 1)
	switch {
	case m != nil && p.blk.attach == nil:
		p.blk.attach = &attach{orapid: m[1], pid: m[2]}
	case p.blk.proof == "":
		if m := proofAnswer.FindStringSubmatch(l.text); m != nil {
			p.blk.proof = m[1]
		}
	}
}

func ordinal(a, b string) (n, of int, err error) {
	n, err = strconv.Atoi(a)
	if err == nil {
		of, err = strconv.Atoi(b)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s/%s is out of range", a, b)
	}
	return n, of, nil
}

func hasWord(words, w string) bool {
	for _, f := range strings.Fields(words) {
		if f == w {
			return true
		}
	}
	return false
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
