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

// Words counts the ends of transactions.
func (t *Transactions) Words() string {
	return count(t.Commits, "commit") + ", " + count(t.Rollbacks, "rollback")
}

// Textless counts the statements without a text, with the verb.
func (c *Coverage) Textless() string {
	return fmt.Sprintf("%d of %s", c.UnknownStatements, some(c.Statements, "statement has", "statements have"))
}
