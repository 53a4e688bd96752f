package argv

import (
	"fmt"
	"slices"
	"strings"
)

// Error is what is wrong with a command line, and what to type next.
type Error struct {
	Message string
	Hint    string

	missing bool // a verb or subcommand is missing
	command bool // a verb or subcommand is unknown
	foreign bool // a flag belongs to another command
	owners  string
}

func (e *Error) Error() string { return e.Message }

// Incomplete reports that a verb or subcommand is missing: the help of what
// was given is the best answer.
func (e *Error) Incomplete() bool { return e.missing }

func errBadSyntax(arg string) *Error {
	return &Error{
		Message: fmt.Sprintf("bad flag syntax: %s", quoted(arg)),
		Hint:    "flags are written --name, --name=value or --name value; what follows a lone -- is never a flag",
	}
}

func errUnknownFlag(p path, typed string) *Error {
	e := &Error{Message: fmt.Sprintf("unknown flag %s", quoted(typed)), Hint: seeHelp(p)}
	spelled := typed
	if len(typed) > 2 && !strings.HasPrefix(typed, "--") {
		spelled = "-" + typed
	}
	if s := p.meant(strings.TrimLeft(typed, "-")); s != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", s)
	} else if s := Closest(spelled, p.flagNames()); s != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", s)
	} else if len(p) > 1 {
		e.Message += " of " + p.words()
	}
	return e
}

// errNoVerbFor is the answer to flags of a verb without that verb.
func errNoVerbFor(foreign *Error) *Error {
	return &Error{Message: "no verb given", Hint: foreign.owners}
}

func errForeignFlag(p path, typed string, owners []owner) *Error {
	var of []string
	for _, o := range owners {
		if w := o.path.words(); !slices.Contains(of, w) {
			of = append(of, w)
		}
	}
	subject := "this command"
	if len(p) > 1 {
		subject = p.words()
	}
	hint := seeHelp(p)
	if s := p.meant(strings.TrimLeft(typed, "-")); s != "" {
		hint = fmt.Sprintf("did you mean %s?", s)
	}
	return &Error{
		foreign: true,
		owners:  fmt.Sprintf("%s belongs to %s: type `%s %s %s …`", typed, strings.Join(of, ", "), p[0].Name, of[0], typed),
		Message: fmt.Sprintf("%s is not a flag of %s; it belongs to %s", typed, subject, strings.Join(of, ", ")),
		Hint:    hint,
	}
}

func errNotBool(typed, value string) *Error {
	return &Error{
		Message: fmt.Sprintf("%s takes true or false, not %s", typed, quoted(value)),
		Hint:    fmt.Sprintf("write %s, or %s=false", typed, typed),
	}
}

func errMissingValue(typed, next string) *Error {
	e := &Error{Message: fmt.Sprintf("%s needs a value", typed)}
	if next == "" || next == "--" {
		e.Hint = fmt.Sprintf("write %s VALUE or %s=VALUE", typed, typed)
		return e
	}
	e.Hint = fmt.Sprintf("write %s VALUE; if %s is the value, write %s=%s", typed, quoted(next), typed, next)
	return e
}

func errTwoValues(first, second word) *Error {
	if first.flag.OnOff {
		return &Error{
			Message: fmt.Sprintf("%s and %s contradict each other", first.text, second.text),
			Hint:    "give only one of them",
		}
	}
	return &Error{
		Message: fmt.Sprintf("%s is given twice, as %s and as %s", dashed(first.flag.Name()), quoted(first.value), quoted(second.value)),
		Hint:    "it takes one value; leave one of them out",
	}
}

func errOpposites(f, negative *Flag) *Error {
	return &Error{
		Message: fmt.Sprintf("%s and %s contradict each other", dashed(f.Name()), dashed(negative.Name())),
		Hint:    "give only one of them",
	}
}

func errNoVerb(p path) *Error {
	return &Error{Message: "no verb given", Hint: seeHelp(p), missing: true}
}

func errNoSubcommand(p path) *Error {
	var names []string
	for _, c := range p[len(p)-1].Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return &Error{
		Message: fmt.Sprintf("%s needs a subcommand: %s", p.words(), strings.Join(names, ", ")),
		Hint:    seeHelp(p), missing: true,
	}
}

func errUnknownCommand(p path, typed string) *Error {
	e := &Error{Message: fmt.Sprintf("unknown verb %s", quoted(typed)), Hint: seeHelp(p), command: true}
	if len(p) > 1 {
		e.Message = fmt.Sprintf("unknown subcommand %s of %s", quoted(typed), p.words())
	}
	var names []string
	for _, c := range p[len(p)-1].Commands {
		if !c.Hidden {
			names = append(append(names, c.Name), c.Aliases...)
		}
	}
	if s := Closest(typed, names); s != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", strings.TrimSpace(p.words()+" "+s))
	}
	return e
}

func errNoArgs(p path, typed string) *Error {
	e := &Error{Message: fmt.Sprintf("%s takes no arguments, but got %s", p.words(), quoted(typed)), Hint: seeHelp(p)}
	switch typed {
	case "true", "false", "0", "1":
		e.Hint = "a switch takes its value behind an equals sign, as in --yes=" + typed
	}
	return e
}

func seeHelp(p path) string {
	program := p[0].Name
	if len(p) > 1 {
		program += " " + p.words()
	}
	return fmt.Sprintf("`%s --help` lists what there is", program)
}

// quoted shows what a user typed so that blanks and control characters are
// seen.
func quoted(s string) string { return fmt.Sprintf("%q", s) }
