package argv

import "slices"

// Given is a flag with a value, as the command line or a caller of Add set it.
type Given struct {
	Flag  *Flag
	Value string
}

// Line is a command line in order.
type Line struct {
	// Path is the called command with its parents, the root first; only the
	// root if no verb was given.
	Path []*Command
	// Positionals are the arguments that are neither flags nor commands.
	Positionals []string
	// Help tells that help was asked for, by --help, -h or the word help.
	Help bool

	given [][]Given // by level, as Path
}

// Order reads args (without the program's name) by the command tree under
// root. The *Error it returns is fit for the user; the Line beside it is
// never nil and holds what could be understood.
//
// It works in these steps:
//  1. Find the called command: the longest path in the tree whose names are
//     the first words left over when the flags of that very path are taken
//     out. The flags decide, because in "--x lint generate" it depends on the
//     command whether lint is a value.
//  2. Read all words under that path.
//  3. Refuse contradictions and positionals where none belong.
func Order(root *Command, args []string) (*Line, error) {
	owners := flagOwners(root)
	called, helpWord := findPath(root, owners, args)
	line := &Line{Path: called, Help: helpWord, given: make([][]Given, len(called))}
	w := &walker{path: called, owners: owners, args: args}
	skip := len(called) - 1
	if helpWord {
		skip++
	}
	var first *Error // flag that is wrong, and where
	firstAt, wordAt := len(args), len(args)
	typed := map[*Flag]word{}
	for this, ok := w.read(); ok; this, ok = w.read() {
		err := this.err
		switch {
		case err != nil:
		case this.flag == help:
			line.Help = line.Help || this.value == "true"
		case this.flag != nil:
			err = line.add(this, typed)
		case skip > 0:
			skip--
		default:
			line.Positionals = append(line.Positionals, this.text)
			wordAt = min(wordAt, this.index)
		}
		if first == nil && err != nil {
			first, firstAt = err, this.index
		}
	}
	unknown := line.wrongCommand()
	switch {
	case line.Help && (unknown == nil || unknown.missing):
		return line, nil
	case unknown != nil && unknown.command && (first == nil || first.foreign || wordAt < firstAt):
		return line, unknown // a mistyped verb makes its flags look wrong
	case first != nil && first.foreign && len(called) == 1 && unknown != nil:
		return line, errNoVerbFor(first)
	case first != nil:
		return line, first
	case unknown != nil:
		return line, unknown
	}
	if err := line.opposites(); err != nil {
		return line, err
	}
	return line, nil
}

// findPath finds the called command; with helpWord the first word is "help"
// and the command is what follows it.
func findPath(root *Command, owners map[string][]owner, args []string) (called path, helpWord bool) {
	rootPath := path{root}
	called, bestAt := rootPath, len(args)
	for _, candidate := range rootPath.paths()[1:] {
		words := firstWords(candidate, owners, args, len(candidate))
		isHelp := len(words) > 0 && words[0].text == "help"
		if isHelp {
			words = words[1:]
		}
		if len(words) < len(candidate)-1 {
			continue
		}
		match := true
		for i, c := range candidate[1:] {
			match = match && c.named(words[i].text)
		}
		if !match {
			continue
		}
		at := words[0].index
		if len(candidate) > len(called) || len(candidate) == len(called) && at < bestAt {
			called, bestAt, helpWord = candidate, at, isHelp
		}
	}
	if len(called) == 1 {
		words := firstWords(called, owners, args, 1)
		helpWord = len(words) > 0 && words[0].text == "help"
	}
	return called, helpWord
}

// firstWords returns up to n positionals of args read under p.
func firstWords(p path, owners map[string][]owner, args []string, n int) []word {
	w := &walker{path: p, owners: owners, args: args}
	var words []word
	for len(words) < n {
		this, ok := w.read()
		if !ok {
			break
		}
		if this.flag == nil && this.err == nil {
			words = append(words, this)
		}
	}
	return words
}

// flagOwners maps every spelling of a flag in the tree to the commands that
// have it.
func flagOwners(root *Command) map[string][]owner {
	owners := map[string][]owner{}
	for _, p := range (path{root}).paths() {
		for _, f := range p[len(p)-1].Flags {
			for _, n := range f.Names {
				owners[n] = append(owners[n], owner{f, p})
			}
			if f.OnOff {
				owners["no-"+f.Name()] = append(owners["no-"+f.Name()], owner{f, p})
			}
		}
	}
	return owners
}

// add records a flag; one value may be given any number of times, two
// different ones only to a Repeat flag.
func (l *Line) add(this word, typed map[*Flag]word) *Error {
	before, seen := typed[this.flag]
	if seen && !this.flag.Repeat {
		if before.value == this.value {
			return nil
		}
		return errTwoValues(before, this)
	}
	typed[this.flag] = this
	l.Add(this.level, this.flag, this.value)
	return nil
}

// opposites refuses --x together with --no-x where both are flags of their
// own (--ring 1m --no-ring).
func (l *Line) opposites() *Error {
	for level, given := range l.given {
		for _, g := range given {
			if !g.Flag.Bool || g.Value != "true" {
				continue
			}
			if other := l.opposite(level, g.Flag); other != nil && l.Has(other) {
				if !other.Bool || slices.Contains(l.given[level], Given{other, "true"}) {
					return errOpposites(other, g.Flag)
				}
			}
		}
	}
	return nil
}

// opposite returns the flag x of the same command for the flag no-x.
func (l *Line) opposite(level int, negative *Flag) *Flag {
	for _, f := range l.Path[level].Flags {
		if "no-"+f.Name() == negative.Name() {
			return f
		}
	}
	return nil
}

// wrongCommand tells of a missing or unknown verb or subcommand, and of
// positionals where none are taken.
func (l *Line) wrongCommand() *Error {
	last := l.Path[len(l.Path)-1]
	switch {
	case len(l.Path) == 1 && len(l.Positionals) == 0:
		return errNoVerb(l.Path)
	case len(l.Path) == 1 || last.Group && len(l.Positionals) > 0:
		return errUnknownCommand(l.Path, l.Positionals[0])
	case last.Group:
		return errNoSubcommand(l.Path)
	case len(l.Positionals) > 0 && !last.Args && len(last.Commands) > 0:
		return errUnknownCommand(l.Path, l.Positionals[0])
	case len(l.Positionals) > 0 && !last.Args:
		return errNoArgs(l.Path, l.Positionals[0])
	}
	return nil
}
