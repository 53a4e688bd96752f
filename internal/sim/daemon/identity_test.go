package daemon

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ringtrace/internal/sim"
	"ringtrace/internal/sim/instance"
)

// A folder's database keeps its id over restarts, each of which starts later; another folder
// has another id, and neither changes what the seed gives.
func TestIdentityOfAFolder(t *testing.T) {
	ctx := context.Background()
	one, two := Layout{Dir: t.TempDir()}, Layout{Dir: t.TempDir()}
	for _, l := range []Layout{one, two} {
		if err := os.MkdirAll(filepath.Dir(l.identity()), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	identify := func(l Layout, random string) *instance.Database {
		t.Helper()
		id, err := l.Identify(ctx, bytes.NewReader([]byte(random)))
		if err != nil {
			t.Fatal(err)
		}
		d, err := sim.New(sim.Spec{Seed: 7, Sessions: 10, Instances: 2, Identity: id}, time.Now, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a, again, b := identify(one, "abcd"), identify(one, "efgh"), identify(two, "ijkl")
	plain, err := sim.New(sim.Spec{Seed: 7, Sessions: 10, Instances: 2}, time.Now, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if a.DBID != again.DBID || a.DBID == b.DBID || a.DBID == plain.DBID {
		t.Errorf("DBIDs: %d, restarted %d, other folder %d, no folder %d", a.DBID, again.DBID, b.DBID, plain.DBID)
	}
	for i, in := range a.Instances {
		if !again.Instances[i].StartupTime.After(in.StartupTime) || !b.Instances[i].StartupTime.Equal(in.StartupTime) || !plain.Instances[i].StartupTime.Equal(in.StartupTime) {
			t.Errorf("instance %d started %v, restarted %v, other folder %v", in.ID, in.StartupTime, again.Instances[i].StartupTime, b.Instances[i].StartupTime)
		}
		x, y := in.Sessions(), b.Instances[i].Sessions()
		if len(x) == 0 || len(x) != len(y) {
			t.Fatalf("%d and %d sessions", len(x), len(y))
		}
		for j := range x {
			if x[j].SID != y[j].SID || x[j].Serial != y[j].Serial || !x[j].LogonTime.Equal(y[j].LogonTime) || spid(x[j]) != spid(y[j]) {
				t.Errorf("sessions of one seed differ: %+v, %+v", x[j], y[j])
			}
			if x[j].LogonTime.Before(in.StartupTime) {
				t.Errorf("session %d logged on before the start", x[j].SID)
			}
		}
	}
	if err := os.WriteFile(one.identity(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Identify(ctx, bytes.NewReader(nil)); err == nil {
		t.Error("a file that cannot be read is taken for an identity")
	}
	if _, err := (Layout{Dir: t.TempDir()}).Identify(ctx, bytes.NewReader(nil)); err == nil {
		t.Error("no id was drawn, and none was missed")
	}
}

// spid is that of a session's process, empty for a killed one's.
func spid(s *instance.Session) string {
	if s.Proc == nil {
		return ""
	}
	return s.Proc.Spid
}
