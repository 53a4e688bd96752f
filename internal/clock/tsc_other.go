//go:build !amd64

package clock

const haveTSC = false

func rdtsc() int64       { panic("no time stamp counter") }
func rdtscp() int64      { panic("no time stamp counter") }
func hasRDTSCP() bool    { return false }
func invariantTSC() bool { return false }
func statedTSC() int64   { return 0 }
