package report

import "fmt"

// Verdict answers the first question: what failed, with which values, and what
// led to it. It is nil where no error was found.
type Verdict struct {
	ORA         int64          `json:"ora"`
	Message     *string        `json:"message"`
	Meaning     *string        `json:"meaning"` // Oracle's usual text, where the trace has none
	At          *string        `json:"at"`
	AccuracyUS  int64          `json:"accuracy_us"`
	File        string         `json:"file"`
	Line        int64          `json:"line"`
	Source      string         `json:"source"`
	Session     string         `json:"session"`
	SessionInfo []Pair         `json:"session_info"`
	SQLID       *string        `json:"sql_id"`
	Text        *string        `json:"text"`
	TextSource  string         `json:"text_source"`
	SQLSource   string         `json:"sql_source"`
	Inferred    bool           `json:"inferred"`
	Statement   int            `json:"statement"`
	Name        string         `json:"statement_name"` // its SQL id, or the cursor number it ran under
	DumpFile    *string        `json:"dump_file"`      // where it is not that of the error
	DumpLine    int64          `json:"dump_line"`
	Execution   int64          `json:"execution"`
	Depth       int64          `json:"depth"`
	Binds       []Bind         `json:"binds"`
	BindLine    int64          `json:"bind_line"`
	WithValues  *string        `json:"text_with_values"`
	PlanHash    int64          `json:"plan_hash"`
	PLSQL       []string       `json:"plsql"`
	Frames      []string       `json:"frames"`
	Stack       []string       `json:"error_stack"`
	InFlight    []Flight       `json:"in_flight"`
	Before      []Row          `json:"before"` // what the session did last
	RowsSoFar   *int64         `json:"rows_so_far"`
	Took        *Took          `json:"took"` // of the failing execution; null where its line never came
	Others      int64          `json:"other_errors"`
	ErrorIndex  int            `json:"-"`
	Transaction *OpenTx        `json:"open_transaction"`
	Deadlock    *Deadlock      `json:"deadlock"`
	Sides       []DeadlockSide `json:"deadlock_sides"`
	CalledBy    *Caller        `json:"called_by"` // the call at depth 0 around a recursive one
	Apart       string         `json:"apart"`     // why it is not the campaign's: not_watched, before_arming, not_armed
}

// Took is how long a failing execution ran, and what it waited for most.
type Took struct {
	ElapsedUS   int64   `json:"elapsed_us"`
	CPUUS       int64   `json:"cpu_us"`
	LongestWait *string `json:"longest_wait"` // with what its parameters name
	LongestUS   int64   `json:"longest_wait_us"`
}

// Told says it in a line.
func (t *Took) Told() string {
	s := "it took " + span(t.ElapsedUS)
	if t.LongestWait != nil && t.LongestUS >= 1000 {
		s += fmt.Sprintf(", of which it waited %s: %s", span(t.LongestUS), *t.LongestWait)
	}
	return s
}

// Pair is a name and a value.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Flight is a call that had not completed when the trace ended.
type Flight struct {
	Depth     int64  `json:"depth"`
	What      string `json:"what"`
	ElapsedUS int64  `json:"elapsed_us"`
	Children  int64  `json:"children"`
	Line      int64  `json:"line"`
}

// OpenTx is what a session had changed and not yet committed.
type OpenTx struct {
	Line       int64    `json:"line"`
	Executions int64    `json:"executions"`
	Rows       int64    `json:"rows"`
	Statements []string `json:"statements"`
	Changed    []int64  `json:"rows_by_statement"`
}
