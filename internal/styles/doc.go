// Package styles makes the scripts that do not name sessions: generator (finds
// them when it runs), alter-session (arms whoever runs it) and logon-trigger
// (arms sessions to come), each with its undo. Their templates stand beside
// the others; what differs from session to session is worked out here.
//
// The scripts hold texts from the database and the command line only as
// literals built by literal, as identifiers checked by quoted, and in comments
// made safe by templates.Comment.
package styles
