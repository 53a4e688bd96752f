//go:build unix

package tracefile_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strconv"
	"syscall"
	"testing"
	"time"

	"ringtrace/tracefile"
)

// benchInputs are real traces of different kinds.
var benchInputs = []struct{ name, file string }{
	{"waits", "oravm1_ora_26226_S1.trc"},  // 11.2: physical reads, one by one
	{"recursive", "js122a1_ora_9850.trc"}, // 12.2: recursive SQL with bind values, half of the text
	{"rac", "js122a1_ora_9854.trc"},       // 12.2: parses, plans and calls
	{"merged", "main.trc"},                // 12.2: several sessions, merged by trcsess
}

// maxMemory is what a profile of a file of any size may take, in bytes.
const maxMemory = 64 << 20

// BenchmarkProfile makes the full profile, all that `ringtrace report` prints
// from, of files of RINGTRACE_BENCH_MB (200) megabytes, made by repeating real
// traces with their times shifted. It prints MB per second of CPU and of wall
// time, also of the best run (other work on the machine costs both), the memory
// at its largest, and what `wc -l` takes. `make bench-trace` runs it.
func BenchmarkProfile(b *testing.B) {
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			path, size := enlarge(b, readShared(b, in.file))
			wc := countLines(b, path)
			b.SetBytes(size)
			var peak uint64
			var cpu, wall time.Duration
			best := time.Hour
			b.ResetTimer()
			for range b.N {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				runtime.GC()
				stop := watchHeap(&peak)
				start := time.Now()
				took := cpuOf(b, func() {
					a := tracefile.NewAnalyzer(tracefile.Options{})
					if _, err := a.ReadFile(path, f); err != nil {
						b.Fatal(err)
					}
					a.Profile()
				})
				wall += time.Since(start)
				cpu += took
				best = min(best, took)
				stop()
				f.Close()
			}
			report(b, size, cpu, best, wall, int64(peak), wc)
		})
	}
}

// BenchmarkReport does the same with the whole command, `ringtrace report` to
// text, its start included. Memory is that of the process (maximum resident set).
func BenchmarkReport(b *testing.B) {
	program := buildProgram(b)
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			path, size := enlarge(b, readShared(b, in.file))
			wc := countLines(b, path)
			b.SetBytes(size)
			var peak int64
			var cpu, wall time.Duration
			best := time.Hour
			b.ResetTimer()
			for range b.N {
				start := time.Now()
				took, memory := runProgram(b, nil, io.Discard, program, "report", path)
				wall += time.Since(start)
				cpu += took
				best, peak = min(best, took), max(peak, memory)
			}
			report(b, size, cpu, best, wall, peak, wc)
		})
	}
}

func report(b *testing.B, size int64, cpu, best, wall time.Duration, peak int64, wc time.Duration) {
	b.Helper()
	mb := float64(size) * float64(b.N) / 1e6
	b.ReportMetric(mb/cpu.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(size)/1e6/best.Seconds(), "best-MB/cpu-s")
	b.ReportMetric(mb/wall.Seconds(), "MB/wall-s")
	b.ReportMetric(wall.Seconds()/float64(b.N), "wall-s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(size)/1e6/max(0.001, wc.Seconds()), "wc-MB/cpu-s")
	if peak > maxMemory {
		b.Errorf("%d bytes of memory, want no more than %d", peak, maxMemory)
	}
}

// buildProgram builds ringtrace without godror, which takes a C compiler.
func buildProgram(tb testing.TB) string {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "ringtrace")
	build := exec.Command("go", "build", "-o", program, "ringtrace/cmd/ringtrace")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("go build: %v: %s", err, out)
	}
	return program
}

// runProgram returns the CPU time that a program took and its largest memory.
func runProgram(tb testing.TB, in io.Reader, out io.Writer, name string, args ...string) (time.Duration, int64) {
	tb.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout = in, out
	if err := cmd.Run(); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		tb.Fatal("no resource usage")
	}
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), int64(use.Maxrss) * unit
}

func countLines(b *testing.B, path string) time.Duration {
	b.Helper()
	took, _ := runProgram(b, nil, io.Discard, "wc", "-l", path)
	return took
}

// cpuOf returns the user and system time that f takes.
func cpuOf(tb testing.TB, f func()) time.Duration {
	tb.Helper()
	used := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			tb.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	before := used()
	f()
	return used() - before
}

func watchHeap(peak *uint64) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	go func() {
		defer close(ended)
		for {
			// ReadMemStats would stop what is measured.
			metrics.Read(sample)
			*peak = max(*peak, sample[0].Value.Uint64()-sample[1].Value.Uint64())
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }
}

// enlarge writes a repeated trace of RINGTRACE_BENCH_MB to a file.
func enlarge(tb testing.TB, data []byte) (string, int64) {
	tb.Helper()
	r := newRepeated(tb, data, sizeFrom(tb, "RINGTRACE_BENCH_MB", 200)*1e6)
	path := filepath.Join(tb.TempDir(), "large.trc")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := io.Copy(f, r); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return path, r.size
}

// sizeFrom reads a number of an environment variable.
func sizeFrom(tb testing.TB, name string, otherwise int64) int64 {
	tb.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return n
}
