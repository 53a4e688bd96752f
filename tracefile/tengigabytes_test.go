//go:build unix

package tracefile_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

// TestTenGigabytes sends a trace of RINGTRACE_BENCH_GB gigabytes, which is made
// on the way and never stored, through `ringtrace report -`: memory stays below
// 64 MB and no call is lost.
//
//	RINGTRACE_BENCH_GB=10 go test -run TestTenGigabytes -v -timeout 30m ./tracefile
func TestTenGigabytes(t *testing.T) {
	gb := sizeFrom(t, "RINGTRACE_BENCH_GB", 0)
	if gb == 0 {
		t.Skip("SKIPPED: set RINGTRACE_BENCH_GB=10; it takes a minute of CPU")
	}
	program := buildProgram(t)
	for _, in := range benchInputs {
		t.Run(in.name, func(t *testing.T) {
			data := readShared(t, in.file)
			executions := func(p []byte) (n int64) {
				for _, l := range bytes.Split(p, []byte("\n")) {
					if bytes.HasPrefix(l, []byte("EXEC #")) {
						n++
					}
				}
				return n
			}
			r := newRepeated(t, data, gb*1e9)
			var out bytes.Buffer
			start := time.Now()
			cpu, memory := runProgram(t, r, &out, program, "report", "-o", "json", "-")
			wall := time.Since(start)
			var got struct {
				Files []struct {
					Bytes   int64
					Records []struct {
						Kind  string
						Count int64
					}
				}
			}
			if err := json.NewDecoder(&out).Decode(&got); err != nil {
				t.Fatal(err)
			}
			equal(t, "files", len(got.Files), 1)
			equal(t, "bytes", got.Files[0].Bytes, r.size)
			want := executions(data) + (r.n-1)*executions(data[r.body:])
			var have int64
			for _, k := range got.Files[0].Records {
				if k.Kind == "exec" {
					have = k.Count
				}
			}
			equal(t, "executions", have, want)
			if memory > maxMemory {
				t.Errorf("%d bytes of memory, want no more than %d", memory, maxMemory)
			}
			t.Logf("%.1f GB, %d executions: %.1f s of CPU (%.0f MB/cpu-s), %.1f s of wall time, %.1f MB of memory",
				float64(r.size)/1e9, have, cpu.Seconds(), float64(r.size)/1e6/cpu.Seconds(), wall.Seconds(), float64(memory)/1e6)
		})
	}
}
