package instance

import "maps"

// Counts is what the database counts of a session's work: the sources of
// V$SESSTAT, V$SESSION_EVENT and V$OPEN_CURSOR.
type Counts struct {
	Executes, Parses, UserCalls, Commits, Opened int64
	Waits                                        map[string]int64  // by event
	Cursors                                      map[string]Cursor // by SQL_ID
}

// Cursor is a statement that a session has open.
type Cursor struct {
	Text             string
	Binds, PlanLines int
}

// Count adds work to the session's counts. Under the lock.
func (s *Session) Count(c *Counts) {
	n := &s.Counts
	n.Executes, n.Parses, n.UserCalls = n.Executes+c.Executes, n.Parses+c.Parses, n.UserCalls+c.UserCalls
	n.Commits, n.Opened = n.Commits+c.Commits, n.Opened+c.Opened
	if n.Waits == nil {
		n.Waits, n.Cursors = map[string]int64{}, map[string]Cursor{}
	}
	for event, k := range c.Waits {
		n.Waits[event] += k
	}
	maps.Copy(n.Cursors, c.Cursors)
}
