package main

import (
	"regexp"
	"strings"

	"ringtrace/internal/connect"
)

// Lines that say what to type next are pasted at 3 a.m.: they name the database
// and the state directory that this run was given. This file is the one place
// where that is added.

// way is how this run reaches its database and journals: flags for the verb. A
// connection never holds a password.
func (rt *runtime) way() string {
	var words []string
	if rt.connect != "" {
		words = append(words, "-c "+quoteArg(rt.connect))
	}
	for _, name := range []string{"instance-connect", "password-file", "password-command", "via", "sqlplus"} {
		for _, v := range rt.typedValues(name) {
			words = append(words, "--"+name+" "+quoteArg(v))
		}
	}
	return strings.Join(append(words, rt.stateWay()...), " ")
}

func (rt *runtime) stateWay() []string {
	if rt.typed("state-dir") {
		return []string{"--state-dir " + quoteArg(rt.stateDir)}
	}
	return nil
}

// typedValues are the values of a flag of the command line.
func (rt *runtime) typedValues(name string) []string {
	for _, this := range rt.settings {
		if this.spec.Name() == name && this.source == fromFlag {
			return this.values
		}
	}
	return nil
}

// undoFrom is the line that takes a campaign back, for verbs that need no
// database themselves: with the connection of this run, else the one that a
// script was generated with, else the local one, whose identity disable checks.
func (rt *runtime) undoFrom(source string, words ...string) string {
	line := "ringtrace disable "
	switch {
	case rt.connect != "":
		line += rt.way()
	case reachable(source):
		line += strings.Join(append([]string{"-c " + quoteArg(source)}, rt.stateWay()...), " ")
	default:
		line += strings.Join(append([]string{"-c '/ as sysdba'"}, rt.stateWay()...), " ")
	}
	for _, w := range words {
		line += " " + quoteArg(w)
	}
	return line
}

// reachable reports whether a connection can be used again: an instance in
// process has ended, and a file is no database.
func reachable(source string) bool {
	t, err := connect.Parse(source)
	return err == nil && (t.IsOracle() && t.SYSDBA() || t.Kind == connect.Sim && t.Address != "" && !strings.HasPrefix(t.Address, "?"))
}

// nextVerb finds commands that take a connection (1), or the state directory
// alone, and whether they name one already (2).
var nextVerb = regexp.MustCompile(`\bringtrace (?:(sessions|enable|disable|status|watch|flush|collect|estimate|doctor|drill)|campaigns (?:list|show|import|export|resolve))\b(?: (-c|--connect|--state-dir)\b)?`)

// complete adds to the commands in a hint what this run was given.
func (rt *runtime) complete(text string) string {
	return nextVerb.ReplaceAllStringFunc(text, func(found string) string {
		m := nextVerb.FindStringSubmatch(found)
		switch {
		case m[2] != "":
			return found
		case m[1] != "" && rt.connect != "":
			return found + " " + rt.way()
		case m[1] == "":
			return strings.Join(append([]string{found}, rt.stateWay()...), " ")
		}
		return found
	})
}
