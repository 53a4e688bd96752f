// Package sight looks at trace files without touching the process that writes
// them: what was appended, and what it tells. Every ORADEBUG command would
// interrupt its target and leave two lines in its ring (DESIGN.md 1).
//
// Local reads files of this host, Views asks V$DIAG_TRACE_FILE (12.2 and
// later), Chain takes the first that can see a file. Where none can, Piece.Seen
// is false and the caller says UNKNOWN instead of guessing.
//
// Scan reads what was appended, piece by piece, and reports the errors that
// fired. A file with only a header and markers holds none.
package sight
