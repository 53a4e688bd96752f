package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
	"ringtrace/internal/config"
	"ringtrace/internal/exit"
)

// parseSwitch reads the value of a switch's variable; empty is false.
func parseSwitch(name, value string) (bool, error) {
	if value == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return false, exit.Errorf(exit.Usage, "write "+name+"=true or "+name+"=false", "%s: %q is neither true nor false", name, value)
	}
	return on, nil
}

// badValue says where a value that its flag refuses was given.
func badValue(this setting, f cli.Flag, value string, err error) error {
	var own *exit.Error
	if errors.As(err, &own) {
		return &exit.Error{Code: exit.Usage, Message: this.origin + ": " + own.Message, Hint: own.Hint, Err: err}
	}
	what, hint := "a value it takes: "+err.Error(), "see `ringtrace "+strings.Join(append(words(this.path), "--help"), " ")+"`"
	switch f.(type) {
	case *cli.BoolFlag, onOff:
		what, hint = "true or false", "write true or false"
	case *cli.IntFlag, *cli.Int64Flag, *cli.IntSliceFlag, *cli.Int64SliceFlag:
		what, hint = "a whole number", "write digits only"
	case *cli.UintFlag, *cli.Uint64Flag:
		what, hint = "a whole number, 0 or more", "write digits only"
	case *cli.Float64Flag:
		what, hint = "a number", "write it like 1.5"
	}
	return exit.Errorf(exit.Usage, hint, "%s: %q is not %s", this.origin, value, what)
}

// take keeps the entries that name a flag and says what is wrong with others.
func (s *settler) take(entries []config.Entry) (problems []error) {
	for _, e := range entries {
		at := fmt.Sprintf("%s:%d", s.confFile, e.Line)
		if err := s.check(at, e); err != nil {
			problems = append(problems, err)
			continue
		}
		if !e.Table {
			s.entries[e.Name()] = e
		}
	}
	return problems
}

// check tells whether an entry names a table or a flag, with a value of a
// type that the flag has.
func (s *settler) check(at string, e config.Entry) error {
	if e.Table {
		if _, ok := s.tree.lookup(e.Key); !ok || s.byAlias(e.Key) {
			return s.unknown(at, e)
		}
		return nil
	}
	last := len(e.Key) - 1
	path, ok := s.tree.lookup(e.Key[:last])
	if !ok || s.byAlias(e.Key[:last]) {
		return s.unknown(at, e)
	}
	spec := flagNamed(path[len(path)-1], e.Key[last])
	if spec == nil && last == 0 {
		spec, path = s.sharedFlag(e.Key[0])
	}
	if spec == nil || s.tree.flags[spec] == nil {
		return s.unknown(at, e)
	}
	this, err := s.fromEntry(setting{path: path, spec: spec}, e)
	if err != nil {
		return err
	}
	if spec.Name() == "connect" && holdsPassword(this.values[0]) {
		return exit.Errorf(exit.Usage, "leave the password out and use --password-file, --password-command or RINGTRACE_PASSWORD", "%s: connect holds a password", at)
	}
	return s.try(this)
}

// byAlias reports that a table is named by an alias of its verb, which would
// let one flag have two keys.
func (s *settler) byAlias(key []string) bool {
	path, _ := s.tree.lookup(key)
	return strings.Join(words(path), ".") != strings.Join(key, ".")
}

func (s *settler) sharedFlag(name string) (*argv.Flag, []*argv.Command) {
	for _, path := range s.tree.paths() {
		for _, shared := range sharedFlags {
			if spec := flagNamed(path[len(path)-1], name); spec != nil && name == shared {
				return spec, path
			}
		}
	}
	return nil, nil
}

// unknown refuses a key, with a guess of what was meant.
func (s *settler) unknown(at string, e config.Entry) error {
	what := "unknown key " + strconv.Quote(e.Name())
	if e.Table {
		what = "unknown table [" + e.Name() + "]"
	}
	hint := "`ringtrace config show --all` lists the keys"
	if strings.Contains(strings.ToLower(e.Key[len(e.Key)-1]), "password") {
		hint = "the config file holds no passwords: use password-file, password-command, or RINGTRACE_PASSWORD"
	} else if guess := argv.Closest(e.Name(), s.keys(e.Table)); guess != "" {
		hint = "did you mean " + guess + "?"
	}
	return exit.Errorf(exit.Usage, hint, "%s: %s", at, what)
}

// keys lists the tables or the keys that the config file may have.
func (s *settler) keys(tables bool) (keys []string) {
	for _, path := range s.tree.paths() {
		if tables {
			keys = append(keys, strings.Join(words(path), "."))
			continue
		}
		for _, spec := range path[len(path)-1].Flags {
			if s.tree.flags[spec] != nil {
				keys = append(keys, dotted(path, spec))
			}
		}
	}
	return keys
}

// fromEntry gives this the values of an entry, if they have a type that the
// flag takes.
func (s *settler) fromEntry(this setting, e config.Entry) (setting, error) {
	this.source, this.origin = fromConfig, fmt.Sprintf("%s:%d", s.confFile, e.Line)
	wants, ok := "", false
	switch s.tree.flags[this.spec].(type) {
	case *cli.BoolFlag, onOff:
		wants = "true or false, without quotes"
		_, ok = e.Value.(bool)
	case *cli.IntFlag, *cli.Int64Flag, *cli.UintFlag, *cli.Uint64Flag:
		wants = "a whole number, without quotes"
		_, ok = e.Value.(int64)
	case *cli.Float64Flag:
		wants = "a number, without quotes"
		ok = isNumber(e.Value)
	case *cli.GenericFlag:
		wants = "a text or a number"
		ok = isText(e.Value) || isNumber(e.Value)
	case cli.DocGenerationSliceFlag:
		return s.fromList(this, e)
	default:
		wants = "a text in quotes"
		ok = isText(e.Value)
	}
	if !ok {
		return this, exit.Errorf(exit.Usage, "write "+this.spec.Name()+" = "+wants, "%s: %s takes %s, not %v", this.origin, e.Name(), wants, e.Value)
	}
	this.values = []string{fmt.Sprint(e.Value)}
	return this, nil
}

func (s *settler) fromList(this setting, e config.Entry) (setting, error) {
	list, ok := e.Value.([]any)
	if !ok {
		list = []any{e.Value}
	}
	for _, v := range list {
		if _, whole := v.(int64); !isText(v) && !whole {
			return this, exit.Errorf(exit.Usage, `write `+this.spec.Name()+` = ["first", "second"]`, "%s: %s takes a list of texts, not %v", this.origin, e.Name(), e.Value)
		}
		this.values = append(this.values, fmt.Sprint(v))
	}
	if len(list) == 0 {
		this.source, this.origin = fromDefault, ""
	}
	return this, nil
}

func isText(v any) bool { _, ok := v.(string); return ok }

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}
