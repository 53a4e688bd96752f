package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestLineNumbersAreNotCutOff: at 80 columns the place of a longest call, the last
// line of ORADEBUG commands and the object of a wait stand there whole.
func TestLineNumbersAreNotCutOff(t *testing.T) {
	const name = "a_rather_long_instance_name_ora_3819_APPLICATION_SERVER.trc"
	trace := strings.ReplaceAll(waitsTrace(), "sequence=620 obj#=-1", "sequence=620 obj#=1234567")
	var commands strings.Builder
	for range 3 {
		commands.WriteString("Received ORADEBUG command (#1) 'eventdump process with a long name behind it' from process 'Unix process pid: 1, image: x'\nFinished processing ORADEBUG command (#1) 'eventdump process with a long name behind it'\n")
	}
	m := load(t, map[string]string{name: trace, "b.trc": strings.ReplaceAll(ringTrace, "101.5", "102.6") + commands.String()}, report.Options{AllRows: true})
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	longest := strings.Split(strings.TrimSpace(between(out, "\nLONGEST SINGLE", "\nWAITS BY")), "\n")[2:]
	if len(longest) == 0 {
		t.Fatal("no longest calls")
	}
	for _, l := range longest {
		if !regexp.MustCompile(`:L\d+$`).MatchString(l) || len([]rune(l)) > 80 {
			t.Errorf("longest: %q", l)
		}
	}
	for _, want := range []string{`ORADEBUG eventdump.* … 3 commands to L\d+\n`, `wait 0\.500000 s enq: TX - row lock contention [^|]*?object\s+1234567`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, between(out, "\nSTORY", "\nTRANSACTIONS"))
		}
	}
	for _, l := range strings.Split(out, "\n") {
		if len([]rune(l)) > 80 {
			t.Errorf("beyond 80 columns: %q", l)
		}
	}
}
