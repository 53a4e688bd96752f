package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
)

// suggestion is a word that may stand at the cursor.
type suggestion struct{ word, meaning string }

// complete lists what may stand for the last of typed; nothing where a file
// name or a free text fits.
func complete(t *tree, typed []string) []suggestion {
	if len(typed) == 0 {
		typed = []string{""}
	}
	typed, onlyValue := joinEquals(typed)
	before, last := typed[:len(typed)-1], typed[len(typed)-1]
	line, _ := argv.Order(t.root, before) // what is wrong so far is not yet the question
	ended := false
	for _, w := range before {
		ended = ended || w == "--"
	}
	if !ended {
		if spec := t.awaits(line.Path, before); spec != nil {
			return begin(last, "", t.choices(spec))
		}
		if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "-") {
			spec := t.spelled(line.Path, strings.TrimLeft(name, "-"))
			prefix := name + "="
			if onlyValue {
				prefix = ""
			}
			return begin(value, prefix, t.choices(spec))
		}
		if strings.HasPrefix(last, "-") {
			return begin(last, "", t.flagWords(line.Path))
		}
	}
	if len(line.Positionals) > 0 {
		return nil
	}
	var commands []suggestion
	for _, c := range line.Path[len(line.Path)-1].Commands {
		if !c.Hidden {
			commands = append(commands, suggestion{c.Name, t.cmds[c].Usage})
		}
	}
	return begin(last, "", commands)
}

// joinEquals undoes bash's cutting of --name=value into three words.
// onlyValue tells that the last word is such a value.
func joinEquals(typed []string) (joined []string, onlyValue bool) {
	for i := 0; i < len(typed); i++ {
		flagBefore := len(joined) > 0 && strings.HasPrefix(joined[len(joined)-1], "-") && !strings.Contains(joined[len(joined)-1], "=")
		if typed[i] != "=" || !flagBefore {
			joined = append(joined, typed[i])
			onlyValue = false
			continue
		}
		value := ""
		if i+1 < len(typed) {
			i++
			value = typed[i]
		}
		joined[len(joined)-1] += "=" + value
		onlyValue = true
	}
	return joined, onlyValue
}

// begin keeps the words that begin with typed, and puts prefix before them.
func begin(typed, prefix string, words []suggestion) (kept []suggestion) {
	for _, s := range words {
		if strings.HasPrefix(s.word, typed) {
			kept = append(kept, suggestion{prefix + s.word, s.meaning})
		}
	}
	return kept
}

// awaits returns the flag whose value the next word is; nil if there is none.
func (t *tree) awaits(path []*argv.Command, before []string) *argv.Flag {
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	if !strings.HasPrefix(last, "-") || strings.Contains(last, "=") {
		return nil
	}
	if spec := t.spelled(path, strings.TrimLeft(last, "-")); spec != nil && !spec.Bool {
		return spec
	}
	return nil
}

// spelled finds a flag of path by any of its names.
func (t *tree) spelled(path []*argv.Command, name string) *argv.Flag {
	for _, c := range path {
		for _, spec := range c.Flags {
			for _, n := range spec.Names {
				if n == name {
					return spec
				}
			}
		}
	}
	return nil
}

// choices lists the words that a flag takes, if they are few.
func (t *tree) choices(spec *argv.Flag) (words []suggestion) {
	if spec == nil {
		return nil
	}
	if spec.Bool {
		return []suggestion{{"true", ""}, {"false", ""}}
	}
	if generic, ok := t.flags[spec].(*cli.GenericFlag); ok {
		if c, ok := generic.Value.(*choice); ok {
			for _, w := range c.choices {
				words = append(words, suggestion{w, ""})
			}
		}
	}
	return words
}

// flagWords lists the long spellings of all flags of path, the verb's first.
func (t *tree) flagWords(path []*argv.Command) (words []suggestion) {
	for level := len(path) - 1; level >= 0; level-- {
		for _, spec := range path[level].Flags {
			f, ok := t.flags[spec].(cli.DocGenerationFlag)
			if !ok {
				continue
			}
			_, usage := splitUsage(f.GetUsage())
			words = append(words, suggestion{"--" + spec.Name(), usage})
			if spec.OnOff {
				words = append(words, suggestion{"--no-" + spec.Name(), "not: " + usage})
			}
		}
	}
	return append(words, suggestion{"--help", "show help"})
}
