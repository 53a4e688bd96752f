// Package sqlplus talks to a sqlplus child: one command at a time, each answer
// between marks of its own, with time-outs that end in a dead child and never
// in a guess. It also runs queries through the same child, as a database/sql
// driver, so that a host with nothing but sqlplus is enough.
//
// # A conversation
//
// The child is started as `sqlplus -S -L /nolog`; CONNECT and the password go
// over its standard input. Every command is sent between two PROMPT lines with
// a random word that nobody else knows, and what is printed between the two
// marks is its answer (facts/test-bed.md F). An answer without its second mark
// is lost: the child is killed, and nothing is made of what came.
//
// Whether a command worked is read from the text, never from an exit status
// (facts/views-and-sqlplus.md 3.4).
//
// # Queries
//
// SQL*Plus lays out columns for people. Query therefore wraps a statement so
// that each row is one text with fields that hold no blank, no line end and no
// separator, with the length of every value beside it. NULL is told from a
// value; dates are told from text by NLS formats that begin with a random word.
// Arguments become literals (see Literal), because VARIABLE has no assignment
// that takes every value in every release.
//
// # Assumed
//
// Not proven on a real sqlplus: that PROMPT reaches a pipe at once (SET FLUSH
// ON is the documented default), and what exactly SIGINT does to a child that
// reads from a pipe (facts/test-bed.md F). Both only cost a time-out if wrong.
// That REPLACE shortens a value beyond 4,000 bytes or refuses it: both are
// noticed by the length and lead to the long form. That a bequeathed server
// process is named oracle… (LOCAL=…): it only matters for whom SIGKILL spares.
package sqlplus
