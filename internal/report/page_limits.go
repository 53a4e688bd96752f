package report

import (
	"fmt"
	"strings"
)

// A page must open at once, whatever the trace: of each list it shows so many,
// of a text so many bytes. JSON has all.
const (
	maxPageText  = 16 << 10
	maxPageDumps = 50
	maxPageList  = 200
)

// forPage returns a copy of the model with its lists cut for a page, and says what
// was left out.
func (m *Model) forPage() (*Model, string) {
	c := *m
	var out []string
	note := func(left int, noun string) {
		if left > 0 {
			out = append(out, count(left, noun))
		}
	}
	c.Dumps = trim(m.Dumps, maxPageDumps)
	note(len(m.Dumps)-len(c.Dumps), "dump")
	c.Deadlocks = trim(m.Deadlocks, maxPageDumps)
	note(len(m.Deadlocks)-len(c.Deadlocks), "deadlock")
	c.Failures = trim(m.Failures, maxPageList)
	note(len(m.Failures)-len(c.Failures), "failure")
	c.Sessions = trim(m.Sessions, maxPageList)
	note(len(m.Sessions)-len(c.Sessions), "session")
	c.Clients = trim(m.Clients, maxPageList)
	note(len(m.Clients)-len(c.Clients), "client")
	c.Files = trim(m.Files, maxPageList)
	note(len(m.Files)-len(c.Files), "file")
	c.Problems = trim(m.Problems, maxPageList)
	note(len(m.Problems)-len(c.Problems), "problem")
	c.Notes = trim(m.Notes, maxPageList)
	note(len(m.Notes)-len(c.Notes), "note")
	c.Waits = trim(m.Waits, maxPageList)
	note(len(m.Waits)-len(c.Waits), "wait event")
	return &c, strings.Join(out, ", ")
}

func trim[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// long cuts a text for a page.
func long(s *string) string {
	if s == nil {
		return ""
	}
	if len(*s) <= maxPageText {
		return *s
	}
	return valid((*s)[:maxPageText]) + fmt.Sprintf("… (%d bytes more, in JSON)", len(*s)-maxPageText)
}
