package oradebug

import "ringtrace/oradebug/catalog"

// Command is one ORADEBUG command line, without substitution variables being
// replaced and without SQL*Plus continuation: both are the caller's business.
type Command struct {
	// Word is the command in upper case ("SETORAPID", "-G"); Typed is what
	// was written.
	Word, Typed string
	// Info is the catalogue's entry; its Name is empty for an unknown command.
	Info catalog.Command
	// Rest is the text behind the command word, trimmed, a final ";" removed.
	Rest string
	// Args are the words of Rest; quoted words keep their quotes.
	Args []string
	// Spec is the parsed event text of EVENT and SESSION_EVENT.
	Spec *Spec
	// Dump is the parsed rest of DUMP and PDUMP.
	Dump *Dump
	// Instances and Inner are the parts of -G and -R.
	Instances string
	Inner     *Command
	// Semicolon says that the line ended in ";".
	Semicolon bool
	// Column and RestColumn are 1-based byte columns of the command word and
	// of Rest in the line as given.
	Column, RestColumn int
}

// Dump is what DUMP and PDUMP ask for.
type Dump struct {
	Name  string // upper case
	Info  catalog.Dump
	Level string // as written; empty if missing
	Addr  string
	// Interval and Count belong to PDUMP.
	Interval, Count string
}
