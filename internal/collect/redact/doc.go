// Package redact takes values out of trace files without changing their
// layout: every record keeps its length, so that offsets, line numbers and a
// parser's view stay what they were.
//
// Bind values and SQL literals become tokens. A token depends on the value and
// a secret key alone, so the same value has the same token in all files of one
// bundle; letters stay letters, digits stay digits. Tokens of short values can
// coincide.
//
// It works by what it knows, not by what it suspects: a line is kept only if it
// has the form of a trace record, a header or a stack frame. Everything else
// (memory dumps, process state, cursor dumps, text of other events) is blanked,
// digit by digit, and counted. What was taken out is then searched in every
// other text that is kept, and again in what comes out.
//
// What stays: lengths, types, times, sql_id and hash values, which are sums of
// the original text and can confirm a guess of it.
package redact
