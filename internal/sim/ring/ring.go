// Package ring is the circular trace buffer of one simulated process, exact to
// the byte: it holds the last Size bytes written to it, so its first line may
// be cut anywhere (facts/oradebug.md 4).
package ring

// Buffer is a circular buffer. The zero value is not usable; call New.
type Buffer struct {
	data  []byte
	next  int   // where the next byte goes
	total int64 // bytes ever written
}

// New returns a buffer of size bytes; a size below 1 gives one of 1 byte,
// which is what TRACE_BUFFER_ON's default level asks for
// (facts/oradebug.md 0 fact 6).
func New(size int) *Buffer {
	return &Buffer{data: make([]byte, max(size, 1))}
}

// Write appends p, overwriting the oldest bytes. It never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	n := len(p)
	b.total += int64(n)
	if n >= len(b.data) {
		// Only the tail survives; next keeps the phase a byte-wise writer has.
		skipped := n - len(b.data)
		b.next = (b.next + skipped) % len(b.data)
		p = p[skipped:]
	}
	k := copy(b.data[b.next:], p)
	copy(b.data, p[k:])
	b.next = (b.next + len(p)) % len(b.data)
	return n, nil
}

// Size returns the capacity in bytes.
func (b *Buffer) Size() int { return len(b.data) }

// Used returns how many bytes the buffer holds.
func (b *Buffer) Used() int {
	if b.total < int64(len(b.data)) {
		return int(b.total)
	}
	return len(b.data)
}

// Wraps returns how often the writer came round to the start and went on, so
// that bytes were lost: 0 as long as everything written is still there.
func (b *Buffer) Wraps() int64 {
	if b.total <= int64(len(b.data)) {
		return 0
	}
	return (b.total - 1) / int64(len(b.data))
}

// Bytes returns the surviving bytes, oldest first, in a new slice.
func (b *Buffer) Bytes() []byte {
	if b.total < int64(len(b.data)) {
		return append([]byte(nil), b.data[:b.total]...)
	}
	out := make([]byte, 0, len(b.data))
	return append(append(out, b.data[b.next:]...), b.data[:b.next]...)
}

// Clone copies the buffer with what it holds.
func (b *Buffer) Clone() *Buffer {
	c := *b
	c.data = append([]byte(nil), b.data...)
	return &c
}
