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
			var w window
			copy(w[:], b)
			short, end1 := w.number(uint(p))
			small, end2 := w.small(uint(p))
			if fits := length >= 1 && length <= 7; fits && (short != want || end1 != uint(end) || small != want || end2 != uint(end)) || !fits && (end1 != 0 || end2 != 0) {
				t.Fatalf("%q: in a window %d up to %d, %d up to %d", number, short, end1, small, end2)
			}
			if v, got := w.long(uint(p)); length >= 1 && length <= 16 && (v != want || got != uint(end)) || (length < 1 || length > 16) && got != 0 {
				t.Fatalf("%q: in a window %d up to %d, want %d up to %d", number, v, got, want, end)
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

// TestWindowEndsItsLine: a line ends in a window where its end stands, whole and
// before the end of the text; what has come to the window's reach is nonsense.
func TestWindowEndsItsLine(t *testing.T) {
	var w window
	copy(w[:], "abc\nde\r\nf\rg")
	copy(w[reach-3:], "xyz\n")
	for _, c := range []struct {
		p, left uint
		want    int
	}{
		{3, 100, 4},
		{3, 4, 4},
		{3, 3, 0},
		{6, 100, 8},
		{6, 8, 8},
		{6, 7, 0},
		{2, 100, 0},
		{9, 100, 0},
		{0, 100, 0},
		{reach - 1, 512, 0},
		{reach, 512, 0},
		{reach + 3, 512, 0},
		{2*reach + 3, 1000, 0},
	} {
		if got := w.lineEnd(c.p, c.left); got != c.want {
			t.Errorf("text up to %d of %d: %d, want %d", c.p, c.left, got, c.want)
		}
	}
}
