package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
	"ringtrace/internal/config"
	"ringtrace/internal/exit"
)

// source is where a flag's value comes from; the greater one wins.
type source int

const (
	fromDefault source = iota
	fromConfig
	fromEnv
	fromFlag
)

func (s source) String() string {
	return [...]string{"default", "config", "environment", "flag"}[s]
}

// setting is a flag with the values it gets and the place they come from.
type setting struct {
	path   []*argv.Command
	spec   *argv.Flag
	values []string // several only for a repeatable flag; none for a default
	source source
	origin string // --ring, RINGTRACE_GENERATE_RING, /path/config.toml:3
}

// sharedFlags belong to verbs, but a user sets them once for all: beside
// RINGTRACE_<VERB>_<FLAG> and the verb's table they may be given as
// RINGTRACE_<FLAG> and at the top of the config file.
var sharedFlags = []string{"via", "sqlplus", "password-file", "password-command", "instance-connect"}

// rivals are flags that answer one question in two ways, beside --x and
// --no-x: what a weaker source says of one yields to the other.
var rivals = [][]string{
	{"quiet", "verbose"},
	{"password-file", "password-command"},
	{"style", "template"},
	{"max-fires", "no-errorstack"},
}

// settler finds the values of flags below the command line.
type settler struct {
	tree     *tree
	scratch  *tree // a second tree, never run, to try values on
	lookup   func(string) (string, bool)
	entries  map[string]config.Entry // by dotted key
	confFile string
}

// newSettler reads the config file that line, the environment or the default
// name. Problems of the file come back beside a settler that does without it.
func (rt *runtime) newSettler(t *tree, line *argv.Line) (*settler, []error) {
	aside := newRuntime(nil, io.Discard, io.Discard, nil, rt.now)
	aside.verbs = rt.verbs
	s := &settler{
		tree: t, scratch: newTree(newApp(aside)), lookup: rt.lookupEnv, entries: map[string]config.Entry{},
	}
	path, named := rt.findConfig(t, line)
	s.confFile = path
	if path == "" {
		return s, nil
	}
	text, err := readFile(context.Background(), path, maxConfig)
	switch {
	case err != nil && !named && errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return s, []error{exit.Errorf(exit.Usage, "give --config FILE of a file that can be read", "read config file: %w", err)}
	}
	entries, err := config.Parse(path, text)
	if err != nil {
		return s, []error{err}
	}
	return s, s.take(entries)
}

// findConfig tells which config file holds, and whether the user named it.
func (rt *runtime) findConfig(t *tree, line *argv.Line) (path string, named bool) {
	for _, g := range line.Given(0) {
		if g.Flag.Name() == "config" {
			return g.Value, true
		}
	}
	if v := rt.getenv("RINGTRACE_CONFIG"); v != "" {
		return v, true
	}
	return rt.defaultConfigPath(), false
}

// defaultConfigPath is $XDG_CONFIG_HOME/ringtrace/config.toml, or below
// ~/.config; empty when there is no home. As the XDG rules demand, a relative
// $XDG_CONFIG_HOME counts for nothing.
func (rt *runtime) defaultConfigPath() string {
	return rt.xdg("XDG_CONFIG_HOME", ".config", "config.toml")
}

func (rt *runtime) xdg(variable, belowHome, file string) string {
	base := rt.getenv(variable)
	if !filepath.IsAbs(base) {
		home := rt.getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		base = filepath.Join(home, belowHome)
	}
	return filepath.Join(base, "ringtrace", file)
}

// settle completes line with what the environment and the config file say and
// returns the settings of its flags. Every value is tried, those of the
// command line too, so that an error names where it was given: wrongFlag is
// the first on the command line, problems are those from elsewhere.
func (s *settler) settle(line *argv.Line) (settings []setting, problems []error, wrongFlag error) {
	for level := range line.Path {
		these, errs, wrong := s.level(line.Path[:level+1], line.Given(level))
		problems = append(problems, errs...)
		if wrongFlag == nil {
			wrongFlag = wrong
		}
		for _, this := range these {
			if this.source == fromEnv || this.source == fromConfig {
				for _, v := range this.values {
					line.Add(level, this.spec, v)
				}
			}
		}
		settings = append(settings, these...)
	}
	return settings, problems, wrongFlag
}

// level settles the flags of the last command of path.
func (s *settler) level(path []*argv.Command, given []argv.Given) (settings []setting, problems []error, wrongFlag error) {
	for _, spec := range path[len(path)-1].Flags {
		if s.tree.flags[spec] == nil {
			continue // --version
		}
		this, err := s.find(path, spec, given)
		if err == nil {
			err = s.try(this)
		}
		switch {
		case err != nil && this.source == fromFlag && wrongFlag == nil:
			wrongFlag = err
		case err != nil && this.source != fromFlag:
			problems = append(problems, err)
		}
		if err != nil {
			this = setting{path: path, spec: spec}
		}
		settings = append(settings, this)
	}
	for i := range settings {
		for _, other := range settings {
			if settings[i].source < other.source && areRivals(settings[i].spec.Name(), other.spec.Name()) {
				settings[i].source, settings[i].values, settings[i].origin = fromDefault, nil, ""
			}
		}
	}
	return settings, append(problems, contradictions(settings)...), wrongFlag
}

// find looks for a flag's values, the strongest source first.
func (s *settler) find(path []*argv.Command, spec *argv.Flag, given []argv.Given) (setting, error) {
	this := setting{path: path, spec: spec}
	for _, g := range given {
		if g.Flag == spec {
			this.source, this.origin = fromFlag, "--"+spec.Name()
			this.values = append(this.values, g.Value)
		}
	}
	if this.source == fromFlag {
		return this, nil
	}
	shared := len(path) > 1 && slices.Contains(sharedFlags, spec.Name())
	for _, at := range [][]*argv.Command{path, path[:1]} {
		if len(at) < len(path) && !shared {
			break
		}
		if found, err := s.fromEnvironment(&this, at); found || err != nil {
			return this, err
		}
	}
	if e, ok := s.entries[dotted(path, spec)]; ok {
		return s.fromEntry(this, e)
	}
	if e, ok := s.entries[spec.Name()]; ok && shared {
		return s.fromEntry(this, e)
	}
	return this, nil
}

// fromEnvironment takes a flag's value from its variable below the commands
// at; a switch also listens to its negative twin. Empty means unset.
func (s *settler) fromEnvironment(this *setting, at []*argv.Command) (bool, error) {
	name := envName(at, this.spec.Name())
	value, _ := s.lookup(name)
	if this.spec.OnOff {
		return s.twins(this, name, value, envName(at, "no-"+this.spec.Name()))
	}
	if value == "" {
		return false, nil
	}
	this.source, this.origin, this.values = fromEnv, name, []string{value}
	if this.spec.Repeat {
		this.values = strings.Split(strings.TrimRight(value, "\n"), "\n")
	}
	return true, nil
}

// twins settles RINGTRACE_…_WAITS and RINGTRACE_…_NO_WAITS.
func (s *settler) twins(this *setting, name, value, negative string) (bool, error) {
	on, err := parseSwitch(name, value)
	if err != nil {
		return false, err
	}
	negativeValue, _ := s.lookup(negative)
	off, err := parseSwitch(negative, negativeValue)
	if err != nil {
		return false, err
	}
	switch {
	case value != "" && negativeValue != "" && on == off:
		return false, exit.Errorf(exit.Usage, "unset one of them", "%s=%s and %s=%s contradict each other", name, value, negative, negativeValue)
	case value != "":
		this.source, this.origin, this.values = fromEnv, name, []string{fmt.Sprint(on)}
	case negativeValue != "":
		this.source, this.origin, this.values = fromEnv, negative, []string{fmt.Sprint(!off)}
	default:
		return false, nil
	}
	return true, nil
}

// try tells whether the flag takes its values.
func (s *settler) try(this setting) error {
	for _, v := range this.values {
		if err := checkValue(s.scratchFlag(this), v); err != nil {
			return badValue(this, s.tree.flags[this.spec], v, err)
		}
	}
	return nil
}

func (s *settler) scratchFlag(this setting) cli.Flag {
	path, _ := s.scratch.lookup(words(this.path))
	return s.scratch.flags[flagNamed(path[len(path)-1], this.spec.Name())]
}

// contradictions finds --x and --no-x from one source below the command line
// (argv refuses those on it).
func contradictions(settings []setting) (problems []error) {
	for _, no := range settings {
		for _, yes := range settings {
			if no.spec.Name() != "no-"+yes.spec.Name() || no.source != yes.source || no.source == fromDefault || no.source == fromFlag {
				continue
			}
			if isOn(no) && (!yes.spec.Bool || isOn(yes)) {
				problems = append(problems, exit.Errorf(exit.Usage, "leave one of them out", "%s and %s contradict each other", yes.origin, no.origin))
			}
		}
	}
	return problems
}

func isOn(this setting) bool {
	on, _ := strconv.ParseBool(this.values[0]) // try has refused what is no switch
	return on
}

func areRivals(a, b string) bool {
	if a == "no-"+b || b == "no-"+a {
		return true
	}
	for _, group := range rivals {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}

func dotted(path []*argv.Command, spec *argv.Flag) string {
	return strings.Join(append(words(path), spec.Name()), ".")
}
