// Package oraerr reads ORA error numbers as people write them and says what
// is known of each: whether an event on it makes sense, how noisy it is, what
// it means for the run of a program that meets it. Pure, standard library
// only (and exit, which is pure too).
//
// Facts come from facts/oradebug.md 3.3, 7 and 7.1.
package oraerr
