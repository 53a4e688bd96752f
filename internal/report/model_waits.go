package report

// WaitTable sums the waits of an event by what their parameters name.
type WaitTable struct {
	By string `json:"by"` // file, block, lock mode, lock, latch, latch address, idn, …
	// Estimated: beyond the first waits of the event the shorter ones are samples.
	Estimated bool      `json:"estimated"`
	Rows      []WaitFor `json:"rows"` // the ten that took longest
	Others    *WaitFor  `json:"others"`
}

// WaitFor is a row of it. P1 and P2 are the values that Name is made of.
type WaitFor struct {
	Name    string  `json:"name"`
	P1      int64   `json:"p1"`
	P2      *int64  `json:"p2"`
	SQLID   *string `json:"sql_id"` // of an idn, where one statement has that hash value
	Count   int64   `json:"count"`
	TotalUS int64   `json:"total_us"`
	MaxUS   int64   `json:"max_us"`
}

// RecursiveSYS sums what SYS ran below one statement: dictionary look-ups, space
// management. Parent is the nearest caller that is no such statement itself; null
// where it is not in the trace.
type RecursiveSYS struct {
	Parent     *string  `json:"parent"`
	Statement  int      `json:"statement"` // number of the parent; 0 none
	Parse      Calls    `json:"parse"`
	Exec       Calls    `json:"exec"`
	Fetch      Calls    `json:"fetch"`
	SelfUS     int64    `json:"elapsed_self_us"`
	Statements []string `json:"statements"` // SQL ids, those that took longest first
	Numbers    []int    `json:"numbers"`    // of these statements
	group      int      // of parents that differ in literals
}
