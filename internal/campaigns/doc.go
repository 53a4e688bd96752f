// Package campaigns looks after the journals in the state directory: it lists
// and shows them, lets a person resolve what a crash left open, and rebuilds a
// journal from the log that a generated script spooled, so that a script run by
// somebody else can be undone.
//
// It talks to no database.
package campaigns

import (
	"time"

	"ringtrace/internal/journal"
)

// Store is the state directory with what is needed to write to it.
type Store struct {
	Dir journal.Dir
	Now func() time.Time
	Who journal.Actor
}
