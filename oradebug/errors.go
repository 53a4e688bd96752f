package oradebug

import "fmt"

// SpecError is a refused event text: the place, and the error that Oracle
// would raise for it (facts/oradebug.md 2.4).
type SpecError struct {
	Column  int    // 1-based, in bytes of the event text
	ORA     int    // 49101 … 49174, or 2194 before 11g
	Message string // Oracle's text, without the ORA- number
	// Mixed says that old and new style stand in one event.
	Mixed bool
	// Hint says what to write instead; may be empty.
	Hint string
	// Text is the whole event text, for ORA-49100.
	Text string
}

func (e *SpecError) Error() string {
	return fmt.Sprintf("column %d: ORA-%05d: %s", e.Column, e.ORA, e.Message)
}

// Lines returns what SQL*Plus shows for the refusal: the pair ORA-49100 and
// the detail from 11g on, one line before (facts/oradebug.md 0.4).
func (e *SpecError) Lines() []string {
	detail := fmt.Sprintf("ORA-%05d: %s", e.ORA, e.Message)
	if e.ORA < 49100 || e.ORA > 49199 {
		return []string{detail}
	}
	return []string{fmt.Sprintf("ORA-49100: Failed to process event statement [%s]", e.Text), detail}
}

// CommandError is a refused ORADEBUG command line.
type CommandError struct {
	Column  int    // 1-based, in bytes of the line
	ORA     int    // 70, 71, 73, 76 …
	Message string // Oracle's text, without the ORA- number
	Hint    string
	// Err is the *SpecError of an event text, with the column of the text.
	Err error
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("column %d: ORA-%05d: %s", e.Column, e.ORA, e.Message)
}

// Unwrap returns the *SpecError, if the fault is in the event text.
func (e *CommandError) Unwrap() error { return e.Err }
