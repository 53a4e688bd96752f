//go:build unix

package sqlplus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

func TestDoReturnsOneAnswer(t *testing.T) {
	for name, tr := range map[string]transcript{
		"plain":                    {},
		"byte by byte":             {Split: true},
		"banner and late text":     {Starting: []string{"SQL*Plus: Release 19.0.0.0.0", "", "glogin says hello"}},
		"prompts echoed":           {Echo: true},
		"server process holds out": {Hold: true},
	} {
		t.Run(name, func(t *testing.T) {
			tr.Answers = []answer{
				{Has: "setorapid", Lines: []string{"Oracle pid: 38, Unix process pid: 32263, image: oracle@db1"}},
				{Has: "without an end", Raw: "no new line"},
				{Has: "marks", Lines: []string{"~~B:0000000000000000:1", "~~E:0000000000000000:9", "x ~~E:1"}},
				{Has: "late", Act: "late", Lines: []string{"after a while"}},
				{Has: "help", Lines: []string{"ORA-00942: x", "Help: https://docs.oracle.com/error-help/db/ora-00942/"}},
			}
			c := start(t, playOptions(t, tr))
			for command, want := range map[string]string{
				"oradebug setmypid":                 "Statement processed.",
				"oradebug setorapid 38":             "Oracle pid: 38, Unix process pid: 32263, image: oracle@db1",
				"select 'without an end' from dual": "no new line",
				"select 'marks' from dual":          "~~B:0000000000000000:1|~~E:0000000000000000:9|x ~~E:1",
				"select 'late' from dual":           "after a while",
				"select 'help' from dual":           "ORA-00942: x",
				"select 'nothing' from dual":        "",
			} {
				if tr.Echo && strings.Contains(command, "without an end") {
					continue // the echo would stand on the same line
				}
				got, err := c.Do(context.Background(), command)
				if err != nil || strings.Join(got, "|") != want {
					t.Errorf("%s: %q, %v; want %q", command, got, err, want)
				}
			}
		})
	}
}

func TestCommandsThatCannotBeOneCommand(t *testing.T) {
	c := start(t, playOptions(t, transcript{}))
	for command, reason := range map[string]string{
		"":                                      "empty",
		"oradebug setmypid\noradebug poke 0 1":  "more than one line",
		"oradebug event 1 -":                    "hyphen",
		"oradebug " + strings.Repeat("x", 3000): "longer than",
		"select 1 from dual; drop table x":      "semicolon",
		"select 'a from dual":                   "no end",
		"select \"a from dual":                  "no end",
		"select /* from dual":                   "no end",
		"select 1 from dual -":                  "hyphen",
		"select \x01 from dual":                 "control character",
	} {
		_, err := c.Do(context.Background(), command)
		var ce *CommandError
		if !errors.As(err, &ce) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %s", command, err, reason)
		}
	}
	if got, err := c.Do(context.Background(), "oradebug setmypid"); err != nil || len(got) != 1 {
		t.Errorf("the conversation does not go on: %q %v", got, err)
	}
}

func TestTimeOutInterruptsTheCommandAlone(t *testing.T) {
	o := playOptions(t, transcript{Answers: []answer{{Has: "slow", Act: "stall"}}})
	o.Grace = 10 * time.Second // it is obeyed, also on a busy machine
	c := start(t, o)
	_, err := c.Do(within(t, 100*time.Millisecond), "select 'slow' from dual")
	if !errors.Is(err, ErrTimedOut) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v", err)
	}
	if got, err := c.Do(context.Background(), "oradebug setmypid"); err != nil || strings.Join(got, "") != "Statement processed." {
		t.Errorf("after the interrupt: %q %v", got, err)
	}
}

// Without a deadline of the caller each wait for output is bounded: rows that
// come one by one may take long, silence may not.
func TestSilenceIsTheLimit(t *testing.T) {
	drops := make([]string, 20)
	for i := range drops {
		drops[i] = fmt.Sprint("drop ", i)
	}
	o := playOptions(t, transcript{Answers: []answer{{Has: "slow", Act: "stall"}, {Has: "long", Act: "drip", Lines: drops}}})
	o.Timeout, o.Grace = time.Second, 10*time.Second // of 80 ms a drop: a busy machine may stumble
	c := start(t, o)
	begun := time.Now()
	lines, err := c.Do(context.Background(), "select 'long' from dual")
	if err != nil || len(lines) != len(drops) {
		t.Fatalf("%q %v", lines, err)
	}
	if took := time.Since(begun); took < o.Timeout {
		t.Fatalf("it took %v: the case shows nothing", took)
	}
	begun = time.Now()
	_, err = c.Do(context.Background(), "select 'slow' from dual")
	if took := time.Since(begun); !errors.Is(err, ErrTimedOut) || !strings.Contains(err.Error(), "within ") || took < o.Timeout {
		t.Errorf("silence, after %v: %v", took, err)
	}
	// What the caller says wins, in both directions.
	if _, err := c.Do(within(t, 100*time.Millisecond), "select 'long' from dual"); !errors.Is(err, ErrTimedOut) {
		t.Errorf("a deadline of the caller: %v", err)
	}
	if got, err := c.Do(context.Background(), "oradebug setmypid"); err != nil || len(got) != 1 {
		t.Errorf("afterwards: %q %v", got, err)
	}
}

func TestCancelEndsTheWait(t *testing.T) {
	o := playOptions(t, transcript{Answers: []answer{{Has: "slow", Act: "stall"}}})
	o.Grace = 10 * time.Second // it is obeyed, also on a busy machine
	c := start(t, o)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Do(ctx, "select 'slow' from dual"); !errors.Is(err, ErrTimedOut) || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if _, err := c.Do(ctx, "oradebug setmypid"); !errors.Is(err, ErrTimedOut) {
		t.Errorf("a command of an ended context: %v", err)
	}
}

func TestChildThatIgnoresSignalsIsKilled(t *testing.T) {
	o := playOptions(t, transcript{Swallow: true, Answers: []answer{{Has: "slow", Act: "stall"}}})
	c := start(t, o)
	begun := time.Now()
	_, err := c.Do(within(t, 100*time.Millisecond), "select 'slow' from dual")
	if !errors.Is(err, ErrTimedOut) {
		t.Fatalf("%v", err)
	}
	if d := time.Since(begun); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
	if _, err := c.Do(context.Background(), "oradebug setmypid"); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("afterwards: %v", err)
	}
	if alive(c.child.cmd.Process.Pid) {
		t.Error("the child lives")
	}
}

// A lost frame is never guessed at: the answer of the next command would be
// taken for this one's.
func TestLostFrameEndsTheConversation(t *testing.T) {
	c := start(t, playOptions(t, transcript{Answers: []answer{{Has: "eaten", Act: "swallow-end", Lines: []string{"something"}}}}))
	lines, err := c.Do(within(t, 100*time.Millisecond), "select 'eaten' from dual")
	if !errors.Is(err, ErrTimedOut) {
		t.Fatalf("%q %v", lines, err)
	}
	if _, err := c.Do(context.Background(), "oradebug setmypid"); !errors.Is(err, ErrLost) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestDeathIsReportedWithItsLastWords(t *testing.T) {
	for _, hold := range []bool{false, true} {
		c := start(t, playOptions(t, transcript{Hold: hold, Answers: []answer{{Has: "boom", Act: "die", Lines: []string{"last line"}}}}))
		begun := time.Now()
		lines, err := c.Do(context.Background(), "select 'boom' from dual")
		if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "core dumped") || !strings.Contains(err.Error(), "139") {
			t.Errorf("hold %v: %v", hold, err)
		}
		if strings.Join(lines, "") != "last line" {
			t.Errorf("hold %v: %q", hold, lines)
		}
		if d := time.Since(begun); d > 10*time.Second {
			t.Errorf("hold %v: it took %v", hold, d)
		}
	}
}

// The server process of a local connection is in the child's group; it has to
// outlive a SIGKILL of sqlplus, because the database cleans up after it.
func TestServerProcessIsSpared(t *testing.T) {
	if !isServer("oracleORCL\x00(DESCRIPTION=(LOCAL=YES)(ADDRESS=(PROTOCOL=beq)))") || isServer("/u01/oracle/bin/sqlplus\x00-S") {
		t.Error("server processes are not told from sqlplus")
	}
	c := start(t, playOptions(t, transcript{Hold: true, Swallow: true, Answers: []answer{{Has: "slow", Act: "stall"}}}))
	pgid := c.child.cmd.Process.Pid
	server := 0
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		b, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && isServer(string(b)) {
			stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
			if strings.Contains(string(stat), fmt.Sprintf(" %d ", pgid)) {
				_, _ = fmt.Sscan(e.Name(), &server)
			}
		}
	}
	if server == 0 {
		t.Fatal("the played server process was not found")
	}
	defer func() {
		p, _ := os.FindProcess(server)
		_ = p.Kill()
	}()
	if _, err := c.Do(within(t, 50*time.Millisecond), "select 'slow' from dual"); !errors.Is(err, ErrTimedOut) {
		t.Fatal(err)
	}
	if alive(pgid) {
		t.Error("sqlplus lives")
	}
	if !alive(server) {
		t.Error("the server process was killed")
	}
}

func TestHugeAnswerIsAnErrorAndNotAFlood(t *testing.T) {
	o := playOptions(t, transcript{Answers: []answer{{Has: "huge", Act: "huge"}}})
	o.MaxOutput = 1 << 20
	c := start(t, o)
	lines, err := c.Do(context.Background(), "select 'huge' from dual")
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	if !errors.Is(err, ErrTooLong) || n > o.MaxOutput {
		t.Errorf("%d bytes kept, %v", n, err)
	}
	if got, err := c.Do(context.Background(), "oradebug setmypid"); err != nil || len(got) != 1 {
		t.Errorf("afterwards: %q %v", got, err)
	}
}

func TestLockedKeepsOthersOut(t *testing.T) {
	c := start(t, playOptions(t, transcript{}))
	var mu sync.Mutex
	var order []string
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			err := c.Locked(context.Background(), func(l *Locked) error {
				for _, step := range []string{"setmypid", "setorapid", "event"} {
					if _, err := l.Do(context.Background(), "oradebug "+step); err != nil {
						return err
					}
					mu.Lock()
					order = append(order, fmt.Sprint(i))
					mu.Unlock()
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := 0; i < len(order); i += 3 {
		if order[i] != order[i+1] || order[i] != order[i+2] {
			t.Fatalf("mixed: %v", order)
		}
	}
	release := make(chan struct{})
	held := make(chan struct{})
	go func() {
		_ = c.Locked(context.Background(), func(*Locked) error { close(held); <-release; return nil })
	}()
	<-held
	if _, err := c.Do(within(t, 20*time.Millisecond), "oradebug setmypid"); !errors.Is(err, ErrTimedOut) {
		t.Errorf("while another holds it: %v", err)
	}
	close(release)
}

func TestCloseEndsTheChildAndItsFolder(t *testing.T) {
	for name, tr := range map[string]transcript{"obeys": {}, "deaf": {Swallow: true}} {
		t.Run(name, func(t *testing.T) {
			c := start(t, playOptions(t, tr))
			pid, dir := c.child.cmd.Process.Pid, c.child.dir
			for range 2 {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			if alive(pid) {
				t.Error("the child lives")
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("the working folder is there: %v", err)
			}
			if _, err := c.Do(context.Background(), "oradebug setmypid"); !errors.Is(err, ErrLost) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

func TestStartFailuresSayWhatToDo(t *testing.T) {
	remote := connect.Target{Kind: connect.Remote, User: "scott", Address: "db1:1521/s"}
	for name, c := range map[string]struct {
		tr      transcript
		program string
		target  *connect.Target
		code    exit.Code
		text    string
		hint    string
	}{
		"no such file":     {program: "/nonexistent/sqlplus", code: exit.ToolMissing, text: "no such file", hint: "--sqlplus"},
		"no program":       {program: "/etc/passwd", code: exit.ToolMissing, text: "permission denied", hint: "--sqlplus"},
		"message files":    {tr: transcript{Dead: true, Exit: 1, Starting: []string{"Error 6 initializing SQL*Plus", "SP2-0667: Message file sp1<lang>.msb not found", "SP2-0750: You may need to set ORACLE_HOME to your Oracle software directory"}}, code: exit.ToolMissing, text: "message files", hint: "export ORACLE_HOME="},
		"Error 46":         {tr: transcript{Dead: true, Exit: 1, Starting: []string{"Error 46 initializing SQL*Plus"}}, code: exit.ToolMissing, text: "libraries", hint: "export LD_LIBRARY_PATH="},
		"loader":           {tr: transcript{Dead: true, Exit: 127, Stderr: "sqlplus: error while loading shared libraries: libsqlplus.so: cannot open shared object file: No such file or directory\n"}, code: exit.ToolMissing, text: "libsqlplus.so", hint: "export LD_LIBRARY_PATH="},
		"crash":            {tr: transcript{Dead: true, Exit: 134, Stderr: "munmap_chunk(): invalid pointer\n"}, code: exit.ToolMissing, text: "munmap_chunk", hint: "by hand"},
		"wrong password":   {tr: transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-01017: invalid username/password; logon denied", "", "", "Warning: You are no longer connected to ORACLE."}}, target: &remote, code: exit.CannotConnect, text: "ORA-01017", hint: "password"},
		"no listener":      {tr: transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-12541: TNS:no listener"}}, target: &remote, code: exit.CannotConnect, text: "ORA-12541", hint: "lsnrctl"},
		"not allowed":      {tr: transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-01031: insufficient privileges"}}, code: exit.NotAllowed, text: "ORA-01031", hint: "OSDBA"},
		"unknown number":   {tr: transcript{NotOn: true, Connect: []string{"ERROR:", "ORA-99999: whatever"}}, code: exit.CannotConnect, text: "ORA-99999", hint: "seen:"},
		"SP2 alone":        {tr: transcript{NotOn: true, Connect: []string{"SP2-0306: Invalid option."}}, code: exit.CannotConnect, text: "SP2-0306", hint: "by hand"},
		"nothing at all":   {tr: transcript{NotOn: true, Connect: []string{}}, code: exit.CannotConnect, text: "SP2-0640", hint: "seen:"},
		"a null character": {tr: transcript{}, target: &connect.Target{Kind: connect.File, Address: "x"}, code: exit.Usage, text: "cannot connect", hint: "-c"},
	} {
		t.Run(name, func(t *testing.T) {
			o := playOptions(t, c.tr)
			if c.program != "" {
				o.Program = c.program
			}
			if c.target != nil {
				o.Target, o.Password = *c.target, "tig3r"
			}
			conv, err := Start(context.Background(), o)
			if err == nil {
				_ = conv.Close()
				t.Fatal("it started")
			}
			if exit.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.text) || !strings.Contains(exit.HintOf(err), c.hint) {
				t.Errorf("code %d, %v, hint %q; want %d, %q, %q", exit.CodeOf(err), err, exit.HintOf(err), c.code, c.text, c.hint)
			}
			if left, _ := os.ReadDir(o.TempDir); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestIdleInstanceIsNoConnection(t *testing.T) {
	// CONNECT / AS SYSDBA works without an instance; the first question does not.
	o := playOptions(t, transcript{Idle: true, Connect: []string{"Connected to an idle instance."}})
	_, err := Start(context.Background(), o)
	if exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "ORA-01034") || !strings.Contains(exit.HintOf(err), "pmon") {
		t.Errorf("%v, hint %q", err, exit.HintOf(err))
	}
}

func TestPasswordThatExpiresSoonIsNoFailure(t *testing.T) {
	c := start(t, playOptions(t, transcript{Connect: []string{"ERROR:", "ORA-28002: the password will expire within 7 days", "", "Connected."}}))
	if _, err := c.Do(context.Background(), "oradebug setmypid"); err != nil {
		t.Error(err)
	}
}

func TestHungStartIsNamed(t *testing.T) {
	o := playOptions(t, transcript{})
	o.Program, o.ConnectTimeout = "/bin/sleep", 200*time.Millisecond
	script := t.TempDir() + "/sqlplus"
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	o.Program = script
	begun := time.Now()
	_, err := Start(context.Background(), o)
	if exit.CodeOf(err) != exit.ToolMissing || !strings.Contains(err.Error(), "does not answer") || time.Since(begun) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
}

func readRecord(t *testing.T, path string) (r recorded) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDialogueShowsWhatWasSaid(t *testing.T) {
	var b bytes.Buffer
	o := playOptions(t, transcript{Answers: []answer{{Has: "evil", Lines: []string{"\x1b]0;title\x07 \u202e"}}}})
	o.Dialogue = &b
	o.Now = func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }
	c := start(t, o)
	if _, err := c.Do(context.Background(), "select 'evil' from dual"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"15:09:26.000 > connect / as sysdba\n", "< Connected.\n", "> select 'evil' from dual\n", `< \u001b]0;title\u0007 \u202e`, "> exit\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the dialogue lacks %q:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\x07") {
		t.Error("a control character is in the dialogue")
	}
	if strings.Contains(text, c.nonce) && strings.Contains(text, "~~B:") {
		t.Error("the marks are in the dialogue")
	}
}

func TestDialogueThatCannotBeWrittenIsTold(t *testing.T) {
	o := playOptions(t, transcript{})
	o.Dialogue = brokenWriter{}
	c, err := Start(context.Background(), o)
	if err != nil {
		t.Fatalf("a full disk stopped the talk: %v", err)
	}
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "not complete") {
		t.Errorf("%v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
