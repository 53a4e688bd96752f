package estimate

import (
	"time"

	"ringtrace/sessions"
)

// Range is a share of one CPU in percent.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Session is one session's estimate.
type Session struct {
	InstID         int      `json:"inst_id"`
	SID            int      `json:"sid"`
	Serial         int      `json:"serial"`
	Username       string   `json:"username"`
	LinesPerS      float64  `json:"lines_per_s"` // median of the windows
	BytesPerS      float64  `json:"bytes_per_s"`
	BusiestBytes   float64  `json:"busiest_bytes_per_s"`
	History        *float64 `json:"ring_history_s"` // nil: it writes nothing
	HistoryBusiest *float64 `json:"ring_history_busiest_s"`
	Overhead       Range    `json:"overhead_cpu_pct"`
	Records        []Record `json:"records"`

	key   sessions.Key
	means float64 // bytes a second over all windows
}

// Record is a record type's part, over all windows.
type Record struct {
	Kind      string  `json:"kind"`
	PerS      float64 `json:"per_s"`
	LinesPerS float64 `json:"lines_per_s"`
	BytesPerS float64 `json:"bytes_per_s"`
}

// Totals are of all sessions.
type Totals struct {
	RingMemory        int64   `json:"ring_memory_bytes"`
	UnbufferedPerHour int64   `json:"unbuffered_bytes_per_hour"`
	LinesPerS         float64 `json:"lines_per_s"`
	Overhead          Range   `json:"overhead_cpu_pct"` // of one CPU
}

// Result is in the form of `estimate -o json`.
type Result struct {
	WindowS  float64   `json:"window_s"`
	Basis    string    `json:"basis"` // WindowsBasis or SinceLogonBasis
	At       time.Time `json:"at"`    // of the last snapshot
	Windows  int       `json:"windows"`
	Ring     int64     `json:"ring_bytes"`
	Sessions []Session `json:"sessions"`
	Totals   Totals    `json:"totals"`
	Cost     Cost      `json:"cost"`
	Gone     int       `json:"gone"` // sessions that ended meanwhile
	Advice   []string  `json:"advice"`
	Warnings []string  `json:"warnings"`
}

// What the rates are averages over: the windows that were watched, or each
// session's life so far (the short form; window_s is then 0).
const (
	WindowsBasis    = "windows"
	SinceLogonBasis = "since_logon"
)

// Cost is what a trace line costs in microseconds of CPU.
type Cost struct {
	LowUS    float64 `json:"low_us_per_line"`
	HighUS   float64 `json:"high_us_per_line"`
	Measured bool    `json:"measured"` // by `ringtrace overhead` on this database
	Source   string  `json:"source"`
}

// PublishedCost is used until `overhead` has run: the floor of formatting and
// three system calls as measured on one host, and what 3,000,405 lines cost a
// 19c database (facts/clock-and-overhead.md C).
func PublishedCost() Cost {
	return Cost{LowUS: 1.2, HighUS: 15.7, Source: "from the floor of the system calls, measured on one host, to what was published of 19c at level 12"}
}
