package tracefile

import (
	"encoding/binary"
	"math/bits"
)

// Times have thirteen digits and more, which are read eight in one word. For the
// short numbers of a call a loop over digits is faster: most are a single 0.

const (
	eachByte   = 0x0101010101010101
	zeroDigits = '0' * eachByte
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

// manyDigitsBack reads eight to fifteen digits that end before b[end]: the times.
func manyDigitsBack(b []byte, end int) (v uint64, n int) {
	if end < 16 {
		return 0, 0
	}
	low, other := digitWord(b[end-8 : end])
	if other != 0 {
		return 0, 0
	}
	high, other := digitWord(b[end-16 : end-8])
	if other == 0 {
		return 0, 0
	}
	n = bits.LeadingZeros64(other) >> 3
	high &= ^uint64(0) << (64 - 8*uint(n))
	return eight(high)*1e8 + eight(low), n + 8
}

// cursorCache is the cursor number read last: the next line mostly has the same.
// Only the long numbers of 11.2 on are worth it.
type cursorCache struct {
	first, last uint64 // its first and last eight digits
	size        int
	no          uint64
}

// at returns the number and where it ends if it stands at line[p:].
func (c *cursorCache) at(line []byte, p int) (uint64, int, bool) {
	end := p + c.size
	if c.size == 0 || end >= len(line) || isDigit(line[end]) ||
		binary.LittleEndian.Uint64(line[p:]) != c.first || binary.LittleEndian.Uint64(line[end-8:]) != c.last {
		return 0, 0, false
	}
	return c.no, end, true
}

func (c *cursorCache) put(digits []byte, no uint64) {
	if n := len(digits); n >= 8 && n <= 16 {
		c.first, c.last = binary.LittleEndian.Uint64(digits), binary.LittleEndian.Uint64(digits[n-8:])
		c.size, c.no = n, no
	}
}

// key is a field name with the characters around it, up to eight, to be
// compared as one word.
type key struct {
	text       string
	word, mask uint64
}

func newKey(text string) key {
	var b [8]byte
	n := copy(b[:], text)
	return key{text, binary.LittleEndian.Uint64(b[:]), ^uint64(0) >> (64 - 8*uint(n))}
}

// at reports whether the key stands at the beginning of b.
func (k *key) at(b []byte) bool {
	if len(b) < 8 {
		return hasPrefix(b, k.text)
	}
	return binary.LittleEndian.Uint64(b)&k.mask == k.word
}

// field reads the key and digits at the beginning of b and returns what stands
// behind them; nil if it is not there.
func (k *key) field(b []byte) (int64, []byte) {
	if len(b) <= len(k.text) || !k.at(b) {
		return 0, nil
	}
	return value(b[len(k.text):])
}

// The fields of calls and plans, as they stand behind the field before.
var (
	keyE, keyP, keyCR, keyCU       = newKey(",e="), newKey(",p="), newKey(",cr="), newKey(",cu=")
	keyMis, keyR, keyDep           = newKey(",mis="), newKey(",r="), newKey(",dep=")
	keyOG, keyPlh, keyType, keyTim = newKey(",og="), newKey(",plh="), newKey(",type="), newKey(",tim=")
	statID, statCnt, statPid       = newKey(" id="), newKey(" cnt="), newKey(" pid=")
	statPos, statObj, statCR       = newKey(" pos="), newKey(" obj="), newKey("cr=")
	statPR, statPW, statStr        = newKey(" pr="), newKey(" pw="), newKey(" str=")
	statTime, statCost             = newKey(" time="), newKey(" cost=")
	statSize, statCard             = newKey(" size="), newKey(" card=")
)
