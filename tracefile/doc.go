// Package tracefile reads Oracle extended SQL trace (event 10046) and the dumps
// that are mixed into it, from 8i to 26ai.
//
// It has two layers. The line layer, [Reader], turns a stream of bytes into
// records: one per trace line, or one per SQL text, bind section and so on. It
// never judges or reorders; a damaged line is a record like any other, with
// file, line and offset, and only a failing io.Reader ends the stream. The
// semantic layer, [Analyzer], turns records into a [Profile]: which statement a
// call belongs to, self and inclusive values, waits within and between calls,
// transactions, errors, dumps, and what a circular buffer has lost.
//
// # Units and dialects
//
// Times are the microseconds that the trace itself uses, unless a field says
// otherwise: trace files of 10.2 on Linux count units of 1.024 us and are not
// corrected (neither does tkprof), but the profile says so. What differs from
// release to release is data, see [Dialect]; the header of a file picks it.
//
// # Speed
//
// The reader owns its record and reuses it; Record.Clone keeps one. Lines of the
// usual form take short cuts, of which the tests check that they say what the
// general way says. No line of a database call or wait allocates. Lines may have
// any length; of a line beyond MaxLine only the first MaxLine bytes are kept.
//
// Facts about the format come from facts/trace-format.md (its section numbers
// are in the comments), which says for each fact who saw it.
package tracefile
