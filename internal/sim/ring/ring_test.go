package ring

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBufferKeepsTheTail states the one property of a ring: what it holds is
// the tail of what was written, whatever the sizes of the writes.
func TestBufferKeepsTheTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 64).Draw(t, "size")
		b := New(size)
		var all []byte
		for i, n := range rapid.SliceOf(rapid.IntRange(0, 200)).Draw(t, "writes") {
			p := bytes.Repeat([]byte{byte('a' + i%26)}, n)
			for j := range p {
				p[j] += byte(j % 7)
			}
			if k, err := b.Write(p); k != n || err != nil {
				t.Fatalf("Write(%d bytes) = %d, %v", n, k, err)
			}
			all = append(all, p...)
			want := all[max(0, len(all)-size):]
			if got := b.Bytes(); !bytes.Equal(got, want) {
				t.Fatalf("after %d bytes: holds %q, want the tail %q", len(all), got, want)
			}
			if b.Used() != len(want) {
				t.Fatalf("Used() = %d, want %d", b.Used(), len(want))
			}
			if lost := len(all) > size; (b.Wraps() > 0) != lost {
				t.Fatalf("Wraps() = %d with %d of %d bytes written", b.Wraps(), len(all), size)
			}
		}
	})
}

func TestWraps(t *testing.T) {
	for _, c := range []struct {
		size, written int
		want          int64
	}{
		{10, 0, 0},
		{10, 10, 0},
		{10, 11, 1},
		{10, 20, 1},
		{10, 21, 2},
		{65536, 9 * 65536, 8}, // "Trace output buffer of 65536 bytes wrapped 8 times"
		{1, 3, 2},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.written, c.size), func(t *testing.T) {
			b := New(c.size)
			for range c.written {
				_, _ = b.Write([]byte{'x'})
			}
			if got := b.Wraps(); got != c.want {
				t.Errorf("Wraps() = %d, want %d", got, c.want)
			}
		})
	}
}

// BenchmarkRing compares the ring with the plain memcpy it cannot beat, in
// turns, so that both meet the same machine: x-memcpy is how many times the
// ring takes.
func BenchmarkRing(b *testing.B) {
	const size, batch = 256000, 1000
	line := bytes.Repeat([]byte("x"), 140)
	r, buf, at := New(size), make([]byte, size), 0
	var ring, floor time.Duration
	for b.Loop() {
		start := time.Now()
		for range batch {
			_, _ = r.Write(line) // a ring never fails
		}
		mid := time.Now()
		for range batch {
			if at+len(line) > len(buf) {
				at = 0
			}
			at += copy(buf[at:], line)
		}
		ring += mid.Sub(start)
		floor += time.Since(mid)
	}
	b.ReportMetric(float64(ring)/float64(floor), "x-memcpy")
	b.ReportMetric(float64(b.N)*batch*float64(len(line))/ring.Seconds()/1e6, "ring-MB/s")
	b.ReportMetric(float64(b.N)*batch*float64(len(line))/floor.Seconds()/1e6, "memcpy-MB/s")
	b.ReportMetric(0, "ns/op") // of both together: of no interest
}
