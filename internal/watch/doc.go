// Package watch follows a pool of sessions: it arms newcomers, drops those that
// left, notices errors that fired, and acts on them, for as long as it is told
// to.
//
// # One step
//
// Every interval: list the sessions, look at the trace files of those that are
// armed, react to fires, take back what leavers may have left in their process,
// arm newcomers within the limits. The list asks V$SESSION and V$PROCESS alone
// (and V$CONTAINERS for their names), the files are looked at from outside; a
// target is touched only to arm, re-arm, flush or disarm it.
//
// # What it survives
//
// A lost connection is opened again, with a growing pause. An instance that was
// restarted closes its sessions as gone. After its own death the journal tells
// what was on: a run with Resume goes on with the same campaign, takes back
// what is uncertain first, and finds again what fired meanwhile.
//
// Everything from outside is injected (clock, sleep, source, runner, sight), so
// tests run without waiting.
package watch
