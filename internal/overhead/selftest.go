package overhead

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// SelfTest is a Bench without a database: it writes trace lines the way an
// Oracle server does, beside a fixed piece of work, into each of the sinks. It
// is the floor on this host: formatting and system calls alone. A real server
// spends more a line (facts/clock-and-overhead.md C).
//
// A record is a seek, a write to the trace file, and a write to its .trm; to
// null the .trm is written still, as it is when a trace file's name points to
// /dev/null. Buffered, a record is a copy into memory.
type SelfTest struct {
	dir  string
	now  func() time.Time
	cpu  func() (time.Duration, bool)
	sink sink
	buf  []byte
	work uint64
}

// NewSelfTest makes the kernel; its files are made below dir and removed by
// Close. cpu returns the CPU time of this process; nil if that is not known.
func NewSelfTest(dir string, now func() time.Time, cpu func() (time.Duration, bool)) (*SelfTest, error) {
	d, err := os.MkdirTemp(dir, "ringtrace-selftest-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for trace files: %w", err)
	}
	return &SelfTest{dir: d, now: now, cpu: cpu}, nil
}

// Close removes the files.
func (t *SelfTest) Close() error { return os.RemoveAll(t.dir) }

// Unavailable implements Bench.
func (t *SelfTest) Unavailable(s State) string {
	if s != Null {
		return ""
	}
	if _, err := os.Stat(os.DevNull); err != nil {
		return "this system has no null device"
	}
	return ""
}

// sink takes trace records.
type sink interface {
	record(line []byte) error
	counts() (lines, bytes int64)
	close() error
}

// Before implements Bench.
func (t *SelfTest) Before(_ context.Context, s State) (err error) {
	switch s {
	case File:
		t.sink, err = openFiles(filepath.Join(t.dir, "selftest.trc"), filepath.Join(t.dir, "selftest.trm"), os.O_CREATE|os.O_TRUNC)
	case Null:
		t.sink, err = openFiles(os.DevNull, filepath.Join(t.dir, "selftest.trm"), 0)
	case Buffered:
		t.sink = &memory{buf: make([]byte, 256000)}
	default:
		t.sink = nil
	}
	return err
}

// workSteps is the work beside one line: some microseconds, as a very short
// query takes.
const workSteps = 2000

// Execute implements Bench: k calls, each with its work and two lines.
func (t *SelfTest) Execute(ctx context.Context, _ State, k int) (Execution, error) {
	r := rand.New(rand.NewPCG(1, 2)) // the same work in every state
	cpu0, have := t.processCPU()
	start := t.now()
	for i := range k {
		if i%1024 == 0 && ctx.Err() != nil {
			return Execution{}, ctx.Err()
		}
		for range workSteps {
			t.work += r.Uint64()
		}
		if t.sink == nil {
			continue
		}
		for _, ela := range []int64{int64(i % 977), int64(i % 31)} {
			t.buf = waitLine(t.buf[:0], ela, int64(i)*1000)
			if err := t.sink.record(t.buf); err != nil {
				return Execution{}, fmt.Errorf("write trace: %w", err)
			}
		}
	}
	e := Execution{Elapsed: t.now().Sub(start)}
	if cpu1, ok := t.processCPU(); ok && have {
		e.CPU, e.HaveCPU = cpu1-cpu0, true
	}
	return e, nil
}

func (t *SelfTest) processCPU() (time.Duration, bool) {
	if t.cpu == nil {
		return 0, false
	}
	return t.cpu()
}

// waitLine is a WAIT record of a release from 11.2 on, without its line end
// (facts/trace-format.md 5).
func waitLine(b []byte, ela, tim int64) []byte {
	b = append(b, "WAIT #140737488346944: nam='db file sequential read' ela= "...)
	b = strconv.AppendInt(b, ela, 10)
	b = append(b, " file#=7 block#="...)
	b = strconv.AppendInt(b, 100_000+ela, 10)
	b = append(b, " blocks=1 obj#=73421 tim="...)
	b = strconv.AppendInt(b, 1_700_000_000_000+tim, 10)
	return append(b, '\n')
}

// After implements Bench.
func (t *SelfTest) After(_ context.Context, s State) (Trace, error) {
	if t.sink == nil {
		return Trace{}, nil
	}
	lines, bytes := t.sink.counts()
	err := t.sink.close()
	t.sink = nil
	return Trace{Lines: lines, Bytes: bytes, Known: true}, err
}

// files are a trace file and its .trm.
type files struct {
	trc, trm     *os.File
	lines, bytes int64
}

func openFiles(trc, trm string, mode int) (*files, error) {
	f := &files{}
	var err error
	if f.trc, err = os.OpenFile(trc, os.O_WRONLY|mode, 0o600); err != nil {
		return nil, err
	}
	if f.trm, err = os.OpenFile(trm, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		_ = f.trc.Close() // the error above says it
		return nil, err
	}
	return f, nil
}

func (f *files) record(line []byte) error {
	_, _ = f.trc.Seek(0, io.SeekCurrent) // its cost is what counts; a device may refuse it
	if _, err := f.trc.Write(line); err != nil {
		return err
	}
	f.lines, f.bytes = f.lines+1, f.bytes+int64(len(line))
	_, err := f.trm.Write([]byte("R2`Gg~7~x1\n"))
	return err
}

func (f *files) counts() (lines, bytes int64) { return f.lines, f.bytes }

func (f *files) close() error {
	err := f.trc.Close()
	if e := f.trm.Close(); err == nil {
		err = e
	}
	return err
}

// memory is a buffer written in a circle.
type memory struct {
	buf          []byte
	at           int
	lines, bytes int64
}

func (m *memory) record(line []byte) error {
	n := copy(m.buf[m.at:], line)
	if m.at += n; n < len(line) {
		m.at = copy(m.buf, line[n:])
	}
	m.lines, m.bytes = m.lines+1, m.bytes+int64(len(line))
	return nil
}

func (m *memory) counts() (lines, bytes int64) { return m.lines, m.bytes }
func (m *memory) close() error                 { return nil }
