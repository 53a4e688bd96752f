// Package explain says in words what an ORADEBUG event text does: its parts,
// the equivalent in the other syntax, how it is turned off, and what a person
// should think over before sending it.
//
// It is pure: text in, a Document out, printed as a tree or as JSON.
package explain
