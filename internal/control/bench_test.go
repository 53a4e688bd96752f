package control_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sqlplus"
	"ringtrace/sessions"
)

// playPeer makes the test binary a sqlplus whose targets are healthy.
const playPeer = "_RINGTRACE_CONTROL_PEER"

func TestMain(m *testing.M) {
	if os.Getenv(playPeer) != "" {
		peer(os.Stdin, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pipeTalk is a bare conversation over two pipes: a mark before and a mark
// behind, as the one with sqlplus has, and nothing else.
type pipeTalk struct {
	w   *os.File
	r   *bufio.Reader
	n   int
	buf []byte
	end func() error
}

// framed is a command as it is sent: a query is run by a slash.
func framed(command string) string {
	if strings.HasPrefix(command, "oradebug ") {
		return command
	}
	return command + "\n/"
}

func (p *pipeTalk) Do(_ context.Context, command string) ([]string, error) {
	p.n++
	begin, end := fmt.Sprintf("~~B:0123456789abcdef:%d", p.n), fmt.Sprintf("~~E:0123456789abcdef:%d", p.n)
	p.buf = append(p.buf[:0], "PROMPT "+begin+"\n"+framed(command)+"\nPROMPT "+end+"\n"...)
	if _, err := p.w.Write(p.buf); err != nil {
		return nil, err
	}
	var out []string
	for {
		l, err := p.r.ReadString('\n')
		if err != nil {
			return out, err
		}
		switch l = strings.TrimSuffix(l, "\n"); l {
		case begin:
		case end:
			return out, nil
		default:
			out = append(out, l)
		}
	}
}

func (p *pipeTalk) Close() error {
	return errors.Join(p.w.Close(), p.end())
}

// peer answers as healthy targets do.
func peer(in io.Reader, out io.Writer) {
	r, w := bufio.NewScanner(in), bufio.NewWriter(out)
	var set []string
	var sql string
	for r.Scan() {
		line := r.Text()
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "PROMPT":
			fmt.Fprintln(w, rest)
			if strings.HasPrefix(rest, "~~E") {
				w.Flush() //nolint:errcheck // the other side sees it
			}
		case line == "/":
			switch {
			case strings.Contains(sql, "&ringtrace"):
				fmt.Fprintln(w, `~p|&ringtrace\|~`)
			case strings.Contains(sql, "ringtrace identity"):
				fmt.Fprintln(w, "ringtrace identity 1 1 1")
			default:
				fmt.Fprintln(w, "Session altered.")
			}
			sql = ""
		case word == "oradebug":
			set = oradebugAnswer(w, rest, set)
		case line == "exit":
			return
		case word == "connect":
			fmt.Fprintln(w, "Connected.")
		case word == "select", word == "alter", word == "begin", sql != "":
			sql += line + "\n"
		}
	}
}

// oradebugAnswer answers one ORADEBUG command.
func oradebugAnswer(w io.Writer, command string, set []string) []string {
	switch word, rest, _ := strings.Cut(command, " "); {
	case word == "setorapid":
		fmt.Fprintf(w, "Oracle pid: %s, Unix process pid: %s, image: oracle@h\n", rest, rest)
		return set[:0]
	case word == "session_event":
		set = append(set, rest)
		fmt.Fprintln(w, "Statement processed.")
	case command == "eventdump session" && len(set) > 0:
		for i := len(set) - 1; i >= 0; i-- {
			fmt.Fprintln(w, set[i])
		}
	case word == "tracefile_name":
		fmt.Fprintln(w, "/u01/app/oracle/diag/rdbms/linora/linora/trace/linora_ora_2293.trc")
	default:
		fmt.Fprintln(w, "Statement processed.")
	}
	return set
}

func pipes(b *testing.B) (mine, theirs [2]*os.File) {
	b.Helper()
	for i := range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		if i == 0 {
			theirs[0], mine[1] = r, w
		} else {
			mine[0], theirs[1] = r, w
		}
	}
	return mine, theirs
}

// bareInProcess talks to a peer in this process.
func bareInProcess(b *testing.B) *pipeTalk {
	mine, theirs := pipes(b)
	done := make(chan struct{})
	go func() {
		defer close(done)
		peer(theirs[0], theirs[1])
	}()
	return &pipeTalk{w: mine[1], r: bufio.NewReader(mine[0]), end: func() error {
		<-done
		return errors.Join(theirs[0].Close(), theirs[1].Close(), mine[0].Close())
	}}
}

// bareChild talks to a peer that is another process.
func bareChild(b *testing.B) *pipeTalk {
	mine, theirs := pipes(b)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), playPeer+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], os.Stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(theirs[0].Close(), theirs[1].Close()); err != nil {
		b.Fatal(err)
	}
	return &pipeTalk{w: mine[1], r: bufio.NewReader(mine[0]), end: func() error { return errors.Join(cmd.Wait(), mine[0].Close()) }}
}

// sqlplusChild is the whole way: internal/sqlplus over the same process.
func sqlplusChild(b *testing.B) control.Conversation {
	c, err := sqlplus.Start(context.Background(), sqlplus.Options{
		Program: os.Args[0], Environ: append(os.Environ(), playPeer+"=1"), Target: connect.Target{Kind: connect.Local, Role: "SYSDBA"}, TempDir: b.TempDir(),
	})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func benchTarget(b *testing.B, i int) control.Target {
	n := i%30000 + 1
	t, err := control.NewTarget(&sessions.Session{InstID: 1, SID: n, Serial: 7, Orapid: n, ProcessSerial: 1, Ospid: itoa(n), LogonTime: simNow()})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func benchEvents() []journal.Event { return control.EventsOf(plan.Events(options(1555, 60))) }

// armer arms one session after the other through a conversation.
func armer(b *testing.B, talk control.Conversation, rec control.Recorder, run journal.Seq) (arm func(), stop func()) {
	r := control.NewConsole(0, func(context.Context) (control.Conversation, error) { return talk, nil })
	c := &control.Controller{Runner: r, Recorder: rec, Run: run, Events: benchEvents(), RingBytes: 256000}
	i := 0
	arm = func() {
		res, err := c.Arm(context.Background(), benchTarget(b, i))
		if err != nil || res.State != journal.Armed {
			b.Fatalf("%+v %v", res, err)
		}
		i++
	}
	return arm, func() {
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	}
}

// commandsOf lists what arming one session sends.
func commandsOf(b *testing.B) (list []string) {
	talk := bareInProcess(b)
	arm, stop := armer(b, listening{talk, &list}, &control.DryRecorder{}, 0)
	defer stop()
	arm()
	return list[1:] // without the setting at the start
}

type listening struct {
	control.Conversation
	list *[]string
}

func (l listening) Do(ctx context.Context, command string) ([]string, error) {
	*l.list = append(*l.list, command)
	return l.Conversation.Do(ctx, command)
}

// paired runs bare and full in turns, so that a busy machine slows both, and
// reports the medians of each and of their ratio: x-bare is the figure to look
// at (aim: 1.5).
func paired(b *testing.B, commands int, bare, full func()) {
	var bares, fulls, ratios []float64
	took := func(f func()) float64 {
		began := time.Now()
		f()
		return float64(time.Since(began).Nanoseconds()) / float64(commands)
	}
	for b.Loop() {
		x, y := took(bare), took(full)
		bares, fulls, ratios = append(bares, x), append(fulls, y), append(ratios, y/x)
	}
	median := func(list []float64) float64 {
		slices.Sort(list)
		return list[len(list)/2]
	}
	b.ReportMetric(median(bares), "ns/cmd-bare")
	b.ReportMetric(median(fulls), "ns/cmd")
	b.ReportMetric(median(fulls)/median(bares), "x-bare")
	b.ReportMetric(median(ratios), "x-pair")
}

// BenchmarkArm compares arming a session with sending the same framed lines
// and reading the same answers, and nothing else: through pipes within the
// process (what the controller costs), through a child process (the whole way,
// internal/sqlplus included), and with an fsynced journal instead of a recorder
// in memory.
func BenchmarkArm(b *testing.B) {
	commands := commandsOf(b)
	repeat := func(talk *pipeTalk) func() {
		return func() {
			for _, c := range commands {
				if _, err := talk.Do(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	run := func(b *testing.B, bare *pipeTalk, talk control.Conversation, rec control.Recorder, seq journal.Seq) {
		arm, stop := armer(b, talk, rec, seq)
		paired(b, len(commands), repeat(bare), arm)
		stop()
		if err := bare.Close(); err != nil {
			b.Error(err)
		}
	}
	b.Run("pipe", func(b *testing.B) { run(b, bareInProcess(b), bareInProcess(b), &control.DryRecorder{}, 0) })
	b.Run("child", func(b *testing.B) { run(b, bareChild(b), sqlplusChild(b), &control.DryRecorder{}, 0) })
	b.Run("child-fsync", func(b *testing.B) {
		j, err := journal.Dir{Path: b.TempDir()}.Create(journal.Header{Campaign: "b", Created: simNow()}, simNow)
		if err != nil {
			b.Fatal(err)
		}
		defer j.Close()
		seq, err := j.StartRun(journal.Run{Verb: "enable"})
		if err != nil {
			b.Fatal(err)
		}
		run(b, bareChild(b), sqlplusChild(b), j, seq)
	})
}

// BenchmarkArm10000 arms 10,000 sessions in one run, the whole way, and reports
// the live heap after 1,000, 5,000 and 10,000 of them: it must not grow. (A
// document lists every session, and so grows with their number; it is not here.)
func BenchmarkArm10000(b *testing.B) {
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1024
	}
	commands := len(commandsOf(b))
	for b.Loop() {
		arm, stop := armer(b, sqlplusChild(b), &control.DryRecorder{}, 0)
		began := time.Now()
		at := map[int]float64{}
		for i := 1; i <= 10000; i++ {
			arm()
			if i == 1000 || i == 5000 || i == 10000 {
				at[i] = heap()
				b.ReportMetric(at[i], fmt.Sprintf("heapKiB@%d", i))
			}
		}
		b.ReportMetric(float64(time.Since(began).Nanoseconds())/float64(10000*commands), "ns/cmd")
		stop()
		if grown := at[10000] - at[1000]; grown > 512 {
			b.Errorf("the heap grew by %.0f KiB between 1,000 and 10,000 sessions", grown)
		}
	}
}

// The peer of the benchmarks answers as the benchmarks take it to do.
func TestBenchPeer(t *testing.T) {
	var out bytes.Buffer
	peer(strings.NewReader("PROMPT ~~B:1\noradebug setorapid 38\noradebug session_event 942 errorstack\noradebug eventdump session\nselect 'ringtrace identity '\n/\nPROMPT ~~E:1\n"), &out)
	const want = "~~B:1\nOracle pid: 38, Unix process pid: 38, image: oracle@h\nStatement processed.\n942 errorstack\nringtrace identity 1 1 1\n~~E:1\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
}
