package control_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// written is a plan as its file holds it, with a hash that is right.
func written(t *testing.T, p control.PlanFile) []byte {
	t.Helper()
	p.Hash = ""
	b, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	p.Hash = hex.EncodeToString(sum[:])
	if b, err = json.Marshal(&p); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPlanByHand: the hash finds a change, but whoever edits a plan can compute
// it. What no plan of ours holds is refused before anything is sent.
func TestPlanByHand(t *testing.T) {
	_, made := five(t)
	if _, err := control.ReadPlanFile("p.json", bytes.NewReader(written(t, *made))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit func(*control.PlanFile)
		says string
	}{
		"session twice":    {func(p *control.PlanFile) { p.Sessions = append(p.Sessions, p.Sessions[0]) }, "stands there twice"},
		"process twice":    {func(p *control.PlanFile) { p.Sessions[1].Orapid = p.Sessions[0].Orapid }, "stands there twice"},
		"action":           {func(p *control.PlanFile) { p.Events[len(p.Events)-1].Spec += "; crash()" }, "none that ringtrace sets"},
		"second command":   {func(p *control.PlanFile) { p.Events[0].Spec += "\noradebug call x" }, "none that ringtrace sets"},
		"off form":         {func(p *control.PlanFile) { p.Events[0].Off = []string{"crash"} }, "turns an event off"},
		"no way back":      {func(p *control.PlanFile) { p.Events[0].Off = nil }, "turned off"},
		"negative ring":    {func(p *control.PlanFile) { p.RingBytes = -5 }, "-5 bytes"},
		"ring not counted": {func(p *control.PlanFile) { p.RingBytes = 0 }, "0 bytes"},
		"no database":      {func(p *control.PlanFile) { p.Database = journal.Database{} }, "which database"},
		"no instance":      {func(p *control.PlanFile) { p.Instances = nil }, "which database"},
	} {
		t.Run(name, func(t *testing.T) {
			var p control.PlanFile
			if err := json.Unmarshal(written(t, *made), &p); err != nil {
				t.Fatal(err)
			}
			c.edit(&p)
			_, err := control.ReadPlanFile("p.json", bytes.NewReader(written(t, p)))
			if exit.CodeOf(err) != exit.Refused || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want exit 7 and %q", err, c.says)
			}
		})
	}
}
