// Package shell writes words as a POSIX shell reads them back, for the lines that
// say what to type next.
package shell

import "strings"

// Quote quotes a word where a shell would not take it as it stands.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@,+-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
