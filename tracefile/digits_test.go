package tracefile

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestDigits reads numbers of every length, forwards and backwards, between
// bytes of every kind.
func TestDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const before, behind = "WAIT #1: nam='x' ela= ", " obj#=-1 tim=1 and whatever else"
	for length := range 22 {
		for range 2000 {
			number := make([]byte, length)
			for i := range number {
				number[i] = '0' + byte(rng.IntN(10))
			}
			other := byte(rng.IntN(256))
			if isDigit(other) {
				continue
			}
			b := slices.Concat([]byte(before), []byte{other}, number, []byte{other}, []byte(behind))
			p, end := len(before)+1, len(before)+1+length
			want, err := strconv.ParseInt(string(number), 10, 64)
			v, got := digitsAt(b, p)
			switch {
			case length >= 1 && length <= 18:
				if err != nil || v != want || got != end {
					t.Fatalf("%q: %d up to %d, want %d up to %d", number, v, got, want, end)
				}
			case got != 0:
				t.Fatalf("%q: %d up to %d", number, v, got)
			}
			if v, n := fewDigitsBack(b, end); n > 0 && (v != want || n != length) || (n > 0) != (length >= 1 && length <= 7) {
				t.Fatalf("%q: %d, %d digits backwards", number, v, n)
			}
			if v, n := timeBack(b, end); n > 0 && (v != want || n != length) || (n > 0) != (length >= 8 && length <= 16) {
				t.Fatalf("%q: time %d, %d digits backwards", number, v, n)
			}
			v, start, ok := numberBack(b, end)
			if other == '-' && length > 0 {
				p, want = p-1, -want
			}
			if ok != (length > 0) || length <= 18 && ok && (v != want || start != p) {
				t.Fatalf("%q: %d from %d backwards, want %d from %d", number, v, start, want, p)
			}
		}
	}
}
