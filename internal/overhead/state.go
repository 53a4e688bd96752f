package overhead

// State is a way in which the workload runs.
type State string

// The states. Off is what all others are compared with; OffAgain is the same
// and shows what the host's noise alone makes of it.
const (
	Off       State = "off"
	OffAgain  State = "off_again"
	File      State = "file"
	Buffered  State = "buffered"
	Null      State = "null"
	TimingOff State = "timing_off" // PostgreSQL: EXPLAIN ANALYZE, TIMING OFF
	TimingOn  State = "timing_on"  // PostgreSQL: EXPLAIN ANALYZE
)

// OracleStates are the states of an Oracle database, in the order of the table.
func OracleStates() []State { return []State{Off, OffAgain, File, Buffered, Null} }

// PostgresStates are those of PostgreSQL.
func PostgresStates() []State { return []State{Off, OffAgain, TimingOff, TimingOn} }

// Title is the state as the table names it.
func (s State) Title() string {
	switch s {
	case Off:
		return "off"
	case OffAgain:
		return "off (A/A)"
	case File:
		return "trace file"
	case Buffered:
		return "trace buffered"
	case Null:
		return "trace null"
	case TimingOff:
		return "timing off"
	case TimingOn:
		return "timing on"
	}
	return string(s)
}
