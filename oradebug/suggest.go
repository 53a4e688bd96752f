package oradebug

import (
	"strings"
	"sync"

	"ringtrace/oradebug/catalog"
)

func isActionName(name string) bool {
	_, ok := catalog.LookupAction(name)
	return ok
}

var eventNames = sync.OnceValue(func() []string {
	var out []string
	for _, e := range catalog.Events() {
		out = append(out, strings.ToLower(e.Name))
	}
	for _, a := range catalog.Aliases() {
		out = append(out, a.Name)
	}
	return out
})

var actionNames = sync.OnceValue(func() []string {
	var out []string
	for _, a := range catalog.Actions() {
		out = append(out, a.Name)
	}
	return out
})

var dumpNames = sync.OnceValue(func() []string {
	var out []string
	for _, d := range catalog.Dumps() {
		out = append(out, strings.ToLower(d.Name))
	}
	return append(out, actionNames()...)
})

// nearest returns the known name at edit distance 1 or 2, the smallest first,
// or "" if none is close.
func nearest(name string, known []string) string {
	best, bestAt := "", 3
	for _, k := range known {
		if d := distance(name, k, bestAt); d < bestAt || (d == bestAt && d < 3 && k < best) {
			best, bestAt = k, d
		}
	}
	if bestAt >= len(name) {
		return ""
	}
	return best
}

// distance is the edit distance of two short words with neighbours swapped
// counting one, cut off at limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > 64 || len(b) > 64 {
		return limit + 1
	}
	var prev2, prev, cur [65]int
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, cur
	}
	return prev[len(b)]
}
