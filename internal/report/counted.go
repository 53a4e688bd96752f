package report

import "fmt"

// some puts a number before one of two phrases: "1 record stands", "2 records stand".
func some(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// covered says how much time the report is about. Of several sessions it is the
// sum, which is longer than the span between the first and the last moment.
func (m *Model) covered() string {
	if n := m.sessionCount(); n != 1 {
		return fmt.Sprintf("%s, summed over %s,", span(m.Time.ElapsedUS), count(n, "session"))
	}
	return span(m.Time.ElapsedUS) + " of 1 session"
}

// fileCount counts the files that the report is about: all that were read, or
// those that a selection left something of.
func (m *Model) fileCount() int {
	if !m.bounded {
		return len(m.Files)
	}
	seen := map[string]bool{}
	for i := range m.Sessions {
		seen[m.Sessions[i].File] = true
	}
	return len(seen)
}

// damaged counts what could not be read. It is counted before anything is
// selected.
func (m *Model) damaged() string {
	s := fmt.Sprintf("%s, %s not understood", count(m.Coverage.DamagedRecords, "damaged record"), count(m.Coverage.UnknownLines, "line"))
	if n := len(m.Files); m.bounded && n > m.fileCount() {
		s += fmt.Sprintf(" in the %s that were read", count(n, "file"))
	}
	return s
}

// Words counts the ends of transactions.
func (t *Transactions) Words() string {
	return count(t.Commits, "commit") + ", " + count(t.Rollbacks, "rollback")
}

// Textless counts the statements without a text, with the verb.
func (c *Coverage) Textless() string {
	return fmt.Sprintf("%d of %s", c.UnknownStatements, some(c.Statements, "statement has", "statements have"))
}
