package report

import (
	"fmt"

	"ringtrace/tracefile"
)

// failedRun is what the story holds of the failing executions of a statement.
type failedRun struct{ count, elapsed int64 }

// failedRuns sums them by the number of the statement.
func (b *builder) failedRuns() map[int]failedRun {
	runs := map[int]failedRun{}
	for _, s := range b.p.Sessions {
		for _, r := range s.Story {
			st := b.names[r.Statement]
			if st == nil || r.Kind != tracefile.RowExecution || r.ORA == 0 || r.Execs > 1 {
				continue
			}
			f := runs[st.Number]
			f.count, f.elapsed = f.count+1, f.elapsed+r.Elapsed
			runs[st.Number] = f
		}
	}
	return runs
}

// repeatedErrors is worth what the failing executions took, if each is known.
// Else it is worth what all took, and says so.
func (b *builder) repeatedErrors(s *Statement, at []string, failed failedRun) Finding {
	f := Finding{
		"repeated-errors", "fails again and again",
		fmt.Sprintf("%s: %d errors in %d executions.", s.Name, s.Errors, s.Exec.Count), failed.elapsed, at, s.Number, false,
	}
	if failed.count != s.Errors {
		f.SavingUS = sum(s.Parse, s.Exec, s.Fetch).ElapsedUS
		if s.Exec.Count > s.Errors {
			f.Detail += " The seconds are of all of them: the trace does not hold each failing one."
		}
	}
	return f
}
