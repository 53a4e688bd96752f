// Package oradebug is the language that Oracle's ORADEBUG command and its
// event specifications are written in: parsed and printed both ways, and the
// replies that sqlplus shows for them.
//
// It is pure: no input or output, no clock, standard library only. The names
// it knows live in package catalog. Facts come from facts/oradebug.md; the
// section is named where a fact is used. A trigger that no public source
// shows is marked "assumed" there.
//
// # Event specifications
//
//	spec      = event { ":" event }
//	event     = "immediate" ( "trace" oldspecs | action { action } )
//	          | id [ scope ] { filter } [ params ] { action } [ "off" ]
//	          | id ( "trace" oldspecs | "crash" quals | "debugger" quals )
//	oldspecs  = "name" dump quals { ";" "name" dump quals }
//	id        = number | [ library "." ] name [ "[" item { "|" item } "]" ]
//	scope     = "[" name ":" value { "|" value } "]"
//	filter    = "{" name ":" params { "|" name ":" params } "}"
//	action    = [ library "." ] name [ "(" params ")" ]
//
// New-style actions are parted by white space, old-style names by ";", events
// by ":" (facts/oradebug.md 3.2).
package oradebug
