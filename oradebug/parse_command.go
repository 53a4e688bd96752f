package oradebug

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/oradebug/catalog"
)

// ParseCommand parses one ORADEBUG command line, with or without the word
// ORADEBUG before it. A trailing ";" is dropped (facts/oradebug.md 1.1).
// The error is a *CommandError; the Command holds what could be read even
// then, so that a linter can say more.
func ParseCommand(line string) (Command, error) { return ParseCommandFor(line, Release{}) }

// ParseCommandFor parses for a release; see ParseSpecFor.
func ParseCommandFor(line string, rel Release) (Command, error) {
	start := skipSpace(line, 0)
	if end := fieldEnd(line, start); strings.EqualFold(line[start:end], "oradebug") {
		start = skipSpace(line, end)
	}
	c, err := parseBody(line, start, rel, true)
	if err != nil { // a nil *CommandError must not become a non-nil error
		return c, err
	}
	return c, nil
}

func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func fieldEnd(s string, i int) int {
	for i < len(s) && !isSpace(s[i]) {
		i++
	}
	return i
}

// parseBody parses the text from start on, which begins with the command word.
func parseBody(line string, start int, rel Release, strip bool) (Command, *CommandError) {
	end := len(line)
	for end > start && isSpace(line[end-1]) {
		end--
	}
	c := Command{Column: start + 1}
	if strip && end > start && line[end-1] == ';' {
		c.Semicolon = true
		for end--; end > start && isSpace(line[end-1]); {
			end--
		}
	}
	wordEnd := min(fieldEnd(line, start), end)
	c.Typed = line[start:wordEnd]
	c.Word = strings.ToUpper(c.Typed)
	rest := min(skipSpace(line, wordEnd), end)
	c.Rest, c.RestColumn = line[rest:end], rest+1
	c.Args = splitArgs(c.Rest)
	info, known := catalog.LookupCommand(c.Typed)
	if !known {
		return c, c.unknown()
	}
	if since, err := ParseRelease(info.Since); err == nil && rel.before(since) {
		e := c.unknown()
		e.Hint = fmt.Sprintf("%s came with release %s", strings.ToLower(info.Name), info.Since)
		return c, e
	}
	c.Info = info
	if n := len(c.Args); (n < info.Min || (info.Max >= 0 && n > info.Max)) && !c.addressWord() {
		err := c.wrongCount(info)
		if info.Name == "DUMP" || info.Name == "PDUMP" {
			c.readDump()
		}
		return c, err
	}
	err := c.check(line, rel)
	return c, err
}

// addressWord reports `dump NAME LEVEL address ADDR`, which is seen although
// the help shows the address alone.
func (c *Command) addressWord() bool {
	return c.Info.Name == "DUMP" && len(c.Args) == 4 && strings.EqualFold(c.Args[2], "address")
}

// splitArgs cuts at blanks outside double quotes.
func splitArgs(s string) []string {
	var out []string
	for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
		j, quoted := i, false
		for j < len(s) && (quoted || !isSpace(s[j])) {
			if s[j] == '"' {
				quoted = !quoted
			}
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}

func (c *Command) unknown() *CommandError {
	err := &CommandError{Column: c.Column, ORA: 70, Message: fmt.Sprintf("command %s is not valid", c.Typed)}
	if c.Typed == "" {
		err.Hint = "a command must follow oradebug; `oradebug help` lists them"
		return err
	}
	if _, ok := catalog.LookupDump(c.Typed); ok {
		err.Hint = fmt.Sprintf("%s is a dump: write `oradebug dump %s <level>`", strings.ToLower(c.Typed), strings.ToLower(c.Typed))
		return err
	}
	var names []string
	for _, k := range catalog.Commands() {
		names = append(names, strings.ToLower(k.Name))
	}
	err.Hint = "`oradebug help` lists the commands"
	if s := nearest(strings.ToLower(c.Typed), names); s != "" {
		err.Hint = "did you mean " + s + "?"
	}
	return err
}

func (c *Command) wrongCount(info catalog.Command) *CommandError {
	most := strconv.Itoa(info.Max)
	if info.Max < 0 {
		most = "255" // what Oracle prints for an open list is not published
	}
	hint := strings.ToLower(info.Name) + " takes no argument"
	if info.Args != "" {
		hint = "the syntax is: oradebug " + strings.ToLower(info.Name) + " " + info.Args
	}
	return &CommandError{
		Column: c.RestColumn, ORA: 73,
		Message: fmt.Sprintf("command %s takes between %d and %s argument(s)", c.Typed, info.Min, most),
		Hint:    hint,
	}
}

// check looks at the arguments of the commands that a tracing script uses.
func (c *Command) check(line string, rel Release) *CommandError {
	switch c.Info.Name {
	case "SETORAPID":
		return c.checkOrapid()
	case "SETOSPID":
		return c.checkOspid()
	case "EVENT", "SESSION_EVENT":
		return c.readSpec(rel)
	case "DUMP", "PDUMP":
		c.readDump()
		return c.checkDump()
	case "EVENTDUMP":
		return c.oneOf("session", "process", "system")
	case "-G", "-R":
		return c.readInner(line, rel)
	}
	return nil
}

// checkOrapid: ORA-00071 for what is no process number (trigger inferred).
func (c *Command) checkOrapid() *CommandError {
	arg := c.Args[0]
	if isVariable(arg) {
		return nil
	}
	if n, ok := parseUint(arg, 31); !ok || n == 0 || isHex(arg) {
		return &CommandError{
			Column: c.RestColumn, ORA: 71,
			Message: "process number must be between 1 and the parameter PROCESSES",
			Hint:    "setorapid takes V$PROCESS.PID, a small whole number",
		}
	}
	if len(c.Args) == 2 && !strings.EqualFold(strings.Trim(c.Args[1], "'"), "force") && !isVariable(c.Args[1]) {
		return c.wrongCount(catalog.Command{Name: "SETORAPID", Args: c.Info.Args, Min: 1, Max: 1})
	}
	return nil
}

func (c *Command) checkOspid() *CommandError {
	for _, arg := range c.Args {
		if _, ok := parseUint(arg, 63); !ok && !isVariable(arg) {
			return &CommandError{
				Column: c.RestColumn, ORA: 75,
				Message: fmt.Sprintf("process %q not found in this instance", arg),
				Hint:    "setospid takes V$PROCESS.SPID, a whole number",
			}
		}
	}
	return nil
}

func (c *Command) readSpec(rel Release) *CommandError {
	spec, err := ParseSpecFor(c.Rest, rel)
	spec.Semicolon = spec.Semicolon || c.Semicolon
	c.Spec = &spec
	var se *SpecError
	if errors.As(err, &se) {
		return &CommandError{Column: c.RestColumn + se.Column - 1, ORA: se.ORA, Message: se.Message, Hint: se.Hint, Err: se}
	}
	return nil
}

func (c *Command) oneOf(words ...string) *CommandError {
	for _, w := range words {
		if strings.EqualFold(c.Args[0], w) || isVariable(c.Args[0]) {
			return nil
		}
	}
	return &CommandError{
		Column: c.RestColumn, ORA: 32521,
		Message: "error parsing ORADEBUG command: " + c.Typed + " " + c.Rest,
		Hint:    strings.ToLower(c.Info.Name) + " takes " + strings.Join(words, ", "),
	}
}

// readDump reads `[interval=n] [ndumps=n] [pids=…] name level [addr]`.
func (c *Command) readDump() {
	d := &Dump{}
	args := c.Args
	for c.Info.Name == "PDUMP" && len(args) > 0 && strings.Contains(args[0], "=") {
		k, v, _ := strings.Cut(args[0], "=")
		switch strings.ToLower(k) {
		case "interval":
			d.Interval = v
		case "ndumps":
			d.Count = v
		}
		args = args[1:]
	}
	if len(args) > 0 {
		d.Name = strings.ToUpper(args[0])
		d.Info, _ = catalog.LookupDump(d.Name)
	}
	if len(args) > 1 {
		d.Level = args[1]
	}
	if len(args) > 2 {
		d.Addr = args[len(args)-1]
	}
	c.Dump = d
}

func (c *Command) checkDump() *CommandError {
	d := c.Dump
	if isVariable(d.Name) {
		return nil
	}
	if d.Info.Name == "" {
		err := &CommandError{Column: c.RestColumn, ORA: 76, Message: fmt.Sprintf("dump %s not found", strings.ToLower(d.Name))}
		err.Hint = "`oradebug dumplist` lists the dumps"
		if s := nearest(strings.ToLower(d.Name), dumpNames()); s != "" {
			err.Hint = "did you mean " + s + "?"
		}
		return err
	}
	if d.Level == "" {
		return c.wrongCount(c.Info)
	}
	if _, ok := parseUint(strings.TrimPrefix(d.Level, "-"), 64); !ok && !isVariable(d.Level) {
		return &CommandError{
			Column: c.RestColumn, ORA: 32521,
			Message: "error parsing ORADEBUG command: " + c.Typed + " " + c.Rest,
			Hint:    "the level of a dump is a whole number",
		}
	}
	return nil
}

// readInner parses the command behind -G or -R. The instance list is one word
// or several numbers.
func (c *Command) readInner(line string, rel Release) *CommandError {
	i := c.RestColumn - 1
	end := i + len(c.Rest)
	first := i
	for i < end {
		j := min(fieldEnd(line, i), end)
		w := strings.ToLower(strings.Trim(line[i:j], `",`))
		if w != "def" && w != "all" && w != "cluster" && !allDigits(strings.ReplaceAll(w, ",", "")) && !isVariable(w) && !strings.HasPrefix(line[i:], `"`) {
			break
		}
		i = skipSpace(line, j)
	}
	c.Instances = strings.TrimSpace(line[first:min(i, end)])
	if c.Instances == "" || i >= end {
		return c.wrongCount(c.Info)
	}
	inner, err := parseBody(line[:end], i, rel, false)
	c.Inner = &inner
	return err
}
