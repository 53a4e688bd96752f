package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
)

// tree is the command tree of an app as the argv package sees it, with the
// way back to the cli flags.
type tree struct {
	app     *cli.App
	root    *argv.Command
	flags   map[*argv.Flag]cli.Flag
	cmds    map[*argv.Command]*cli.Command
	version *argv.Flag // --version, which the verb version answers
}

// newTree reads app and takes the help, which ringtrace prints itself, and
// some surprises out of it.
func newTree(app *cli.App) *tree {
	t := &tree{app: app, flags: map[*argv.Flag]cli.Flag{}, cmds: map[*argv.Command]*cli.Command{}}
	t.root = &argv.Command{Name: app.Name, Flags: t.specs(app.Flags), Group: true}
	for _, c := range app.Commands {
		t.root.Commands = append(t.root.Commands, t.command(c))
	}
	t.version = &argv.Flag{Names: []string{"version"}, Bool: true}
	t.root.Flags = append(t.root.Flags, t.version)
	return t
}

func (t *tree) command(c *cli.Command) *argv.Command {
	c.HideHelp = true // cli would answer --help on its own, and share one flag among all runs
	node := &argv.Command{
		Name: c.Name, Aliases: c.Aliases, Flags: t.specs(c.Flags),
		Args: c.ArgsUsage != "", Group: c.Action == nil, Hidden: c.Hidden,
	}
	for _, sub := range c.Subcommands {
		node.Commands = append(node.Commands, t.command(sub))
	}
	t.cmds[node] = c
	return node
}

func (t *tree) specs(flags []cli.Flag) []*argv.Flag {
	var specs []*argv.Flag
	for _, f := range flags {
		spec := &argv.Flag{Names: f.Names(), Meant: alsoCalled(f.Names()[0])}
		switch f := f.(type) {
		case onOff:
			spec.Bool, spec.OnOff = true, true
		case *cli.BoolFlag:
			spec.Bool = true
		case *cli.StringSliceFlag:
			f.KeepSpace = true // cli trims otherwise, and a name may end in a blank
			spec.Repeat = true
		case cli.DocGenerationSliceFlag:
			spec.Repeat = f.IsSliceFlag()
		}
		t.flags[spec] = f
		specs = append(specs, spec)
	}
	return specs
}

// alsoCalled are the words of other tools, and of Oracle, for a flag of ours.
func alsoCalled(name string) []string {
	switch name {
	case "ora":
		return []string{"error", "errors", "event", "events", "ora-error", "code", "codes", "on", "on-error"}
	case "error":
		return []string{"ora", "errors", "event", "events", "code"}
	case "session":
		return []string{"sid", "session-id"}
	case "ring":
		return []string{"buffer", "buffer-size", "ring-size", "trace-buffer", "size", "bytes"}
	case "username":
		return []string{"user", "schema", "db-user", "schemaname"}
	case "client-id":
		return []string{"client-identifier", "identifier"}
	case "inst":
		return []string{"instance", "inst-id", "node"}
	case "sid":
		return []string{"session", "session-id"}
	case "machine":
		return []string{"host", "hostname", "terminal"}
	case "pdb":
		return []string{"con-name", "container", "con-id"}
	case "connect":
		return []string{"connection", "connect-string", "dsn", "target", "db", "database"}
	case "out":
		return []string{"output-file", "outfile", "file"}
	}
	return nil
}

// verbOf returns the cli command that a path calls; nil for the root.
func (t *tree) verbOf(path []*argv.Command) *cli.Command { return t.cmds[path[len(path)-1]] }

// paths lists the root and every command below it, in the order of the help.
func (t *tree) paths() [][]*argv.Command {
	var all [][]*argv.Command
	var walk func(path []*argv.Command)
	walk = func(path []*argv.Command) {
		all = append(all, path)
		for _, c := range path[len(path)-1].Commands {
			walk(append(slices.Clip(path), c))
		}
	}
	walk([]*argv.Command{t.root})
	return all
}

// visible lists what paths does, without hidden commands.
func (t *tree) visible() [][]*argv.Command {
	return slices.DeleteFunc(t.paths(), func(path []*argv.Command) bool {
		return slices.ContainsFunc(path, func(c *argv.Command) bool { return c.Hidden })
	})
}

// lookup finds the path that words name, e.g. campaigns, import.
func (t *tree) lookup(words []string) ([]*argv.Command, bool) {
	path := []*argv.Command{t.root}
next:
	for _, w := range words {
		for _, c := range path[len(path)-1].Commands {
			if c.Name == w || slices.Contains(c.Aliases, w) {
				path = append(path, c)
				continue next
			}
		}
		return path, false
	}
	return path, true
}

// flagNamed finds a command's own flag by its first name.
func flagNamed(c *argv.Command, name string) *argv.Flag {
	for _, f := range c.Flags {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// words are the names of a path without the program's.
func words(path []*argv.Command) []string {
	var names []string
	for _, c := range path[1:] {
		names = append(names, c.Name)
	}
	return names
}

// envName is the environment twin of a flag: RINGTRACE_RING for a global one,
// RINGTRACE_GENERATE_RING, RINGTRACE_CAMPAIGNS_IMPORT_FORCE.
func envName(path []*argv.Command, flagName string) string {
	parts := append([]string{"ringtrace"}, words(path)...)
	name := strings.Join(append(parts, flagName), "_")
	return strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// checkValue tells whether f would take value. f must come from an app that
// is never run, because a value may stay in it.
func checkValue(f cli.Flag, value string) error {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	if err := f.Apply(set); err != nil {
		return fmt.Errorf("prepare flag: %w", err)
	}
	return set.Lookup(f.Names()[0]).Value.Set(value)
}
