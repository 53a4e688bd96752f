package oraerr

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/sharedtest"
)

// TestTextsOfOradebug compares the texts with the tables of facts/oradebug.md
// 2.2 and 2.3, word for word.
func TestTextsOfOradebug(t *testing.T) {
	data := sharedtest.Read(t, "the texts of ORADEBUG's errors were not compared", "facts", "oradebug.md")
	_, part, _ := strings.Cut(string(data), "### 2.2")
	part, _, ok := strings.Cut(part, "### 2.4")
	if !ok {
		t.Fatal("facts/oradebug.md has no sections 2.2 to 2.4")
	}
	row := regexp.MustCompile(`^\| (\d{5}) \| ([^|]+?) \|`)
	n := 0
	for line := range strings.Lines(part) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		code, _ := strconv.Atoi(m[1])
		n++
		if got := Text(code); got != m[2] {
			t.Errorf("ORA-%05d is %q, want %q", code, got, m[2])
		}
	}
	if n < 30 {
		t.Errorf("%d rows compared, the tables have more", n)
	}
}
