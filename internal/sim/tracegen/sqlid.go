// Package tracegen makes simulated sessions work: they parse, execute and
// fetch, wait and fail, and write SQL trace as their release does when it is
// on (facts/trace-format.md 4 to 9).
package tracegen

import (
	"crypto/md5" // #nosec G501 -- Oracle's SQL_ID is an MD5, no secret
	"encoding/binary"
)

// identify returns the SQL_ID and hash value of a statement's text: the last
// 64 and 32 bits of the MD5 of the text and a NUL, in Oracle's base 32. The
// fact sheets do not hold the rule; a test compares it with real traces.
func identify(text string) (id string, hash uint32) {
	sum := md5.Sum([]byte(text + "\x00"))
	high := binary.LittleEndian.Uint32(sum[8:])
	hash = binary.LittleEndian.Uint32(sum[12:])
	const digits = "0123456789abcdfghjkmnpqrstuvwxyz"
	v := uint64(high)<<32 | uint64(hash)
	b := make([]byte, 13)
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = digits[v&31]
		v >>= 5
	}
	return string(b), hash
}
