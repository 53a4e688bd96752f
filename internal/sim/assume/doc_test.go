package assume

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// row is how docs/simulator.md lists a switch.
func row(e Entry) string {
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |", e.Switch, map[bool]string{true: "on", false: "off"}[e.Default], e.Mark, e.Fact, e.Text)
}

// TestListIsDocumented compares the list in docs/simulator.md with the code,
// both ways.
func TestListIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, e := range Entries() {
		want[row(e)] = true
	}
	got := map[string]bool{}
	for _, l := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(l, "| `") && regexp.MustCompile("^\\| `[a-z0-9-]+` \\| (on|off) \\|").MatchString(l) {
			got[l] = true
			if !want[l] {
				t.Errorf("docs/simulator.md lists what the code does not have:\n%s", l)
			}
		}
	}
	for l := range want {
		if !got[l] {
			t.Errorf("docs/simulator.md lacks\n%s", l)
		}
	}
}

// TestEverySwitchDecidesSomething: a switch that no code asks is no switch.
func TestEverySwitchDecidesSomething(t *testing.T) {
	var code strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "assume/") {
			return err
		}
		data, err := os.ReadFile(path)
		code.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("assume.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t(\w+) +Switch = "`).FindAllStringSubmatch(string(source), -1)
	if len(names) != len(Entries()) {
		t.Errorf("%d constants, %d entries", len(names), len(Entries()))
	}
	for _, n := range names {
		if !regexp.MustCompile(`assume\.` + n[1] + `\b`).MatchString(code.String()) {
			t.Errorf("no code asks for %s", n[1])
		}
	}
}

func TestWith(t *testing.T) {
	var s Set
	if !s.On(DeadSlot72) || s.On(SetidRemote32522) {
		t.Error("the zero Set has not the defaults")
	}
	off, ok := s.With(DeadSlot72, false)
	if !ok || off.On(DeadSlot72) || !s.On(DeadSlot72) {
		t.Error("With must change a copy")
	}
	if _, ok := s.With("nonsense", true); ok {
		t.Error("With took a name that is no switch")
	}
}
