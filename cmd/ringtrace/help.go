package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
)

// flagDoc is a flag as help, man page and docs/cli.md show it.
type flagDoc struct {
	Spelling string // -o, --output FORMAT
	Usage    string
	Default  string
	Env      []string
	Key      string // in the config file
}

// flagDocs describes the flags of the last command of path.
func (t *tree) flagDocs(path []*argv.Command) []flagDoc {
	var docs []flagDoc
	for _, spec := range path[len(path)-1].Flags {
		f := t.flags[spec]
		if f == nil {
			continue
		}
		d := flagDoc{Env: []string{envName(path, spec.Name())}, Key: dotted(path, spec)}
		placeholder := ""
		if doc, ok := f.(cli.DocGenerationFlag); ok {
			placeholder, d.Usage = splitUsage(doc.GetUsage())
			if !spec.Bool && placeholder == "" {
				placeholder = "VALUE"
			}
			d.Default = defaultOf(doc)
		}
		if spec.OnOff {
			d.Env = append(d.Env, envName(path, "no-"+spec.Name()))
		}
		d.Spelling = spelling(spec, placeholder)
		docs = append(docs, d)
	}
	return docs
}

// defaultOf prints a flag's default; empty for one that needs no mention.
func defaultOf(f cli.DocGenerationFlag) string {
	if onOff, ok := f.(onOff); ok {
		if onOff.Value {
			return "on"
		}
		return "off"
	}
	text := f.GetDefaultText()
	if _, isBool := f.(*cli.BoolFlag); isBool && text == "false" {
		return ""
	}
	return strings.Trim(text, `"`)
}

// splitUsage takes the word in backquotes out of a usage text as placeholder.
func splitUsage(usage string) (placeholder, text string) {
	before, rest, ok := strings.Cut(usage, "`")
	if !ok {
		return "", usage
	}
	name, after, ok := strings.Cut(rest, "`")
	if !ok {
		return "", usage
	}
	return name, before + name + after
}

func spelling(spec *argv.Flag, placeholder string) string {
	var names []string
	for _, n := range spec.Names {
		if len(n) == 1 {
			names = append([]string{"-" + n}, names...)
		} else {
			names = append(names, "--"+n)
		}
	}
	if spec.OnOff {
		names = append(names, "--no-"+spec.Name())
	}
	text := strings.Join(names, ", ")
	if placeholder != "" {
		text += " " + placeholder
	}
	return text
}

// usageLine is what one types to call the last command of path.
func (t *tree) usageLine(path []*argv.Command) string {
	last := path[len(path)-1]
	line := strings.Join(append([]string{t.app.Name}, words(path)...), " ")
	switch {
	case len(path) == 1:
		return line + " VERB [FLAG…] [ARGUMENT…]"
	case last.Group:
		line += " SUBCOMMAND [FLAG…]"
	default:
		line += " [FLAG…]"
	}
	if c := t.verbOf(path); c.ArgsUsage != "" {
		line += " " + c.ArgsUsage
	}
	return line
}

// printHelp prints the help of the last command of path.
func (rt *runtime) printHelp(w io.Writer, t *tree, path []*argv.Command) error {
	var b strings.Builder
	last := path[len(path)-1]
	usage, description, aliases := t.app.Usage, t.app.Description, []string(nil)
	if c := t.verbOf(path); c != nil {
		usage, description, aliases = c.Usage, c.Description, c.Aliases
	}
	fmt.Fprintf(&b, "%s - %s\n\n", strings.Join(append([]string{t.app.Name}, words(path)...), " "), usage)
	fmt.Fprintf(&b, "Usage: %s\n", t.usageLine(path))
	if len(aliases) > 0 {
		fmt.Fprintf(&b, "Also: %s\n", strings.Join(aliases, ", "))
	}
	if description != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(description))
	}
	t.helpCommands(&b, last)
	if len(path) > 1 {
		for level := len(path) - 1; level > 0; level-- {
			heading := "Flags"
			if level < len(path)-1 {
				heading = "Flags of " + path[level].Name
			}
			helpFlags(&b, heading, t.flagDocs(path[:level+1]))
		}
	}
	helpFlags(&b, "Global flags, before or after the verb", t.flagDocs(path[:1]))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write help: %w", err)
	}
	return nil
}

func (t *tree) helpCommands(b *strings.Builder, parent *argv.Command) {
	if len(parent.Commands) == 0 {
		return
	}
	heading, width := "Verbs", 0
	if parent != t.root {
		heading = "Subcommands"
	}
	for _, c := range parent.Commands {
		width = max(width, len(c.Name))
	}
	fmt.Fprintf(b, "\n%s:\n", heading)
	for _, c := range parent.Commands {
		if !c.Hidden {
			fmt.Fprintf(b, "  %-*s  %s\n", width, c.Name, t.cmds[c].Usage)
		}
	}
}

// helpFlags prints one flag a paragraph of at most two lines of its own: a
// long spelling pushes its text to the next line.
func helpFlags(b *strings.Builder, heading string, docs []flagDoc) {
	if len(docs) == 0 {
		return
	}
	const column = 26
	fmt.Fprintf(b, "\n%s:\n", heading)
	for _, d := range docs {
		text := d.Usage
		if d.Default != "" {
			text += " (default " + d.Default + ")"
		}
		if len(d.Spelling)+4 <= column {
			fmt.Fprintf(b, "  %-*s%s\n", column-2, d.Spelling, text)
		} else {
			fmt.Fprintf(b, "  %s\n%*s%s\n", d.Spelling, column, "", text)
		}
	}
}
