package journal

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCampaignsOfADatabase(t *testing.T) {
	d := Dir{Path: t.TempDir()}
	if found, failed, err := d.OfDatabase(Database{}); err != nil || len(found)+len(failed) > 0 {
		t.Fatalf("nothing there: %v %v %v", found, failed, err)
	}
	for id, db := range map[string]Database{
		"a-prod": {UniqueName: "PROD", DBID: 1}, "b-test": {UniqueName: "TEST", DBID: 2}, "c-clone": {UniqueName: "PROD", DBID: 3}, "d-unknown": {}, "e-prod": {UniqueName: "PROD"},
	} {
		h := header(id)
		h.Database = db
		j, err := d.Create(h, clock())
		must(t, err)
		if id == "a-prod" {
			must(t, j.CloseCampaign(Close{Reason: "clean", By: alice}))
		}
		must(t, j.Close())
	}
	must(t, os.WriteFile(filepath.Join(d.Path, "campaigns", "f-bad.jsonl"), []byte("x\n"), 0o600))
	found, failed, err := d.OfDatabase(Database{UniqueName: "PROD", DBID: 1})
	must(t, err)
	var ids string
	for _, c := range found {
		ids += c.Header.Campaign + " "
	}
	if ids != "a-prod d-unknown e-prod " {
		t.Errorf("found %q", ids)
	}
	if len(failed) != 1 || failed["f-bad"] == nil {
		t.Errorf("failed %v", failed)
	}
}
