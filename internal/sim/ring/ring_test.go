package ring

import (
	"bytes"
	"fmt"
	"testing"

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

// BenchmarkRing compares the ring with the plain memcpy it cannot beat.
func BenchmarkRing(b *testing.B) {
	line := bytes.Repeat([]byte("x"), 140)
	b.Run("ring", func(b *testing.B) {
		r := New(256000)
		b.SetBytes(int64(len(line)))
		for b.Loop() {
			_, _ = r.Write(line)
		}
	})
	b.Run("memcpy", func(b *testing.B) {
		buf, at := make([]byte, 256000), 0
		b.SetBytes(int64(len(line)))
		for b.Loop() {
			if at+len(line) > len(buf) {
				at = 0
			}
			at += copy(buf[at:], line)
		}
	})
}
