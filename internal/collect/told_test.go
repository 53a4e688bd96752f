package collect_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/journal"
)

// TestManifestTellsWhatWasWaitedFor: the manifest, and the part of it that the
// bundle's own report is made with, name the codes and when each was armed.
func TestManifestTellsWhatWasWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.arm(1, 10, 100, "1", w.put("a_1.trc", session(10, 100)+calls))
	w.finish(1, 16, 160, "7", "", journal.Skipped)
	var told *bundle.Manifest
	w.opt.Report = func(_ context.Context, list []bundle.Member, _ []collect.Document) ([]collect.Document, error) {
		i := slices.IndexFunc(list, func(m bundle.Member) bool { return m.Name == bundle.ManifestName })
		rc, err := list[i].Open()
		if err != nil {
			return nil, err
		}
		defer rc.Close()
		told, err = bundle.ReadManifest(rc)
		return nil, err
	}
	c := w.collect()
	m, err := bundle.ReadManifest(bytes.NewReader(c.files[bundle.ManifestName]))
	must(t, err)
	camp := w.opt.Campaign
	for _, d := range []*bundle.Manifest{m, told} {
		if !slices.Equal(d.Watched, []int{1555}) {
			t.Errorf("watched %v", d.Watched)
		}
		armed := 0
		for _, f := range d.Files {
			if f.ArmedAt == nil {
				continue
			}
			armed++
			if f.SID != 10 || !f.ArmedAt.Equal(camp.Sessions[0].FirstArmed) || f.ArmedAt.Before(time.Unix(1, 0)) {
				t.Errorf("session %d armed at %s", f.SID, f.ArmedAt)
			}
		}
		if armed != 1 {
			t.Errorf("%d rows say when they were armed, want 1", armed)
		}
	}
}
