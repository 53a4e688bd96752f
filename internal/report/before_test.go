package report_test

import (
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestNothingBehindTheErrorIsJustBefore: a session that slept after its error
// did not sleep before it, neither in the verdict nor in the story.
func TestNothingBehindTheErrorIsJustBefore(t *testing.T) {
	const call = "EXEC #140003:c=10,e=20,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim="
	m := load(t, map[string]string{"a.trc": strings.Replace(ringTrace, "ERROR #140004:err=1555 tim=2502000\n", call+"2502000\nERROR #140004:err=1555 tim=2502014\n"+call+"86502020\n", 1)}, report.Options{})
	for _, r := range m.Verdict.Before {
		if r.Line > m.Verdict.Line {
			t.Errorf("L%d %s stands just before L%d", r.Line, r.What, m.Verdict.Line)
		}
	}
	behind := false
	for _, r := range m.Timeline {
		behind = behind || r.Failing
		if r.Kind == "gap" && !behind {
			t.Error("the gap stands before the error in the story")
		}
	}
	if !behind {
		t.Error("no row is the failing one")
	}
}
