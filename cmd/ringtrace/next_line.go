package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ringtrace/internal/connect"
	"ringtrace/internal/shell"
)

// Lines that say what to type next are pasted at 3 a.m.: they name the database
// and the state directory that this run was given. This file is the one place
// where that is added.

// quoteArg quotes a word of a line that is pasted.
func quoteArg(s string) string { return shell.Quote(s) }

// way is how this run reaches its database and journals: flags for the verb. A
// connection never holds a password.
func (rt *runtime) way() string { return rt.wayFor("disable") }

// oneInstance are the verbs of nextVerb that talk to one instance alone.
var oneInstance = []string{"sessions", "collect", "estimate", "doctor"}

// wayFor is the same for one verb, which takes some of the flags.
func (rt *runtime) wayFor(verb string) string {
	var words []string
	if rt.connect != "" {
		words = append(words, "-c "+quoteArg(rt.connect))
	}
	for _, name := range []string{"instance-connect", "password-file", "password-command", "via", "sqlplus"} {
		if name == "instance-connect" && slices.Contains(oneInstance, verb) {
			continue
		}
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

// undoFrom is the command line that takes a campaign back, for verbs that need
// no database themselves. It has the connection of this run, else the one that
// a script was generated with, else the local one, whose identity disable
// checks.
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

// collectFrom is the command line that collects a campaign of this run's
// database. It carries --redact, because a shell without a terminal cannot be
// asked; empty means the answer that Enter gives.
func (rt *runtime) collectFrom(campaign, redact string) string {
	if redact == "" {
		redact = safeRedact
	}
	return rt.complete("ringtrace collect") + " --campaign " + quoteArg(campaign) + " --redact " + quoteArg(redact)
}

// sameAgain is the command line of this run, without some of its flags. What
// the environment and the config file said need not be repeated.
func (rt *runtime) sameAgain(verb string, without ...string) string {
	words := []string{"ringtrace", verb}
	for _, this := range rt.settings {
		name := this.spec.Name()
		if this.source != fromFlag || slices.Contains(without, name) {
			continue
		}
		for _, v := range this.values {
			switch {
			case name == "connect":
				words = append(words, "-c", quoteArg(v))
			case !this.spec.Bool:
				words = append(words, "--"+name, quoteArg(v))
			case v == "true":
				words = append(words, "--"+name)
			default:
				words = append(words, "--"+name+"="+quoteArg(v))
			}
		}
	}
	return strings.Join(words, " ")
}

// passEnviron are options of systemd-run that hand on what a service would not
// have of this environment: names, which the shell fills in. A password is not
// handed on, because every user may read the words of a command.
func (rt *runtime) passEnviron() string {
	names := []string{"PATH", "ORACLE_SID", "ORACLE_HOME", "TWO_TASK", "TNS_ADMIN", "LD_LIBRARY_PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}
	for _, e := range rt.environ {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "RINGTRACE_") && !strings.HasPrefix(name, "RINGTRACE_PASSWORD") &&
			strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
			names = append(names, name)
		}
	}
	var words []string
	for _, name := range names {
		if rt.getenv(name) != "" {
			words = append(words, fmt.Sprintf(`--setenv=%s="$%s"`, name, name))
		}
	}
	return strings.Join(words, " ")
}

// reachable reports whether a connection can be used again: an instance in
// process has ended, and a file is no database.
func reachable(source string) bool {
	t, err := connect.Parse(source)
	return err == nil && (t.IsOracle() && t.SYSDBA() || t.Kind == connect.Sim && t.Address != "" && !strings.HasPrefix(t.Address, "?"))
}

// nextVerb finds our own commands in a text. Group 1 is set for verbs that take
// a connection, the others take the state directory alone. Group 2 is set if
// the command names one already or is a subcommand that needs none.
var nextVerb = regexp.MustCompile(`\bringtrace (?:(sessions|enable|disable|status|watch|flush|collect|estimate|doctor|drill)|campaigns (?:list|show|import|export|resolve))\b(?: (-c|--connect|--state-dir|verify|list)\b)?`)

// complete adds to the commands in a hint what this run was given.
func (rt *runtime) complete(text string) string {
	return nextVerb.ReplaceAllStringFunc(text, func(found string) string {
		m := nextVerb.FindStringSubmatch(found)
		switch {
		case m[2] != "":
			return found
		case m[1] != "" && rt.connect != "":
			return found + " " + rt.wayFor(m[1])
		case m[1] == "":
			return strings.Join(append([]string{found}, rt.stateWay()...), " ")
		}
		return found
	})
}
