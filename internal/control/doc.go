// Package control carries out a plan in a live database and takes it back: the
// only place that changes anything there.
//
// # Seams
//
// A Runner holds one target: it attaches, proves whom it holds, hands the
// target to the work function and lets go of it, all in one locked
// conversation, so that no command can reach another process. A Recorder makes
// every intent durable before the first command and every outcome after the
// last (*journal.Journal). Dry-run is another Runner and another Recorder
// (DryRunner, DryRecorder), never an if. Console is the Runner over a
// Conversation, which is a sqlplus child or a simulated one. Package controltest
// holds what every Runner must do.
//
// # One session
//
// arm: intent (fsync) · setmypid · setorapid · the reply's pid pair and image ·
// the identity query · eventdump session and process · evidence (fsync) · the
// events · eventdump · the identity query again · tracefile_name · setmypid ·
// outcome (fsync). What eventdump shows newly is the proof; `Statement
// processed.` proves nothing (facts/oradebug.md 0).
//
// disarm: the same proof of the process; then only what stands in the journal
// and shows in eventdump is turned off, what somebody else has set is left or
// set again; then the ring, flush, close_trace.
//
// # Whose is what
//
// Events belong to the session, the ring to the process incarnation (inferred,
// facts/oradebug.md 4). A process that is gone needs nothing; one that carries
// another session now is relieved of the ring alone.
//
// # Who builds on it
//
// internal/watch arms newcomers and follows fires over Controller.Arm, Disarm
// and Flush, with the lock and the run held. Preflight, Waves, Enable, Disable,
// FlushRun, Orphans and Status are the verbs; cmd only reads flags and prints.
package control
