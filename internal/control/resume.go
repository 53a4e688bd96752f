package control

import "ringtrace/internal/journal"

// Settle ends what a crash left open in a journal: nobody knows what became of
// those sessions. Disable and a resumed watch begin with it.
func Settle(o *journal.Opened, say func(string)) error {
	return (&Disable{Say: say}).settle(o)
}

// NoteRestarts writes down which instances of a journal were restarted since:
// nothing that we set is left there.
func NoteRestarts(o *journal.Opened, p *Place, say func(string)) error {
	return (&Disable{Place: p, Say: say}).restarts(o)
}

// Relate compares a recorded instance with the one seen now.
func Relate(recorded, now journal.Instance) journal.Relation { return relate(recorded, now) }
