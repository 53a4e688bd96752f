// Package collect finds the trace files of a campaign, fetches them from where
// they lie, and packs them into one bundle (package bundle) that says what it
// holds, what is missing, and why.
//
// # Finding
//
// A path is always one that somebody reported: the journal (ORADEBUG
// TRACEFILE_NAME, or a script's log by `campaigns import`), V$PROCESS.TRACEFILE
// of the same process incarnation, a name that stands in a trace or the alert
// log, or a listing of the ADR. No name is built by hand. Beside each path stand
// its segments, its map (.trm), files under another identifier of the same
// process, and what a rotation renamed.
//
// # Fetching
//
// A Source is a place where files can be read: Local, Folder, SSH, SQL. Package
// collecttest holds what each of them must do. A file that only its reader
// judges is judged by content: header and ORADEBUG markers alone are no trace
// text. Text belongs to the session that the trace names before it; what a
// flushed ring holds belongs to the session named after it, when none was named
// inside (facts/oradebug.md 4, inferred).
//
// # What is assumed
//
// No real trace flushed from a ring was seen. The order of rows and the newlines
// of V$DIAG_TRACE_FILE_CONTENTS are not documented (facts/views-and-sqlplus.md
// 1.4): two orders are read and compared, and the manifest says which was taken.
package collect
