package engine

import "strings"

// IsBlock says whether a statement is PL/SQL: DECLARE, BEGIN or CALL, after
// comments.
func IsBlock(q string) bool {
	for {
		q = strings.TrimLeft(q, " \t\r\n")
		switch {
		case strings.HasPrefix(q, "--"):
			_, q, _ = strings.Cut(q, "\n")
		case strings.HasPrefix(q, "/*"):
			_, q, _ = strings.Cut(q, "*/")
		default:
			word := strings.ToLower(q)
			for _, w := range []string{"declare", "begin", "call"} {
				if rest, ok := strings.CutPrefix(word, w); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n(/-")) {
					return true
				}
			}
			return false
		}
	}
}
