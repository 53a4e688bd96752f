package oraerr

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTextsOfOradebug compares the texts with the tables of facts/oradebug.md
// 2.2 and 2.3, word for word.
func TestTextsOfOradebug(t *testing.T) {
	dir := os.Getenv("RINGTRACE_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "facts", "oradebug.md"))
	if err != nil {
		t.Skipf("SKIPPED: the fact sheets are not at %s; the texts of ORADEBUG's errors were not compared", dir)
	}
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
