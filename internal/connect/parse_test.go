package connect

import (
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Target{
		"/":                                  {Kind: Local, Role: "SYSDBA"},
		"/ as sysdba":                        {Kind: Local, Role: "SYSDBA"},
		" /  AS  SysDBA ":                    {Kind: Local, Role: "SYSDBA"},
		"scott@db1:1521/sales":               {Kind: Remote, User: "scott", Address: "db1:1521/sales"},
		"sys@db1:1521/sales as sysdba":       {Kind: Remote, User: "sys", Address: "db1:1521/sales", Role: "SYSDBA"},
		"sys@//db1/sales as sysdba":          {Kind: Remote, User: "sys", Address: "//db1/sales", Role: "SYSDBA"},
		"sys@ALIAS as sysoper":               {Kind: Remote, User: "sys", Address: "ALIAS", Role: "SYSOPER"},
		`"App User"@db1`:                     {Kind: Remote, User: `"App User"`, Address: "db1"},
		`"a@b/c"@db1`:                        {Kind: Remote, User: `"a@b/c"`, Address: "db1"},
		"proxy[app]@db1":                     {Kind: Remote, User: "proxy[app]", Address: "db1"},
		"ALIAS":                              {Kind: Wallet, Address: "ALIAS"},
		"alias.world as sysdba":              {Kind: Wallet, Address: "alias.world", Role: "SYSDBA"},
		"/@alias":                            {Kind: Wallet, Address: "alias"},
		"/@alias as sysdba":                  {Kind: Wallet, Address: "alias", Role: "SYSDBA"},
		"db1:1521/sales":                     {Kind: Wallet, Address: "db1:1521/sales"},
		"//db1/sales":                        {Kind: Wallet, Address: "//db1/sales"},
		"a@(DESCRIPTION=(ADDRESS=(HOST=h)))": {Kind: Remote, User: "a", Address: "(DESCRIPTION=(ADDRESS=(HOST=h)))"},
		"sim:":                               {Kind: Sim},
		"sim:?seed=7&sessions=10":            {Kind: Sim, Address: "?seed=7&sessions=10"},
		"sim:/tmp/x":                         {Kind: Sim, Address: "/tmp/x"},
		"file:a b/sessions.csv":              {Kind: File, Address: "a b/sessions.csv"},
		"postgres://u@h/db":                  {Kind: Postgres, Address: "postgres://u@h/db"},
	} {
		got, err := Parse(in)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", in, got, err, want)
			continue
		}
		again, err := Parse(got.String())
		if err != nil || again != got {
			t.Errorf("%q prints as %q, which is %+v, %v", in, got.String(), again, err)
		}
	}
}

// No message may repeat a text that could hold a password.
func TestProblemP13_PasswordOnTheCommandLine(t *testing.T) {
	const pw = "tig3rS3cret"
	for _, in := range []string{
		"u/" + pw + "@db", "scott/" + pw, "scott/" + pw + "@db1:1521/sales as sysdba", `scott/"` + pw + `"@db`, "scott/p@" + pw + "@db",
		"scott:" + pw + "@db1:1521/sales", `"Scott"/` + pw + "@db", "proxy[app]/" + pw + "@db", "postgres://u:" + pw + "@h/db",
		"postgres://u@h/db?password=" + pw, "/" + pw + "@db", "scott@" + pw + "@db", "scott/" + pw + "/x@db",
	} {
		got, err := Parse(in)
		if exit.CodeOf(err) != exit.Usage {
			t.Errorf("%q is taken as %+v, %v", in, got, err)
			continue
		}
		if strings.Contains(err.Error()+exit.HintOf(err), pw) {
			t.Errorf("%q: the refusal repeats the password: %v", in, err)
		}
		for _, w := range []string{"RINGTRACE_PASSWORD", "password"} {
			if !strings.Contains(exit.HintOf(err), w) {
				t.Errorf("%q: hint %q", in, exit.HintOf(err))
			}
		}
	}
	// What is typed into sqlplus goes over its standard input; the target never holds the password.
	target, err := Parse("scott@db1:1521/sales as sysdba")
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := target.Command(pw)
	if err != nil || cmd != `connect scott/"`+pw+`"@db1:1521/sales as sysdba` {
		t.Errorf("%q %v", cmd, err)
	}
	if strings.Contains(target.String(), pw) {
		t.Error("the target prints the password")
	}
	if _, err := target.Command(`a"b`); exit.CodeOf(err) != exit.Usage || strings.Contains(err.Error(), `a"b`) {
		t.Errorf("a quote in the password: %v", err)
	}
}

func TestParseRefusals(t *testing.T) {
	for in, text := range map[string]string{
		"":                     "no connection",
		"   ":                  "no connection",
		"as sysdba":            "address holds a blank",
		"scott@":               "no address",
		"@db":                  "no user",
		`""@db`:                "no user",
		"/@":                   "no address",
		"/ as dba":             "unknown role",
		"a b@db":               "user name",
		"scott@db1 x":          "blank",
		"scott@db1;host":       "blank, a quote or another",
		"scott@db&x":           "blank, a quote or another",
		"scott@d\nb":           "control character",
		"file:":                "without a name",
		`"scott"`:              "without an address",
		"scott@db as sysdba x": "blank",
	} {
		got, err := Parse(in)
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), text) || exit.HintOf(err) == "" {
			t.Errorf("%q: %+v, %v (%s), want %s", in, got, err, exit.HintOf(err), text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"/", "/ as sysdba", "a@b", "a/b@c", `"x"@y as sysoper`, "sim:x", "file:x", "postgres://a@b/c", "h:1/s", "/@w", "a[b]@c", "(DESCRIPTION=x)", "\" A&000\"@0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s)
		if err != nil {
			if exit.CodeOf(err) != exit.Usage {
				t.Fatalf("%q: code %d", s, exit.CodeOf(err))
			}
			return
		}
		again, err := Parse(got.String())
		if err != nil || again != got {
			t.Fatalf("%q is %+v, prints as %q, and that is %+v, %v", s, got, got.String(), again, err)
		}
		if got.IsOracle() && got.Kind != Local {
			cmd, err := got.Command("x")
			if err != nil || strings.ContainsAny(cmd, "\r\n") || strings.ContainsAny(got.Address, ";& ") {
				t.Fatalf("%q gives %q, %v", s, cmd, err)
			}
		}
	})
}
