// Package drill asks a database what nobody has published: how its release
// treats circular trace buffers and the events that write them. It works
// between a scratch session of its own, A, and a SYSDBA conversation, B, that
// attaches to A. No other session is touched: every command goes through
// control.Console, which proves the process first.
//
// A question is a small experiment whose outcome is read from A's trace file,
// from eventdump or from an answer. What was seen is kept as evidence. An
// experiment that shows neither of its outcomes is "unknown"; it never guesses.
//
// The record is kept for each database version, and `enable --form auto` reads
// it.
package drill
