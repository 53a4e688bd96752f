package argv

import "strings"

// Closest returns the candidate that typed is most likely a slip of, or "".
// A slip is at most two edits, and at most a third of the word without its
// dashes, or an unfinished word that begins exactly one candidate (--user is
// rather --username than --osuser).
func Closest(typed string, candidates []string) string {
	bare := strings.ToLower(strings.TrimLeft(typed, "-"))
	if len(bare) < 2 || len(bare) > 64 {
		return ""
	}
	best, bestDistance := "", 3
	var begins []string
	for _, c := range candidates {
		word := strings.ToLower(strings.TrimLeft(c, "-"))
		if len(word) < 2 {
			continue
		}
		if d := distance(bare, word); d < bestDistance && 3*d <= max(len(bare), len(word)) {
			best, bestDistance = c, d
		}
		if len(bare) >= 3 && strings.HasPrefix(word, bare) {
			begins = append(begins, c)
		}
	}
	if len(begins) == 1 && bestDistance > 1 {
		return begins[0]
	}
	return best
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours between a and b (optimal string alignment).
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	this := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		this[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			this[j] = min(last[j]+1, this[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				this[j] = min(this[j], before[j-2]+1)
			}
		}
		before, last, this = last, this, before
	}
	return last[len(b)]
}
