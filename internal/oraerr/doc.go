// Package oraerr reads ORA error numbers as people write them and says what
// is known of each: its text, whether an event on it makes sense, and how noisy
// it is. What an error means for a connection is package connect's business.
// Pure, standard library only (and exit, which is pure too).
//
// Facts come from facts/oradebug.md 3.3, 7 and 7.1.
package oraerr
