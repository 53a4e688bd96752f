package argv

// Add sets a flag at a level of the path (0 is the root), after those that
// are there.
func (l *Line) Add(level int, f *Flag, value string) {
	l.given[level] = append(l.given[level], Given{f, value})
}

// Has reports whether the flag is set.
func (l *Line) Has(f *Flag) bool {
	for _, given := range l.given {
		for _, g := range given {
			if g.Flag == f {
				return true
			}
		}
	}
	return false
}

// Given returns the flags set at a level of the path.
func (l *Line) Given(level int) []Given { return l.given[level] }

// Args returns the line in order, without the program's name: the global
// flags, the verb, its flags, a subcommand, its flags, "--", positionals.
func (l *Line) Args() []string {
	var args []string
	for level, c := range l.Path {
		if level > 0 {
			args = append(args, c.Name)
		}
		for _, g := range l.given[level] {
			args = append(args, "--"+g.Flag.Name()+"="+g.Value)
		}
	}
	if l.Help {
		args = append(args, "--help=true")
	}
	if len(l.Positionals) > 0 {
		args = append(append(args, "--"), l.Positionals...)
	}
	return args
}
