//go:build !(linux && amd64)

package clock

// readVDSO is never called: vdsoEntry finds no entry here. On arm64 a signal
// inside the vDSO needs the runtime's own bookkeeping
// (facts/clock-and-overhead.md B), so nanotime is used there.
func readVDSO(uintptr, int32) int64 { panic("no vDSO on this system") }

func vdsoEntry() uintptr { return 0 }
