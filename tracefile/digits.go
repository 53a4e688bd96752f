package tracefile

import (
	"encoding/binary"
	"math/bits"
)

// Numbers are read eight digits at a time, as one word, without a branch for
// each digit: how long the next number of a trace is cannot be foretold, and a
// wrong guess costs as much as reading it.

const (
	eachByte   = 0x0101010101010101
	zeroDigits = '0' * eachByte
	// room is how many bytes behind the end of every line may be looked at.
	// They hold anything; a reader checks where its number ends.
	room = 32
)

// digitWord returns eight bytes with the value of each digit, the first byte
// lowest, and a word whose top bits mark the bytes that are no digits.
func digitWord(b []byte) (word, other uint64) {
	t := binary.LittleEndian.Uint64(b) ^ zeroDigits
	return t, (t&(0x7f*eachByte) + 0x76*eachByte | t) & (0x80 * eachByte)
}

// eight returns the number that eight digits make, the first of them lowest.
func eight(t uint64) uint64 {
	t = t * 2561 >> 8 & 0x00ff00ff00ff00ff
	t = t * 6553601 >> 16 & 0x0000ffff0000ffff
	return t * 42949672960001 >> 32
}

// digitsAt reads the digits at b[p:] and returns where they end; 0 if there are
// none or too many. Sixteen bytes must be there, be it behind the end of b.
func digitsAt(b []byte, p int) (int64, int) {
	t, other := digitsForward(binary.LittleEndian.Uint64(b[p : p+8]))
	n := uint(bits.TrailingZeros64(other)) // 8 for each digit, and 7
	if n-15 > 6*8 {
		return longDigits(b, p)
	}
	return int64(eight(t << ((7 - n) & 63))), p + int(n>>3)
}

var powersOf10 = [8]int64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}

// longDigits is digitsAt for the numbers of eight digits and more: cursors, plan
// hash values, times.
func longDigits(b []byte, p int) (int64, int) {
	high, other := digitsForward(binary.LittleEndian.Uint64(b[p : p+8]))
	if other != 0 {
		return manyDigits(b, p)
	}
	low, other := digitsForward(binary.LittleEndian.Uint64(b[p+8 : p+16]))
	if other == 0 {
		return manyDigits(b, p)
	}
	n := uint(bits.TrailingZeros64(other))
	v := int64(eight(high)) * powersOf10[n>>3&7]
	return v + int64(eight(low<<8<<((63-n)&63))), p + 8 + int(n>>3)
}

// manyDigits is digitsAt for numbers of any length.
func manyDigits(b []byte, p int) (int64, int) {
	var u uint64
	start := p
	for p < len(b) {
		c := b[p] - '0'
		if c > 9 {
			break
		}
		u = u*10 + uint64(c)
		p++
	}
	if p == start || p-start > 18 {
		return 0, 0
	}
	return int64(u), p
}

// timeBack reads eight to sixteen digits that end before b[end]: the times. n is
// 0 for any other number.
func timeBack(b []byte, end int) (v int64, n int) {
	if end < 17 {
		return 0, 0
	}
	low, other := digitWord(b[end-8 : end])
	if other != 0 {
		return 0, 0
	}
	high, other := digitWord(b[end-16 : end-8])
	if other == 0 {
		if isDigit(b[end-17]) {
			return 0, 0
		}
		return int64(eight(high)*1e8 + eight(low)), 16
	}
	n = bits.LeadingZeros64(other) >> 3
	high &= ^uint64(0) << (64 - 8*uint(n))
	return int64(eight(high)*1e8 + eight(low)), n + 8
}

// fewDigitsBack reads one to seven digits that end before b[end]; n is 0 if
// there are none, or more.
func fewDigitsBack(b []byte, end int) (v int64, n int) {
	if end < 8 {
		return 0, 0
	}
	t, other := digitWord(b[end-8 : end])
	n = bits.LeadingZeros64(other) >> 3
	if n == 0 || n == 8 {
		return 0, 0
	}
	return int64(eight(t & (^uint64(0) << (64 - 8*uint(n))))), n
}
