package connect

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, p := range pairs {
			if k, v, _ := strings.Cut(p, "="); k == name {
				return v, true
			}
		}
		return "", false
	}
}

var remote = Target{Kind: Remote, User: "scott", Address: "db1"}

func TestPasswordSources(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		return p
	}
	run := func(_ context.Context, command string) ([]byte, error) {
		if command == "fails" {
			return nil, errors.New("ended with 3")
		}
		return []byte(command + "\n"), nil
	}
	prompt := func(_ context.Context, question string) (string, error) {
		if question != "password for scott@db1: " {
			t.Errorf("question %q", question)
		}
		return "from prompt", nil
	}
	for name, c := range map[string]struct {
		p    Passwords
		want string
		code exit.Code
	}{
		"file":               {Passwords{File: file("ok", "s3cr3t \n", 0o600), LookupEnv: env("RINGTRACE_PASSWORD=x")}, "s3cr3t ", 0},
		"file crlf":          {Passwords{File: file("crlf", "s3cr3t\r\n", 0o400)}, "s3cr3t", 0},
		"file group":         {Passwords{File: file("group", "s3cr3t\n", 0o640)}, "", exit.Refused},
		"file world":         {Passwords{File: file("world", "s3cr3t\n", 0o604)}, "", exit.Refused},
		"file empty":         {Passwords{File: file("empty", "\n", 0o600)}, "", exit.Usage},
		"file two lines":     {Passwords{File: file("two", "s3cr3t\nx\n", 0o600)}, "", exit.Usage},
		"file long":          {Passwords{File: file("long", strings.Repeat("s3cr3t", 500), 0o600)}, "", exit.Usage},
		"file missing":       {Passwords{File: filepath.Join(dir, "none")}, "", exit.Usage},
		"file folder":        {Passwords{File: dir}, "", exit.Usage},
		"command":            {Passwords{Command: "from command", Run: run, LookupEnv: env("RINGTRACE_PASSWORD=x")}, "from command", 0},
		"command fails":      {Passwords{Command: "fails", Run: run}, "", exit.Failed},
		"both":               {Passwords{Command: "x", File: "y", Run: run}, "", exit.Usage},
		"environment":        {Passwords{LookupEnv: env("RINGTRACE_PASSWORD=from env"), Prompt: prompt}, "from env", 0},
		"second environment": {Passwords{LookupEnv: env("RINGTRACE_PASSWORD=x", "RINGTRACE_PASSWORD_2=y"), EnvName: "RINGTRACE_PASSWORD_2"}, "y", 0},
		"prompt":             {Passwords{LookupEnv: env(), Prompt: prompt}, "from prompt", 0},
		"no terminal":        {Passwords{LookupEnv: env()}, "", exit.Refused},
	} {
		got, err := c.p.Get(context.Background(), remote)
		if got != c.want || exit.CodeOf(err) != c.code {
			t.Errorf("%s: %q, code %d, %v; want %q, %d", name, got, exit.CodeOf(err), err, c.want, c.code)
		}
		if err != nil && (strings.Contains(err.Error()+exit.HintOf(err), "s3cr3t") || exit.HintOf(err) == "") {
			t.Errorf("%s: message %v, hint %q", name, err, exit.HintOf(err))
		}
	}
	for _, target := range []Target{{Kind: Local}, {Kind: Wallet, Address: "a"}, {Kind: File}} {
		p := Passwords{LookupEnv: env("RINGTRACE_PASSWORD=x")}
		if got, err := p.Get(context.Background(), target); got != "" || err != nil {
			t.Errorf("%s needs no password: %q %v", target, got, err)
		}
	}
}

func TestProblemP15_TwoTaskSendsALocalConnectionElsewhere(t *testing.T) {
	local := Target{Kind: Local, Role: "SYSDBA"}
	w := Warnings(local, env("ORACLE_SID=ORCL", "TWO_TASK=PROD"))
	if len(w) != 1 || !strings.Contains(w[0], "TWO_TASK=PROD") || !strings.Contains(w[0], "unset TWO_TASK") {
		t.Errorf("TWO_TASK set: %q", w)
	}
	if w := Warnings(local, env("ORACLE_SID=ORCL", "TWO_TASK=")); len(w) != 0 {
		t.Errorf("TWO_TASK empty: %q", w)
	}
	if w := Warnings(local, env("ORACLE_HOME=/u01")); len(w) != 1 || !strings.Contains(w[0], "ORACLE_SID") || !strings.Contains(w[0], "ORACLE_HOME=/u01") {
		t.Errorf("no ORACLE_SID: %q", w)
	}
	if w := Warnings(local, env("ORACLE_SID=ORCL", "LOCAL=en_GB")); (len(w) != 0) != (runtime.GOOS == "windows") {
		t.Errorf("LOCAL, which Oracle reads on Windows alone: %q", w)
	}
	if w := Warnings(remote, env("TWO_TASK=PROD")); len(w) != 0 {
		t.Errorf("a remote connection: %q", w)
	}
	hint := LocalHint(env("ORACLE_SID=ORCL", "TNS_ADMIN=/etc"))
	for _, part := range []string{"sqlplus", "-c file:", "ORACLE_SID=ORCL", "TWO_TASK unset", "TNS_ADMIN=/etc"} {
		if !strings.Contains(hint, part) {
			t.Errorf("hint lacks %q: %s", part, hint)
		}
	}
}

func TestProblemP16_NoOSAuthenticationWithoutSqlplus(t *testing.T) {
	err := NoOSAuthentication(Target{Kind: Local, Role: "SYSDBA"})
	if exit.CodeOf(err) != exit.ToolMissing || !strings.Contains(err.Error(), "operating-system authentication") || !strings.Contains(exit.HintOf(err), WithoutDriver) {
		t.Errorf("%v, hint %q", err, exit.HintOf(err))
	}
}

func TestProblemP17_PreliminaryConnectionIsRefused(t *testing.T) {
	err := Preliminary()
	if exit.CodeOf(err) != exit.Refused || !strings.Contains(err.Error(), "without V$ views no session's identity can be proved") {
		t.Errorf("%v", err)
	}
	for _, part := range []string{"sqlplus -prelim", "hanganalyze", "cannot list sessions"} {
		if !strings.Contains(exit.HintOf(err), part) {
			t.Errorf("hint lacks %q: %s", part, exit.HintOf(err))
		}
	}
}
