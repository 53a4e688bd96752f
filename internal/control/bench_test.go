package control_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
)

// pipeTalk is a conversation over two pipes with a peer that answers at once,
// framed as the one with sqlplus is: a mark before and a mark behind.
type pipeTalk struct {
	w   *os.File
	r   *bufio.Reader
	buf []byte
}

func (p *pipeTalk) Do(_ context.Context, command string) ([]string, error) {
	p.buf = append(append(append(p.buf[:0], "PROMPT begin\n"...), command...), "\nPROMPT end\n"...)
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
		case "begin":
		case "end":
			return out, nil
		default:
			out = append(out, l)
		}
	}
}

func (p *pipeTalk) Close() error { return p.w.Close() }

// peer answers as healthy targets do.
func peer(in io.Reader, out io.Writer) {
	r, w := bufio.NewScanner(in), bufio.NewWriter(out)
	var set []string
	for r.Scan() {
		line := r.Text()
		switch {
		case strings.HasPrefix(line, "PROMPT "):
			fmt.Fprintln(w, line[len("PROMPT "):])
			if line == "PROMPT end" {
				w.Flush() //nolint:errcheck // the other side sees it
			}
			continue
		case strings.HasPrefix(line, "oradebug setorapid "):
			set = set[:0]
			n := line[len("oradebug setorapid "):]
			fmt.Fprintf(w, "Oracle pid: %s, Unix process pid: %s, image: oracle@h\n", n, n)
		case strings.HasPrefix(line, "select "):
			fmt.Fprintln(w, "ringtrace identity 1 1 1")
		case strings.HasPrefix(line, "oradebug session_event "):
			set = append(set, line[len("oradebug session_event "):])
			fmt.Fprintln(w, "Statement processed.")
		case line == "oradebug eventdump session" && len(set) > 0:
			for i := len(set) - 1; i >= 0; i-- {
				fmt.Fprintln(w, set[i])
			}
		case line == "oradebug tracefile_name":
			fmt.Fprintln(w, "/u01/app/oracle/diag/rdbms/linora/linora/trace/linora_ora_2293.trc")
		default:
			fmt.Fprintln(w, "Statement processed.")
		}
	}
}

func newPipe(b *testing.B) *pipeTalk {
	ar, aw, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	br, bw, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	go peer(ar, bw)
	b.Cleanup(func() { aw.Close(); ar.Close(); bw.Close(); br.Close() })
	return &pipeTalk{w: aw, r: bufio.NewReader(br)}
}

func benchTarget(b *testing.B, i int) control.Target {
	n := i%30000 + 1
	t, err := control.NewTarget(&sessions.Session{InstID: 1, SID: n, Serial: 7, Orapid: n, ProcessSerial: 1, Ospid: itoa(n), LogonTime: simNow()})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// commandsOf lists what arming one session sends.
func commandsOf(b *testing.B, events []journal.Event) (list []string) {
	talk := newPipe(b)
	r := control.NewConsole(0, func(context.Context) (control.Conversation, error) {
		return conversation(func(ctx context.Context, c string) ([]string, error) {
			list = append(list, c)
			return talk.Do(ctx, c)
		}), nil
	})
	c := &control.Controller{Runner: r, Recorder: &control.DryRecorder{}, Events: events, RingBytes: 256000}
	res, err := c.Arm(context.Background(), benchTarget(b, 0))
	if err != nil || res.State != journal.Armed {
		b.Fatalf("%+v %v", res, err)
	}
	return list[1:] // without the setting at the start
}

// BenchmarkArm compares arming a session with sending the same framed lines
// through the same pipes and nothing else. ns/cmd is the figure to look at:
// bare, with a recorder in memory, and with an fsynced journal.
func BenchmarkArm(b *testing.B) {
	o := options(1555, 60)
	events := control.EventsOf(plan.Events(o))
	commands := commandsOf(b, events)
	perCommand := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(commands)), "ns/cmd")
	}
	b.Run("bare", func(b *testing.B) {
		talk := newPipe(b)
		for b.Loop() {
			for _, c := range commands {
				if _, err := talk.Do(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
		}
		perCommand(b)
	})
	arm := func(b *testing.B, rec control.Recorder, run journal.Seq) {
		r := control.NewConsole(0, func(context.Context) (control.Conversation, error) { return newPipe(b), nil })
		c := &control.Controller{Runner: r, Recorder: rec, Run: run, Events: events, RingBytes: 256000}
		i := 0
		for b.Loop() {
			res, err := c.Arm(context.Background(), benchTarget(b, i))
			if err != nil || res.State != journal.Armed {
				b.Fatalf("%+v %v", res, err)
			}
			i++
		}
		perCommand(b)
	}
	b.Run("memory", func(b *testing.B) { arm(b, &control.DryRecorder{}, 0) })
	b.Run("fsync", func(b *testing.B) {
		j, err := journal.Dir{Path: b.TempDir()}.Create(journal.Header{Campaign: "b", Created: simNow()}, simNow)
		if err != nil {
			b.Fatal(err)
		}
		defer j.Close()
		run, err := j.StartRun(journal.Run{Verb: "enable"})
		if err != nil {
			b.Fatal(err)
		}
		arm(b, j, run)
	})
}
