//go:build unix

package sqlplus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// A banner of glogin.sql or login.sql holds error lines. They are never named
// as the reason why there is no session.
func TestBannerIsNotTheReasonForAFailedLogon(t *testing.T) {
	notice := []string{"NOTICE: ORA-01578 on file 7 is known, do not page", "ORA-00600: is what this host reports on Sundays", "SP2-0310: unable to open file \"toys.sql\""}
	remote := connect.Target{Kind: connect.Remote, User: "scott", Address: "db1:1521/s"}
	refused := []string{"ERROR:", "ORA-12541: TNS:no listener", "", ""}
	with := func(parts ...[]string) (lines []string) {
		for _, p := range parts {
			lines = append(lines, p...)
		}
		return lines
	}
	for name, c := range map[string]struct {
		tr   transcript
		code exit.Code
		text string // of the message
		hint string
		not  string // in neither
	}{
		"refused, banner at start": {
			tr:   transcript{NotOn: true, Starting: notice, Connect: refused},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
		"refused, banner behind": {
			tr:   transcript{NotOn: true, Connect: with(refused, notice)},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
		"refused, banner before": {
			tr:   transcript{NotOn: true, Connect: with(notice, refused)},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
		"refused, banner says connected": {
			tr:   transcript{NotOn: true, Connect: with(refused, []string{"Connected.", "ORA-00600: x"})},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
		"refused without a header, the banner of the start again": {
			tr:   transcript{NotOn: true, Starting: notice, Connect: with(notice, []string{"ORA-12541: TNS:no listener"})},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
		"idle instance": {
			tr:   transcript{Idle: true, Starting: notice, Connect: with([]string{"Connected to an idle instance."}, notice)},
			code: exit.CannotConnect, text: "ORA-01034", not: "00600",
		},
		"a script disconnects": {
			tr:   transcript{NotOn: true, Connect: []string{"Connected.", "Disconnected from Oracle Database 19c", "ORA-00600: x"}},
			code: exit.CannotConnect, text: "no longer when glogin.sql and login.sql had run (they printed: Disconnected", hint: "disconnects", not: "00600",
		},
		"a script disconnects, the password expires": {
			tr:   transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-28002: the password will expire within 7 days", "", "Connected.", "Disconnected"}},
			code: exit.CannotConnect, text: "no longer when", hint: "disconnects", not: "28002",
		},
		"a script hangs": {
			tr:   transcript{Hang: true, Connect: with([]string{"Connected."}, notice)},
			code: exit.CannotConnect, text: "glogin.sql or login.sql did not end", hint: "--connect-timeout", not: "00600",
		},
		"the start dies behind a banner": {
			tr:   transcript{Dead: true, Exit: 3, Starting: with([]string{"SP2-0640: Not connected"}, notice)},
			code: exit.ToolMissing, text: "exit status 3", hint: "by hand",
		},
		"the start dies of an error": {
			tr:   transcript{Dead: true, Exit: 1, Starting: with(notice, []string{"ERROR:", "ORA-12541: TNS:no listener"})},
			code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl", not: "00600",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := playOptions(t, c.tr)
			o.Target, o.Password = remote, "tig3r"
			if c.tr.Hang {
				o.ConnectTimeout, o.Grace = 500*time.Millisecond, 10*time.Second
			}
			conv, err := Start(context.Background(), o)
			if err == nil {
				_ = conv.Close()
				t.Fatal("it started")
			}
			said := err.Error() + " / " + exit.HintOf(err)
			if exit.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.text) || !strings.Contains(exit.HintOf(err), c.hint) {
				t.Errorf("code %d, %s; want %d, %q, hint %q", exit.CodeOf(err), said, c.code, c.text, c.hint)
			}
			if c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("%s: tells of %s", said, c.not)
			}
		})
	}
}

// Neither does a banner with error lines keep a logon that works from working,
// on the simulated instance as well, whose login scripts run as Oracle's do.
func TestBannerWithErrorsKeepsNobodyOut(t *testing.T) {
	login := filepath.Join(t.TempDir(), "glogin.sql")
	banner := "prompt ERROR:\nprompt ORA-00600: is what this host reports on Sundays\nselect nothing from nowhere;\n@nosuchfile.sql\nselect 'ORA-01017: x' from dual;\n"
	if err := os.WriteFile(login, []byte(banner), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, simOptions(t, "?sessions=10", "_SQLPLUS_TEST_LOGIN="+login))
	if got, err := c.Do(context.Background(), "oradebug setmypid"); err != nil || FindError(got) != nil {
		t.Errorf("%q %v", got, err)
	}
	o := simOptions(t, "?sessions=10", "_SQLPLUS_TEST_LOGIN="+login)
	o.Target, o.Password = connect.Target{Kind: connect.Remote, User: "app", Address: "nowhere:1521/none"}, "wrong"
	conv, err := Start(context.Background(), o)
	if err == nil {
		_ = conv.Close()
		t.Fatal("it started")
	}
	if said := err.Error() + exit.HintOf(err); exit.CodeOf(err) != exit.CannotConnect || strings.Contains(said, "00600") || strings.Contains(said, "01012") || !strings.Contains(said, "ORA-12") && !strings.Contains(said, "ORA-01017") {
		t.Errorf("code %d, %s", exit.CodeOf(err), said)
	}
}
