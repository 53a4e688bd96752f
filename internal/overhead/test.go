package overhead

// Test is one workload measured in all states: a table.
type Test struct {
	Name   string   `json:"name"`
	K      int      `json:"k"`      // executions that one value sums up
	Rounds int      `json:"rounds"` // completed
	Seed   int64    `json:"seed"`
	States []Figure `json:"states"`

	Warnings []string `json:"warnings"`
	Order    []string `json:"order"`     // states of all rounds, one string a round
	ClockNS  *float64 `json:"clock_ns"`  // of one reading, when it was measured on this host
	Complete bool     `json:"complete"`  // false: it ended before the last round
	Simulate bool     `json:"simulated"` // not a database
	Origin   string   `json:"source"`    // what was measured
}

// Figure is one state's row.
type Figure struct {
	State         State       `json:"state"`
	Elapsed       []float64   `json:"elapsed_s"`
	Average       *float64    `json:"average_s"`
	Median        *float64    `json:"median_s"`
	OverheadPct   *float64    `json:"overhead_pct"`    // of the averages, as the classic table
	OverheadHLPct *float64    `json:"overhead_hl_pct"` // Hodges–Lehmann over pairs of a round
	CI            *[2]float64 `json:"ci_pct"`
	Confidence    *float64    `json:"confidence"`
	CPUPct        *float64    `json:"cpu_overhead_pct"`
	CPUCI         *[2]float64 `json:"cpu_ci_pct"`
	Lines         *int64      `json:"lines"` // of all counted executions
	Bytes         *int64      `json:"bytes"`
	USPerLine     *float64    `json:"us_per_line"`
	CPUUSPerLine  *float64    `json:"cpu_us_per_line"` // Hodges–Lehmann of CPU, which a busy host hardly moves
	NSPerRow      *float64    `json:"ns_per_row"`
	NSPerRowCI    *[2]float64 `json:"ns_per_row_ci"`
	Verdict       string      `json:"verdict"`
	Unavailable   string      `json:"unavailable,omitempty"` // why the state was not measured
	Outliers      []int       `json:"outliers"`              // places in elapsed_s

	rounds []sample // by round; round without a value: ok is false
}

// sample is what one timed value knows.
type sample struct {
	ok           bool
	elapsed, cpu float64 // seconds
	haveCPU      bool
	rows         int64
	lines, bytes int64
	haveTrace    bool
}

func (t *Test) figure(s State) *Figure {
	for i := range t.States {
		if t.States[i].State == s {
			return &t.States[i]
		}
	}
	return nil
}
