package report_test

import (
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestSelectionsTogetherDoNotContradict: what one says of "all" is what the others
// leave.
func TestSelectionsTogetherDoNotContradict(t *testing.T) {
	const (
		sql     = "errors, story, times, totals, waits and findings are those of these statements; "
		counted = "counted is only session 101.5, module x; FILES tells of whole files"
	)
	read, id, ora := []string{"session 101.5", "module x"}, []string{"aaaaaaaaaaaa1"}, []int64{1555}
	for _, c := range []struct {
		name string
		opt  report.Options
		want []string
	}{
		{"session", report.Options{Read: read}, []string{"nothing else is counted; FILES tells of whole files"}},
		{"error", report.Options{ORA: ora}, []string{"only errors of these numbers are told; times and statements are those of all"}},
		{"sql", report.Options{SQL: id}, []string{sql + "coverage, transactions, sessions and FILES are not narrowed"}},
		{"session and error", report.Options{Read: read, ORA: ora}, []string{counted, "only errors of these numbers are told; times and statements are those of all that is counted"}},
		{"session and sql", report.Options{Read: read, SQL: id}, []string{counted, sql + "coverage, transactions and sessions are those of all that is counted"}},
		{"all", report.Options{Read: read, SQL: id, ORA: ora}, []string{counted, sql + "coverage, transactions and sessions are those of all that is counted", "only errors of these numbers are told"}},
	} {
		equal(t, c.name, strings.Join(ring(t, c.opt).Narrowed, "\n"), strings.Join(c.want, "\n"))
	}
}
