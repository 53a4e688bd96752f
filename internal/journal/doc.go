// Package journal is ringtrace's memory of what it did to a database: one
// append-only file of checksummed, chained JSON lines per campaign, made
// durable before and after every change, so that whatever was switched on can
// be switched off again after a crash, by somebody else, from another host.
//
// The format is specified, with test vectors, in docs/journal-format.md; the
// tests of this package read the vectors from that document.
//
// Three layers, from the file up:
//
//   - Reader turns bytes into records and names every byte that is not one
//     (Damage). It never drops anything silently.
//   - Journal appends: Begin before a change, End after it, each returning only
//     when the record is on disk.
//   - Campaign folds the records into the state of each session, and says what
//     is dirty: an intent without an outcome, a run without an end.
//
// The checksums find damage, not malice: whoever can write the file can also
// compute them. The package uses the standard library only, reads neither the
// clock nor the environment, and knows nothing of Oracle beyond identities.
package journal
