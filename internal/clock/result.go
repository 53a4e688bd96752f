package clock

import "math"

// Result is what a measurement found, in the form of `timing -o json`.
type Result struct {
	Clock       string      `json:"clock"`
	Method      Method      `json:"method"`
	DurationS   float64     `json:"duration_s"`
	Loops       uint64      `json:"loops"`
	AverageNS   float64     `json:"average_ns"`
	MedianNS    *float64    `json:"median_ns"`       // nil: too coarse to tell
	TrimmedNS   *float64    `json:"trimmed_mean_ns"` // likewise
	Histogram   []Bin       `json:"histogram"`
	Observed    []Observed  `json:"observed"`
	LargestNS   int64       `json:"largest_ns"`
	Backwards   Backwards   `json:"backwards"`
	Clocksource Clocksource `json:"clocksource"`
	VDSO        *bool       `json:"vdso"`       // nil: not known on this system
	SyscallNS   *float64    `json:"syscall_ns"` // median
	CPUWall     *float64    `json:"cpu_wall_ratio"`
	Grade       Grade       `json:"grade"`
	Advice      []string    `json:"advice"`

	PerReadNS   *float64  `json:"per_reading_ns"` // the median, or its like where the counter advances in steps
	QuantumNS   *int64    `json:"quantum_ns"`     // width of such steps; nil: none seen
	StepNS      int64     `json:"step_ns"`        // smallest difference above 0
	ZeroPercent float64   `json:"zero_percent"`
	Coarse      bool      `json:"coarse"`
	Preempted   *int64    `json:"preempted"`
	Bias        *string   `json:"bias"`
	Others      []Other   `json:"others"`
	CrossCPU    *CrossCPU `json:"cross_cpu"`
	TSC         *TSCFacts `json:"tsc"`
	MarkedLoops uint64    `json:"marked_loops"` // after the clock source changed; counted nowhere else
	CPU         *int      `json:"cpu"`          // bound to
	Host        string    `json:"host"`
	Kernel      *string   `json:"kernel"`
	Container   bool      `json:"container"`
	At          string    `json:"at"` // RFC 3339
	Micros      *Micros   `json:"-"`

	gap    bool
	cutoff float64
}

// Backwards counts readings that were before the one before.
type Backwards struct {
	Count   uint64 `json:"count"`
	Largest int64  `json:"largest_ns"`
	Steps   bool   `json:"may_step"` // NTP may set this clock: no fault of the host
}

// Other is another clock measured shortly for comparison.
type Other struct {
	Clock    string  `json:"clock"`
	Method   Method  `json:"method"`
	MedianNS float64 `json:"median_ns"`
}

// TSCFacts are of the processor's counter.
type TSCFacts struct {
	CalibratedKHz int64  `json:"calibrated_khz"`
	StatedKHz     *int64 `json:"stated_khz"` // by processor or hypervisor
	Invariant     bool   `json:"invariant"`
}

// Micros is a histogram in PostgreSQL 9.2 to 18's microseconds.
type Micros struct {
	AverageNS float64
	Bins      []MicroBin
}

// MicroBin counts differences below Below µs, from half of that on.
type MicroBin struct {
	Below   int64
	Count   uint64
	Percent float64
}

// wentBackwards reports what PostgreSQL would end with code 1 for.
func (r *Result) wentBackwards() bool {
	return !r.Backwards.Steps && r.Backwards.Count > 0 || r.CrossCPU != nil && r.CrossCPU.Count > 0 && !r.Backwards.Steps
}

// Failed reports that time ran backwards on a clock that must not.
func (r *Result) Failed() bool { return r.wentBackwards() }

// Busy reports by how much preemption inflates the average; 0 if the loop had
// its CPU for 90 % of the time, or that is not known.
func (r *Result) Busy() float64 {
	if r.CPUWall == nil || *r.CPUWall >= 0.9 || r.MedianNS == nil || *r.MedianNS <= 0 {
		return 0
	}
	return r.AverageNS / deref(r.PerReadNS)
}

func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
