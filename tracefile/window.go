package tracefile

import (
	"encoding/binary"
	"math/bits"
)

// window is the text from a place in the buffer on, in which the short cuts for
// usual lines read forwards. There is room behind the buffer's end (see newBlock),
// so a window can be had everywhere; what lies behind the end is anything, and
// whoever reads a window checks that the line end which it found is before.
//
// Places are taken modulo reach, which spares a bounds check for each look. A
// reader that has come to reach or beyond has read nonsense and must say so.
type window [windowSize]byte

const (
	windowSize = 512
	reach      = 256 // of a line that is read in a window
)

// eightAt returns the eight bytes at p, the first lowest.
func (w *window) eightAt(p uint) uint64 {
	p %= reach
	return binary.LittleEndian.Uint64(w[p : p+8 : p+8])
}

// is reports whether the text at p is s, of no more than 32 bytes.
func (w *window) is(p uint, s string) bool {
	p %= reach
	return string(w[p:p+uint(len(s))]) == s
}

// at returns the byte at p.
func (w *window) at(p uint) byte { return w[p%reach] }

// digit returns the value of the byte at p, more than 9 for any other.
func (w *window) digit(p uint) int64 { return int64(w[p%reach] - '0') }

// digitsForward is digitWord for numbers that are read from their beginning: marks
// of bytes behind the first that is no digit may be wrong.
func digitsForward(b uint64) (word, other uint64) {
	t := b ^ zeroDigits
	return t, (t + 0x76*eachByte | t) & (0x80 * eachByte)
}

// number reads one to seven digits at p and returns where they end; 0 for any
// other number.
func (w *window) number(p uint) (int64, uint) {
	t, other := digitsForward(w.eightAt(p))
	n := uint(bits.TrailingZeros64(other)) // 8 for each digit, and 7
	if n-15 > 6*8 {
		return 0, 0
	}
	return int64(eight(t << ((7 - n) & 63))), p + n>>3
}

// long reads one to sixteen digits at p and returns where they end; 0 for any
// other number.
func (w *window) long(p uint) (int64, uint) {
	high, other := digitsForward(w.eightAt(p))
	if other != 0 {
		n := uint(bits.TrailingZeros64(other))
		if n == 7 {
			return 0, 0
		}
		return int64(eight(high << ((7 - n) & 63))), p + n>>3
	}
	low, other := digitsForward(w.eightAt(p + 8))
	if other == 0 {
		if w.digit(p+16) <= 9 {
			return 0, 0
		}
		return int64(eight(high)*1e8 + eight(low)), p + 16
	}
	n := uint(bits.TrailingZeros64(other))
	v := int64(eight(high)) * powersOf10[n>>3&7]
	return v + int64(eight(low<<8<<((63-n)&63))), p + 8 + n>>3
}

// small is number for those that mostly have one digit.
func (w *window) small(p uint) (int64, uint) {
	if c := w.digit(p); c <= 9 && w.digit(p+1) > 9 {
		return c, p + 1
	}
	return w.number(p)
}

// lineEnd returns how long the line is whose text ends at p, with its end; 0 if no
// line ends there, or not within the first left bytes.
func (w *window) lineEnd(p, left uint) int {
	if p-1 >= reach-2 { // no number ended at p, or nonsense
		return 0
	}
	if w.at(p) == '\r' {
		p++
	}
	if w.at(p) != '\n' || p >= left {
		return 0
	}
	return int(p + 1)
}
