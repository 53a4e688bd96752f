package catalog

import (
	"slices"
	"strings"
)

// Command is one ORADEBUG command.
type Command struct {
	Name string // upper case
	// Args is the argument syntax as Oracle's own help prints it.
	Args string
	// Min and Max bound the number of words behind the command; Max -1 is open.
	Min, Max int
	// Target says that a process must have been selected first.
	Target bool
	Risk   Risk
	// Since is the oldest release that shows the command in a published list.
	Since string
	// Undocumented commands work but are not in the help list.
	Undocumented bool
	Meaning      string
	// Caution says why the command is not harmless; empty for safe ones.
	Caution string
}

// Commands returns every known command in the order of the fact table.
func Commands() []Command { return slices.Clone(commandTable) }

// LookupCommand finds a command by its word, in any letter case.
func LookupCommand(word string) (Command, bool) {
	for i := range commandTable {
		if strings.EqualFold(commandTable[i].Name, word) {
			return commandTable[i], true
		}
	}
	return Command{}, false
}
