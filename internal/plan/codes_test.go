package plan

import (
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

// TestProblemO10_ApplicationErrors: 20000 to 20999 are accepted with a note.
func TestProblemO10_ApplicationErrors(t *testing.T) {
	c, err := ParseCodes([]string{"ORA-20999", "-20001"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{20999, 20001}; !slices.Equal(c.Numbers, want) {
		t.Errorf("numbers %v, want %v", c.Numbers, want)
	}
	if len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "application") {
		t.Errorf("notes %q", c.Notes)
	}
	if len(c.Noisy) != 0 {
		t.Errorf("noisy: %v", c.Noisy)
	}
}

// TestProblemO08_CodesWrittenManyWays: one number, in the order given.
func TestProblemO08_CodesWrittenManyWays(t *testing.T) {
	c, err := ParseCodes([]string{"ORA-00060,60", "ora-60", "1555,00060", "-60"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{60, 1555}; !slices.Equal(c.Numbers, want) {
		t.Errorf("numbers %v, want %v", c.Numbers, want)
	}
}

func TestMappedNumbersAreAlwaysRefused(t *testing.T) {
	for _, n := range []string{"10046", "10053", "10298", "10299", "10730"} {
		for _, force := range []bool{false, true} {
			if _, err := ParseCodes([]string{"1555," + n}, force); exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "" {
				t.Errorf("%s with force=%v: %v", n, force, err)
			}
		}
	}
}

func TestEventNumbersNeedForce(t *testing.T) {
	if _, err := ParseCodes([]string{"10235"}, false); exit.CodeOf(err) != exit.Refused || !strings.Contains(exit.HintOf(err), "--force") {
		t.Errorf("10235: %v", err)
	}
	c, err := ParseCodes([]string{"10235"}, true)
	if err != nil || !slices.Equal(c.Numbers, []int{10235}) {
		t.Errorf("10235 with force: %v %v", c.Numbers, err)
	}
	if _, err := ParseCodes([]string{"10631"}, false); err != nil {
		t.Errorf("10631 is a real error among the events: %v", err)
	}
}

func TestNoisyCodesAsk(t *testing.T) {
	c, err := ParseCodes([]string{"942,1555,1403,1,1013"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var noisy []int
	for _, code := range c.Noisy {
		noisy = append(noisy, code.Number)
	}
	if want := []int{942, 1403, 1, 1013}; !slices.Equal(noisy, want) {
		t.Errorf("noisy %v, want %v", noisy, want)
	}
	if q := c.Question(); !strings.Contains(q, "ORA-00942") || !strings.Contains(q, "ORA-01403") || strings.Contains(q, "1555") {
		t.Errorf("question %q", q)
	}
}
