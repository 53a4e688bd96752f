package oraerr

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func numbers(cs []Code) []int {
	var out []int
	for _, c := range cs {
		out = append(out, c.Number)
	}
	return out
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestProblemO08_OneCodeManySpellings(t *testing.T) {
	got, err := ParseList("ORA-00060", "60", "ora-60", "00060", "-60")
	if err != nil || !equal(numbers(got), []int{60}) {
		t.Errorf("five spellings: got %v, %v; want 60 once", numbers(got), err)
	}
	for _, c := range []struct {
		in   []string
		want []int
	}{
		{[]string{"ORA-00060,60,ora-60,00060,-60"}, []int{60}},
		{[]string{"1555,ORA-00942,-60"}, []int{1555, 942, 60}},
		{[]string{"942", "1555,00942", "60,1555"}, []int{942, 1555, 60}},
		{[]string{" 60 , ORA-1555 "}, []int{60, 1555}},
		{[]string{"Ora-01555"}, []int{1555}},
		{[]string{"ORA01555"}, []int{1555}},
		{[]string{"ORA 1555"}, []int{1555}},
		{[]string{"ORA-20001,-20001"}, []int{20001}},
	} {
		got, err := ParseList(c.in...)
		if err != nil || !equal(numbers(got), c.want) {
			t.Errorf("%q: got %v, %v; want %v", c.in, numbers(got), err, c.want)
		}
	}
}

func TestProblemO10_ApplicationErrors(t *testing.T) {
	got, err := ParseList("ORA-20999", "-20001")
	if err != nil || !equal(numbers(got), []int{20999, 20001}) {
		t.Fatalf("got %v, %v", numbers(got), err)
	}
	for _, c := range got {
		if !c.Application || !strings.Contains(c.Note, "application") || c.IsEvent || c.Noisy {
			t.Errorf("ORA-%05d: %+v; want a note that its meaning is the application's", c.Number, c)
		}
	}
	if c := Describe(21000); c.Application {
		t.Errorf("21000 is no application error")
	}
}

func TestParseRefuses(t *testing.T) {
	cases := []struct{ in, message, hint string }{
		{"", "empty entry", "--ora"},
		{"942,,1555", "empty entry", "--ora"},
		{"942,", "empty entry", "--ora"},
		{"TNS-12541", "not an ORA number", "network layer"},
		{"PLS-00201", "not an ORA number", "6550"},
		{"SP2-0640", "not an ORA number", "sqlplus"},
		{"RMAN-06004", "not an ORA number", "RMAN"},
		{"XYZ-1", "not an ORA number", "only ORA- errors"},
		{"942 1555", "not an ORA number", "commas"},
		{"942;1555", "not an ORA number", "commas"},
		{"0x3ae", "not an ORA number", "decimal"},
		{"deadlock", "not an ORA number", "60"},
		{"ORA", "no number", "--ora"},
		{"ORA-", "not an ORA number", "--ora"},
		{"--60", "not an ORA number", "--ora"},
		{"+60", "not an ORA number", "--ora"},
		{"6e1", "not an ORA number", "--ora"},
		{"９４２", "not an ORA number", "--ora"},
		{"0", "success", "--ora"},
		{"ORA-00000", "success", "--ora"},
		{"65536", "larger than any", "--ora"},
		{"99999999999999999999", "larger than any", "--ora"},
	}
	for _, c := range cases {
		got, err := ParseList(c.in)
		if err == nil {
			t.Errorf("%q was read as %v", c.in, numbers(got))
			continue
		}
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), c.message) || !strings.Contains(exit.HintOf(err), c.hint) {
			t.Errorf("%q: %v, hint %q, code %d; want %q, hint with %q", c.in, err, exit.HintOf(err), exit.CodeOf(err), c.message, c.hint)
		}
	}
}

// facts/oradebug.md 7 #25, #26, 7.1 and 3.3.
func TestDescribe(t *testing.T) {
	for _, n := range []int{1403, 100, 1002, 1013, 942, 1, 54, 28, 3113, 3114, 3135, 12514, 1017, 6512, 1410} {
		if c := Describe(n); !c.Noisy || c.Note == "" {
			t.Errorf("ORA-%05d is noisy: %+v", n, c)
		}
	}
	for _, n := range []int{60, 1555, 600, 4031, 1722, 20001, 6508} {
		if Describe(n).Noisy {
			t.Errorf("ORA-%05d is not noisy", n)
		}
	}
	for _, n := range []int{10046, 10053, 10298, 10299, 10730} {
		if c := Describe(n); !c.Mapped || !c.IsEvent {
			t.Errorf("%d is a mapped event: %+v", n, c)
		}
	}
	for _, n := range []int{10000, 10200, 10235, 10382, 10387, 10388, 10389, 10999, 10442, 10704, 8105, 38005, 60080, 39505, 14535, 10588} {
		if c := Describe(n); !c.IsEvent || c.Mapped {
			t.Errorf("%d is an event: %+v", n, c)
		}
	}
	for _, n := range []int{10452, 10456, 10459, 10580, 10587, 10589, 10632, 10648, 10663, 10879, 10917, 10997, 9999, 11000, 942, 60, 1555, 22835, 44607} {
		if Describe(n).IsEvent {
			t.Errorf("%d is an error", n)
		}
	}
	for _, n := range []int{600, 7445, 4030, 4031} {
		if !Describe(n).Incident {
			t.Errorf("ORA-%05d writes incidents by itself", n)
		}
	}
	for _, n := range []int{3114, 12170, 24338} {
		if !Describe(n).Client {
			t.Errorf("ORA-%05d is the client's", n)
		}
	}
	if c := Describe(6512); !c.NeverFirst || !strings.Contains(c.Note, "follows another error") {
		t.Errorf("6512: %+v", c)
	}
	if c := Describe(60); c.Note != "" || c.Text != "deadlock detected while waiting for resource" {
		t.Errorf("60: %+v", c)
	}
}

func FuzzOraList(f *testing.F) {
	for _, s := range []string{"ORA-00060,60", "-60", "1555, ORA-942", "TNS-12541", "", ",", "ora 1", "0000000000000000001", "10046", "ORA-20999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cs, err := ParseList(s)
		if err != nil {
			if exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "" {
				t.Fatalf("%q: %v without code or hint", s, err)
			}
			return
		}
		if len(cs) == 0 {
			t.Fatalf("%q: neither codes nor an error", s)
		}
		seen := map[int]bool{}
		for _, c := range cs {
			if c.Number < 1 || c.Number > MaxCode || seen[c.Number] {
				t.Fatalf("%q: %d out of range or twice in %v", s, c.Number, numbers(cs))
			}
			seen[c.Number] = true
			again, err := Parse(fmt.Sprintf("ORA-%05d", c.Number))
			if err != nil || again != c {
				t.Fatalf("%d does not read back: %+v, %v", c.Number, again, err)
			}
		}
	})
}
