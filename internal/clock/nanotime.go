package clock

import _ "unsafe" // for go:linkname

// nanotime is the runtime's monotonic clock. The runtime keeps this name for
// others (its comment: issue 67401); time.Since would cost 2.5 ns more.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64
