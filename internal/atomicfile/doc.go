// Package atomicfile writes files that are there whole or not at all.
//
// A file is written under a temporary name in its own directory, mode 0600,
// flushed to the disk, then given its name, and the directory is flushed. A
// Set does this for several files: either all of them appear or none does, and
// what was there before stays. No existing file is replaced without Force.
//
// A cancelled context (SIGINT) makes every write and Commit fail; Abort then
// removes what was begun. After a SIGKILL only files named .NAME.tmp-* remain,
// which the next one that writes NAME removes.
package atomicfile
