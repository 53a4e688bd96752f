package instance

import "testing"

// TestSharedAndPooled: who points to which process
// (facts/views-and-sqlplus.md 2.2), and that its end leaves the server.
func TestSharedAndPooled(t *testing.T) {
	d := testDB(t, 1, 5, 1)
	in := d.Instances[0]
	for server, pname := range map[string]string{"SHARED": "S000", "NONE": "D000", "POOLED": "L000"} {
		a, err := d.Logon(in, Logon{User: "WEB", Server: server})
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Logon(in, Logon{User: "WEB", Server: server})
		if err != nil {
			t.Fatal(err)
		}
		if a.Proc.Pname != pname || a.Proc != b.Proc || a.Server != server {
			t.Errorf("%s: processes %q and %q, server %s", server, a.Proc.Pname, b.Proc.Pname, a.Server)
		}
		d.Logoff(a)
		d.Logoff(b)
		if !a.Proc.Alive() {
			t.Errorf("%s: the server process ended with its session", server)
		}
	}
}
