// Package argv puts a command line in order before a flag parser sees it:
// every flag, wherever it stood, goes to the level of the command tree that
// owns it, in the one spelling --name=value, and the positionals follow "--".
//
// It is pure: it knows a tree of commands and flags and a list of words, and
// returns the words in order or the one error that a user should read.
// docs/adr/0001-argv-order.md says why it exists.
package argv

import (
	"slices"
	"strings"
)

// Flag is one flag of a command.
type Flag struct {
	// Names are the flag's spellings without dashes; the first is used in
	// the ordered command line and in errors.
	Names []string
	// Bool flags take a value only behind "=".
	Bool bool
	// OnOff is a Bool flag whose --no-<name> means --<name>=false.
	OnOff bool
	// Repeat allows several different values.
	Repeat bool
	// Meant are other words that people type when they mean this flag. They
	// are not accepted, only answered.
	Meant []string
}

// Name is the flag's first name.
func (f *Flag) Name() string { return f.Names[0] }

// has reports whether name spells f, and whether in its negative form.
func (f *Flag) has(name string) (found, negated bool) {
	if slices.Contains(f.Names, name) {
		return true, false
	}
	if rest, ok := strings.CutPrefix(name, "no-"); ok && f.OnOff && rest == f.Name() {
		return true, true
	}
	return false, false
}

// Command is a node of the command tree; the root is the program itself and
// holds the global flags.
type Command struct {
	Name    string
	Aliases []string
	Flags   []*Flag
	// Commands are the verbs of the root, or the subcommands of a verb.
	Commands []*Command
	// Args tells that the command takes positionals.
	Args bool
	// Group tells that the command does nothing without a subcommand.
	Group bool
	// Hidden commands can be called and are never suggested.
	Hidden bool
}

func (c *Command) named(word string) bool {
	return c.Name == word || slices.Contains(c.Aliases, word)
}

// help is the flag that every command has.
var help = &Flag{Names: []string{"help", "h"}, Bool: true}

// path is a way from the root into the tree, the root included.
type path []*Command

// find returns the flag that name spells on the path, the deepest first, and
// the level that owns it.
func (p path) find(name string) (f *Flag, level int, negated bool) {
	for level := len(p) - 1; level >= 0; level-- {
		for _, f := range p[level].Flags {
			if found, negated := f.has(name); found {
				return f, level, negated
			}
		}
	}
	if found, _ := help.has(name); found {
		return help, len(p) - 1, false
	}
	return nil, 0, false
}

// words are the path's command names as typed after the program's name.
func (p path) words() string {
	var names []string
	for _, c := range p[1:] {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

// flagNames are all spellings of flags on the path, with their dashes.
func (p path) flagNames() []string {
	names := []string{"--help"}
	for _, c := range p {
		for _, f := range c.Flags {
			for _, n := range f.Names {
				names = append(names, dashed(n))
			}
			if f.OnOff {
				names = append(names, "--no-"+f.Name())
			}
		}
	}
	return names
}

// meant returns the flag of p that people call by a name it does not have, ""
// if there is none.
func (p path) meant(name string) string {
	for _, c := range p {
		for _, f := range c.Flags {
			if slices.Contains(f.Meant, name) {
				return dashed(f.Name())
			}
		}
	}
	return ""
}

// dashed spells a flag name as a user types it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// paths lists every way into the tree below p, p first.
func (p path) paths() []path {
	all := []path{p}
	for _, c := range p[len(p)-1].Commands {
		all = append(all, append(slices.Clip(p), c).paths()...)
	}
	return all
}
