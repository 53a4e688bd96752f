//go:build cgo

package oradb

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

func TestParamsAreExactAndKeepThePassword(t *testing.T) {
	c := config("sys@db1:1521/s as sysdba", "")
	c.Password = `se"cr3t=\ x`
	p, err := c.params()
	if err != nil {
		t.Fatal(err)
	}
	if p.Username != "sys" || p.Password.Secret() != c.Password || p.ConnectString != "db1:1521/s" || p.AdminRole != "SYSDBA" || !p.IsStandalone() {
		t.Errorf("%+v", p)
	}
	if p.ExternalAuth.Bool || !p.NoTZCheck || p.Timezone == nil {
		t.Errorf("external %v, zone check %v", p.ExternalAuth, p.NoTZCheck)
	}
	if text := fmt.Sprintf("%v %+v %s", p, p, p); strings.Contains(text, "cr3t") {
		t.Error("the parameters print the password")
	}
	for _, target := range []string{"/ as sysdba", "/@alias"} {
		p, err := config(target, "").params()
		if err != nil || !p.ExternalAuth.Bool || p.Username != "" {
			t.Errorf("%s: %+v %v", target, p, err)
		}
	}
	if _, err := (&Config{Target: connect.Target{Kind: connect.File, Address: "x"}}).params(); exit.CodeOf(err) != exit.Usage {
		t.Errorf("a file: %v", err)
	}
}

// The driver that is built in is the one the mapping was written for.
func TestDriverVersion(t *testing.T) {
	b, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "github.com/godror/godror "+DriverVersion) {
		t.Errorf("go.mod does not pin godror %s: read the release notes, then change DriverVersion", DriverVersion)
	}
}

// Without a client library the real driver's error has to arrive explained.
func TestOpenWithoutClient(t *testing.T) {
	if os.Getenv("LD_LIBRARY_PATH") != "" || os.Getenv("ORACLE_HOME") != "" {
		t.Skip("SKIPPED (1): an Oracle client may be here")
	}
	c := config("scott@localhost:1/x", "")
	c.Password = "s3cr3t"
	_, err := Open(context.Background(), *c)
	if err == nil {
		t.Fatal("connected")
	}
	if exit.CodeOf(err) != exit.ToolMissing && exit.CodeOf(err) != exit.CannotConnect {
		t.Errorf("code %d: %v", exit.CodeOf(err), err)
	}
	if strings.Contains(err.Error()+exit.HintOf(err), "s3cr3t") {
		t.Errorf("the error holds the password: %v", err)
	}
}
