// Package campaigns looks after the journals in the state directory: it lists
// and shows them, lets a person resolve what a crash left open, and rebuilds a
// journal from the log that a generated script spooled, so that a script run by
// somebody else can be undone.
//
// It talks to no database.
package campaigns

import (
	"strings"
	"time"

	"ringtrace/internal/journal"
)

// Store is the state directory with what is needed to write to it.
type Store struct {
	Dir journal.Dir
	Now func() time.Time
	Who journal.Actor
	// Undo makes the line that takes a campaign back; source is the connection
	// that it was made with, empty if that is not known. nil: the verb and words.
	Undo func(source string, words ...string) string
}

func (s Store) undo(source string, words ...string) *string {
	if s.Undo == nil {
		return text("ringtrace disable " + strings.Join(words, " "))
	}
	return text(s.Undo(source, words...))
}
