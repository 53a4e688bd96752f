// Package plan decides what a campaign does to which session, in which script
// part, and how it is undone; generate writes it as files (internal/spool) and
// the controller carries it out.
//
// A Plan is made once from a Request and does not change. Script hands one part
// of it to a template: header facts and, one by one, the blocks of sessions.
package plan
