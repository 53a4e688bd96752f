package collect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// The fields that other programs rely on are there in every row, with the type
// they have in the contract, whatever became of the file.
func TestManifestFieldByField(t *testing.T) {
	w := newWorld(t)
	w.put("a_1.trc", session(10, 100)+calls)
	w.put("b_2.trc", header("/b_2.trc", "SHOP1", "db1")+markers)
	closed := w.put("c_3.trc", session(12, 120)+calls)
	w.put("d_4_8.trc", session(13, 130)+calls)
	w.put("d_4.trc", session(13, 130)+calls)
	w.arm(1, 10, 100, "1", w.path("a_1.trc"))
	w.arm(1, 11, 110, "2", w.path("b_2.trc"))
	w.arm(1, 12, 120, "3", closed)
	w.arm(1, 13, 130, "4", w.path("d_4.trc"))
	w.arm(2, 14, 140, "5", "/u01/gone.trc")
	w.arm(2, 15, 150, "6", "")
	w.finish(1, 16, 160, "7", "", journal.Skipped)
	w.opt.Sources[0] = denying{w.opt.Sources[0], closed}
	c := w.collect()
	var doc map[string]any
	must(t, json.Unmarshal(c.files[bundle.ManifestName], &doc))
	if doc["bundle"] != "ringtrace-night.zip" || doc["format"] != "zip" {
		t.Errorf("bundle %v, format %v", doc["bundle"], doc["format"])
	}
	files, ok := doc["files"].([]any)
	if !ok || len(files) != 8 {
		t.Fatalf("files: %v", doc["files"])
	}
	type kinds []string
	fields := map[string]kinds{
		"source": {"string", "<nil>"}, "name": {"string", "<nil>"}, "inst_id": {"float64"}, "sid": {"float64"}, "serial": {"float64"},
		"bytes": {"float64", "<nil>"}, "sha256": {"string", "<nil>"}, "status": {"string"}, "note": {"string", "<nil>"},
	}
	seen, counts := map[string]bool{}, map[string]float64{}
	for i, f := range files {
		row, ok := f.(map[string]any)
		if !ok {
			t.Fatalf("row %d is %T", i, f)
		}
		for name, want := range fields {
			v, ok := row[name]
			if got := fmt.Sprintf("%T", v); !ok || !slices.Contains(want, got) {
				t.Errorf("row %d: %s is %s (there: %v), want one of %v", i, name, got, ok, want)
			}
			seen[name+" "+fmt.Sprintf("%T", v)] = true
		}
		status, _ := row["status"].(string)
		counts[status]++
		if have := row["sha256"] != nil; have != (status == "collected" || status == "partial") {
			t.Errorf("row %d: %s with the sum %v", i, status, row["sha256"])
		}
		if row["note"] == nil && status != "collected" && row["name"] != "traces/1/d_4.trc" {
			t.Errorf("row %d is %s and does not say why", i, status)
		}
	}
	summary, _ := doc["summary"].(map[string]any)
	for _, status := range []string{"collected", "partial", "missing", "denied", "skipped"} {
		if counts[status] == 0 || summary[status] != counts[status] {
			t.Errorf("%v rows are %s, the summary says %v", counts[status], status, summary[status])
		}
	}
	if summary["sessions"] != 7.0 || summary["files"] != 3.0 {
		t.Errorf("summary %v", summary)
	}
	for name, want := range fields { // the test would see a null that is not one
		for _, k := range want {
			if !seen[name+" "+k] {
				t.Errorf("no row has a %s that is %s", name, k)
			}
		}
	}
	if _, err := os.Stat(closed); err != nil {
		t.Error(err)
	}
}
