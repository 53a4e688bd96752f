//go:build !linux

package clock

import "errors"

func threadCPU() (ns, preempted int64, ok bool) { return 0, 0, false }
func allowedCPUs() []int                        { return nil }
func pin(int) error {
	return errors.New("this system has no way to bind a thread to a CPU that ringtrace knows")
}
func syscallReader(int32) func() int64       { return nil }
func rusageReader(func() int64) func() int64 { return nil }
