//go:build unix

package tracefile_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"ringtrace/tracefile"
)

// BenchmarkProfile analyses files of RINGTRACE_BENCH_MB (200) megabytes, made by
// repeating real traces with their times shifted, and prints MB per second of
// wall time and of CPU time, the heap at its largest, and what `wc -l` takes.
// `make bench-trace` runs it.
func BenchmarkProfile(b *testing.B) {
	for _, in := range []struct{ name, file string }{
		{"waits", "oravm1_ora_26226_S1.trc"},
		{"recursive", "js122a1_ora_9850.trc"},
		{"rac", "js122a1_ora_9854.trc"},
	} {
		b.Run(in.name, func(b *testing.B) {
			path, size := enlarge(b, readShared(b, in.file))
			wc := cpuOf(b, func() {
				if out, err := exec.Command("wc", "-l", path).CombinedOutput(); err != nil {
					b.Fatalf("wc: %v: %s", err, out)
				}
			})
			b.SetBytes(size)
			var peak uint64
			var cpu, wall time.Duration
			b.ResetTimer()
			for range b.N {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				runtime.GC()
				stop := watchHeap(&peak)
				start := time.Now()
				cpu += cpuOf(b, func() {
					a := tracefile.NewAnalyzer(tracefile.Options{})
					if _, err := a.ReadFile(path, f); err != nil {
						b.Fatal(err)
					}
					a.Profile()
				})
				wall += time.Since(start)
				stop()
				f.Close()
			}
			mb := float64(size) * float64(b.N) / 1e6
			b.ReportMetric(mb/cpu.Seconds(), "MB/cpu-s")
			b.ReportMetric(mb/wall.Seconds(), "MB/wall-s")
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
			b.ReportMetric(float64(size)/1e6/max(0.001, wc.Seconds()), "wc-MB/cpu-s")
		})
	}
}

// cpuOf returns the user and system time that f takes, children included.
func cpuOf(tb testing.TB, f func()) time.Duration {
	tb.Helper()
	used := func() time.Duration {
		var sum time.Duration
		for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
			var r syscall.Rusage
			if err := syscall.Getrusage(who, &r); err != nil {
				tb.Fatal(err)
			}
			sum += time.Duration(r.Utime.Nano() + r.Stime.Nano())
		}
		return sum
	}
	before := used()
	f()
	return used() - before
}

func watchHeap(peak *uint64) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.Sys-m.HeapReleased)
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }
}

var timRE = regexp.MustCompile(`tim=(\d+)`)

// enlarge repeats a trace, each time with its times behind those before.
func enlarge(b *testing.B, data []byte) (string, int64) {
	b.Helper()
	want := int64(200)
	if s := os.Getenv("RINGTRACE_BENCH_MB"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		want = n
	}
	want *= 1e6
	path := filepath.Join(b.TempDir(), "large.trc")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	at := timRE.FindAllSubmatchIndex(data, -1)
	first, _ := strconv.ParseInt(string(data[at[0][2]:at[0][3]]), 10, 64)
	last := first
	for _, m := range at {
		t, _ := strconv.ParseInt(string(data[m[2]:m[3]]), 10, 64)
		last = max(last, t)
	}
	body := bytes.Index(data, []byte("\nWAIT #")) + 1
	var size int64
	for i := int64(0); size < want; i++ {
		from := 0
		if i > 0 {
			from = body
		}
		p := from
		for _, m := range at {
			if m[2] < from {
				continue
			}
			t, _ := strconv.ParseInt(string(data[m[2]:m[3]]), 10, 64)
			n1, _ := w.Write(data[p:m[2]])
			n2, _ := fmt.Fprintf(w, "%d", t+i*(last-first+1_000_000))
			size += int64(n1 + n2)
			p = m[3]
		}
		n, _ := w.Write(data[p:])
		size += int64(n)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path, size
}
