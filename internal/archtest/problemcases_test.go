package archtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"ringtrace/internal/sharedtest"
)

// done names the sections of facts/problem-cases.md whose every case must have
// a test.
var done = map[string]bool{"A": true, "B": true, "C": true, "D": true, "E": true, "F": true}

var (
	heading = regexp.MustCompile(`^### ([A-F])\. `)
	caseID  = regexp.MustCompile(`^- \*\*([A-Z]\d\d)\*\*`)
	testFn  = regexp.MustCompile(`(?m)^func TestProblem([A-Z]\d\d)_\w+\(t \*testing\.T\)`)
)

// TestEveryProblemCaseHasATest reads the ids from the list of real cases and
// wants one test function TestProblem<ID>_… for each.
func TestEveryProblemCaseHasATest(t *testing.T) {
	root := moduleRoot(t)
	text := sharedtest.Read(t, "nobody looked for problem cases without a test", "facts", "problem-cases.md")
	ids := caseIDs(t, string(text))
	tests := problemTests(t, root)

	var missing []string
	for _, id := range ids {
		if len(tests[id]) == 0 {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no test function TestProblem<ID>_… for %s", strings.Join(missing, " "))
	}
	for id, where := range tests {
		if !strings.Contains(string(text), "**"+id+"**") {
			t.Errorf("%v tests %s, which the list does not hold", where, id)
		}
	}
	t.Logf("%d problem cases of sections %v, %d test functions", len(ids), keys(done), len(tests))
}

func caseIDs(t *testing.T, text string) []string {
	t.Helper()
	var ids []string
	section := ""
	for line := range strings.Lines(text) {
		if m := heading.FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		m := caseID.FindStringSubmatch(line)
		if m == nil || !done[section] {
			continue
		}
		ids = append(ids, m[1])
	}
	if len(ids) < 20 {
		t.Fatalf("read only %d ids from the list; its form changed", len(ids))
	}
	return ids
}

func problemTests(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range testFn.FindAllSubmatch(src, -1) {
			rel, _ := filepath.Rel(root, path)
			found[string(m[1])] = append(found[string(m[1])], rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal(fmt.Errorf("no go.mod above %s", dir))
		}
		dir = up
	}
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
