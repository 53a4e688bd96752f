package report

import "fmt"

// Deadlock is a deadlock graph.
type Deadlock struct {
	File   string         `json:"file"`
	Line   int64          `json:"line"`
	At     *string        `json:"at"`
	Global bool           `json:"global"`
	Edges  []DeadlockEdge `json:"edges"`
	Rows   []DeadlockRow  `json:"rows"`
	SQL    []DeadlockSQL  `json:"sql"`
}

// DeadlockEdge is a resource with its holder and its waiter.
type DeadlockEdge struct {
	Resource string `json:"resource"`
	Blocker  string `json:"blocker"`
	Waiter   string `json:"waiter"`
	Holds    string `json:"holds"`
	Waits    string `json:"waits"`
}

// DeadlockRow is a row that a session waits for.
type DeadlockRow struct {
	Session int64  `json:"session"`
	Object  int64  `json:"object"`
	ROWID   string `json:"rowid"`
	File    int64  `json:"file_no"`
	Block   int64  `json:"block"`
	Slot    int64  `json:"slot"`
}

// DeadlockSQL is what a session of the deadlock ran; session 0 is the trace's.
type DeadlockSQL struct {
	Session int64  `json:"session"`
	SQLID   string `json:"sql_id"`
	Text    string `json:"text"`
	Line    int64  `json:"line"`
	Owner   string `json:"owner"` // whose trace it is, where the graph says "this session"; empty if not known
}

// Who names the session: "this session" of a graph is whoever's trace it stands in.
func (q DeadlockSQL) Who(file string) string {
	switch {
	case q.Session != 0:
		return fmt.Sprintf("session %d", q.Session)
	case q.Owner != "":
		return "session " + q.Owner + " (whose trace this is)"
	}
	return "the session of " + base(file)
}

// Dump is the digest of an error stack or another dump.
type Dump struct {
	File     string   `json:"file"`
	Line     int64    `json:"line"`
	EndLine  int64    `json:"end_line"`
	Bytes    int64    `json:"bytes"`
	Kind     string   `json:"kind"`
	Level    int64    `json:"level"`
	At       *string  `json:"at"`
	Stack    []string `json:"error_stack"`
	SQLID    *string  `json:"sql_id"`
	SQLText  *string  `json:"sql_text"`
	PLSQL    []string `json:"plsql"`
	Frames   []string `json:"frames"`
	Cursors  []Cursor `json:"cursors"`
	Sections []Place  `json:"sections"`
}

// Cursor is a cursor of a cursor dump.
type Cursor struct {
	Number int64  `json:"number"`
	State  string `json:"state"`
	Line   int64  `json:"line"`
	Binds  []Bind `json:"binds"`
}

// Place is a titled line.
type Place struct {
	Title string `json:"title"`
	Line  int64  `json:"line"`
}

// Incident is a link to an incident's dump file.
type Incident struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Number int64  `json:"incident"`
	Path   string `json:"path"`
	ORA    int64  `json:"ora"`
	Text   string `json:"text"`
}

// Marker is an ORADEBUG command in the trace.
type Marker struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Number  int64  `json:"number"`
	Command string `json:"command"`
	State   string `json:"state"`
}

// LOB sums the LOB calls of one name.
type LOB struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Calls Calls  `json:"calls"`
	File  string `json:"file"`
	Line  int64  `json:"line"` // of the first
}

// Longest is a long single call or wait.
type Longest struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	TimeUS int64  `json:"time_us"`
	What   string `json:"what"`
	Name   string `json:"statement"`
}
