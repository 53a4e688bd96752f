//go:build unix

package sqlplus

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/sqlplusd"
)

// The test binary plays sqlplus when it is started again with these variables:
// a transcript in JSON, or the simulator's interpreter.
const (
	playTranscript = "_SQLPLUS_TEST_TRANSCRIPT"
	playSimulator  = "_SQLPLUS_TEST_SIMULATOR"
	simulatorFault = "_SQLPLUS_TEST_FAULT" // on order from the start
	simulatorTruth = "_SQLPLUS_TEST_TRUTH" // file that tells after each command what is armed
)

func TestMain(m *testing.M) {
	if text := os.Getenv(playTranscript); text != "" {
		os.Exit(play(text))
	}
	if spec := os.Getenv(playSimulator); spec != "" {
		os.Exit(simulate(spec))
	}
	os.Exit(m.Run())
}

// transcript is how a played sqlplus behaves.
type transcript struct {
	Starting []string // printed before anything is read
	Stderr   string
	Exit     int  // with Dead: the exit status
	Dead     bool // ends at once, after Starting

	Connect []string // answer of CONNECT; nil is "Connected."
	Hang    bool     // after that, until it is interrupted
	Idle    bool     // statements get ORA-01034
	NotOn   bool     // the logon failed: statements get SP2-0640
	Answers []answer
	Swallow bool // ignores SIGINT and SIGTERM
	Split   bool // writes byte by byte
	Record  string
	Hold    bool // leaves a grandchild that holds the pipes
	Echo    bool // prints its PROMPT commands
}

type answer struct {
	Has   string // the command contains it
	Lines []string
	Act   string // stall, drip, die, late, swallow-end, forge, huge
	Raw   string // printed as it is, without a line end
}

func play(text string) int {
	var t transcript
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	if t.Swallow {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
	}
	if t.Record != "" {
		wd, _ := os.Getwd()
		files, _ := os.ReadDir(".")
		b, _ := json.Marshal(recorded{os.Args, os.Environ(), wd, len(files), os.Getpid()})
		_ = os.WriteFile(t.Record, b, 0o600)
	}
	out := io.Writer(os.Stdout)
	if t.Split {
		out = bytewise{os.Stdout}
	}
	say := func(lines ...string) {
		for _, l := range lines {
			_, _ = io.WriteString(out, l+"\n")
		}
	}
	say(t.Starting...)
	_, _ = io.WriteString(os.Stderr, t.Stderr)
	if t.Hold {
		_ = startHolder()
	}
	if t.Dead {
		return t.Exit
	}
	interrupts := make(chan os.Signal, 8)
	if !t.Swallow {
		signal.Notify(interrupts, syscall.SIGINT)
	}
	in := bufio.NewReader(os.Stdin)
	var sql []string
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return t.Exit
		}
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch strings.ToLower(word) {
		case "prompt":
			if t.Echo {
				say("SQL> " + line)
			}
			say(rest)
			continue
		case "exit":
			return t.Exit
		case "connect":
			if t.Connect == nil {
				say("Connected.")
			}
			say(t.Connect...)
			if t.Hang {
				<-interrupts
			}
			continue
		case "oradebug":
		case "set", "whenever", "ttitle", "btitle", "repheader", "repfooter", "clear", "spool":
			continue
		default:
			if line != "/" {
				sql = append(sql, line)
				continue
			}
			line = strings.Join(sql, "\n")
			sql = nil
		}
		switch {
		case t.Idle:
			say("select …", "*", "ERROR at line 1:", "ORA-01034: ORACLE not available", "Process ID: 0", "Session ID: 0 Serial number: 0", "", "")
			continue
		case t.NotOn:
			say("SP2-0640: Not connected")
			continue
		case strings.Contains(line, "~p|&ringtrace"):
			say(probeAnswer)
			continue
		}
		if code, over := t.answer(line, say, out, in, interrupts); over {
			return code
		}
	}
}

func (t *transcript) answer(line string, say func(...string), out io.Writer, in *bufio.Reader, interrupts chan os.Signal) (code int, over bool) {
	for _, a := range t.Answers {
		if !strings.Contains(line, a.Has) {
			continue
		}
		switch a.Act {
		case "drip":
			for _, l := range a.Lines {
				time.Sleep(80 * time.Millisecond)
				say(l)
			}
			a.Lines = nil
		case "stall":
			if t.Swallow {
				time.Sleep(time.Hour)
			}
			<-interrupts
			say("ORA-01013: user requested cancel of current operation")
			return 0, false
		case "die":
			say(a.Lines...)
			_, _ = io.WriteString(os.Stderr, "core dumped\n")
			return 139, true
		case "late":
			time.Sleep(150 * time.Millisecond)
		case "swallow-end": // as a statement without its end does
			_, _ = in.ReadString('\n')
		case "huge":
			block := strings.Repeat("x", 1<<20)
			for range 64 {
				say(block)
			}
		}
		say(a.Lines...)
		_, _ = io.WriteString(out, a.Raw)
		return 0, false
	}
	if strings.HasPrefix(line, "oradebug") {
		say("Statement processed.")
	}
	return 0, false
}

type recorded struct {
	Args, Environ []string
	Dir           string
	Files, PID    int
}

type bytewise struct{ w io.Writer }

func (b bytewise) Write(p []byte) (int, error) {
	for i := range p {
		if _, err := b.w.Write(p[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(p), nil
}

// startHolder leaves a process behind that inherits the pipes and calls itself
// a server process of a local connection.
func startHolder() error {
	c := exec.Command("/bin/sh", "-c", "exec sleep 30")
	c.Args[0] = "oracleTEST (DESCRIPTION=(LOCAL=YES))"
	c.Path, _ = filepath.EvalSymlinks("/bin/sleep")
	c.Args = []string{"oracleTEST (DESCRIPTION=(LOCAL=YES))", "30"}
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Start()
}

// simulate is a sqlplus on a simulated instance of its own.
func simulate(address string) int {
	spec, err := sim.ParseSpec(address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	d, err := sim.New(spec, time.Now, nil, "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	pool := engine.NewPool(d)
	defer pool.Close()
	env := map[string]string{}
	for _, e := range os.Environ() {
		k, v, _ := strings.Cut(e, "=")
		env[k] = v
	}
	if f := env[simulatorFault]; f != "" {
		order, err := fault.Parse(f)
		if err == nil {
			err = d.Fault(order)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 99
		}
	}
	interrupts := make(chan os.Signal, 8)
	signal.Notify(interrupts, syscall.SIGINT)
	code, err := sqlplusd.Main(context.Background(), sqlplusd.Config{
		DB: d, Engine: pool.Get, Stdin: os.Stdin, Stdout: os.Stdout, Files: sqlplusd.Dir("."), Env: env, OSAuth: true, OSUser: "oracle", PID: "4711",
		Login: filepath.SplitList(os.Getenv("_SQLPLUS_TEST_LOGIN")), Sleep: sqlplusd.RealSleep(),
		Wait: func(ctx context.Context, _ *instance.Process) error { // until it is interrupted
			<-ctx.Done()
			return ctx.Err()
		},
		After: func(sqlplusd.Step) {
			if file := env[simulatorTruth]; file != "" {
				b, _ := json.Marshal(d.Armed())
				_ = os.WriteFile(file, b, 0o600)
			}
		},
		Command: func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			go func() {
				select {
				case <-interrupts:
					cancel()
				case <-ctx.Done():
				}
			}()
			return ctx, cancel
		},
	}, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}

// playOptions are options for a played sqlplus.
func playOptions(t testing.TB, tr transcript) Options {
	t.Helper()
	b, err := json.Marshal(tr)
	if err != nil {
		t.Fatal(err)
	}
	return testOptions(t, playTranscript+"="+string(b))
}

// simOptions are options for the simulator's interpreter, as / as sysdba.
func simOptions(t testing.TB, spec string, environ ...string) Options {
	return testOptions(t, append([]string{playSimulator + "=" + spec}, environ...)...)
}

func testOptions(t testing.TB, environ ...string) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Program: self, Target: connect.Target{Kind: connect.Local, Role: "SYSDBA"}, TempDir: t.TempDir(),
		Environ: append([]string{"PATH=/usr/bin:/bin"}, environ...), Grace: 300 * time.Millisecond, ConnectTimeout: 20 * time.Second,
	}
}

func start(t testing.TB, o Options) *Conversation {
	t.Helper()
	c, err := Start(context.Background(), o)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c
}

// within is a context that ends soon.
func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
