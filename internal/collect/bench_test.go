//go:build unix

package collect_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/collect/redact"
	"ringtrace/internal/journal"
)

// traceText writes SQL trace that compresses about as the real one: few texts,
// many figures.
func traceText(b *testing.B, name string, size int, seed uint64) {
	b.Helper()
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(seed, 1))
	tim, n := int64(55228350861882), 0
	k, _ := w.WriteString(session(int(seed), 100))
	n += k
	for n < size {
		tim += int64(r.IntN(9000))
		c := 140000002858792 + int64(r.IntN(40))*1024
		switch r.IntN(5) {
		case 0:
			k, _ = fmt.Fprintf(w, "EXEC #%d:c=%d,e=%d,p=%d,cr=%d,cu=%d,mis=0,r=%d,dep=0,og=1,plh=%d,tim=%d\n", c, r.IntN(900), r.IntN(90000), r.IntN(9), r.IntN(500), r.IntN(9), r.IntN(3), c%4000000000, tim)
		case 1:
			k, _ = fmt.Fprintf(w, "BINDS #%d:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=00 fl2=1000001 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7f36fc%06x  bln=22  avl=0%d  flg=05\n  value=%d\n", c, r.IntN(1<<24), 2+r.IntN(4), r.IntN(9999999))
		default:
			k, _ = fmt.Fprintf(w, "WAIT #%d: nam='db file sequential read' ela= %d file#=%d block#=%d blocks=1 obj#=%d tim=%d\n", c, r.IntN(20000), r.IntN(90), r.IntN(4000000), 70000+r.IntN(900), tim)
		}
		n += k
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLocalToTarZst collects a tree of traces beside `tar | zstd -T2` of
// the same tree, in turn, and reports the ratios of times, of processor times
// (which a busy machine does not change) and of sizes. Hashing and judging are
// in ours.
func BenchmarkLocalToTarZst(b *testing.B) {
	const files, each = 16, 8 << 20
	if _, err := exec.LookPath("zstd"); err != nil {
		b.Skip("SKIPPED (1): zstd is not installed here")
	}
	home := filepath.Join(b.TempDir(), "shop/SHOP1")
	dir := filepath.Join(home, "trace")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	c := &journal.Campaign{Header: journal.Header{Campaign: "bench", Created: armedAt}, Instances: map[int]journal.Instance{}}
	for i := 1; i <= files; i++ {
		name := filepath.Join(dir, fmt.Sprintf("SHOP1_ora_%d.trc", i))
		traceText(b, name, each, uint64(i))
		c.Sessions = append(c.Sessions, &journal.SessionState{
			Session: journal.Session{InstID: 1, SID: i, Serial: 100}, Process: journal.Process{Ospid: fmt.Sprint(i)}, Tracefile: name, ArmedAt: armedAt,
		})
	}
	opt := collect.Options{Campaign: c, Sources: []collect.Source{collect.Local{}}, Format: bundle.TarZst}
	var ours, theirs, ourCPU, theirCPU time.Duration
	var size, theirSize int64
	var peak uint64
	b.SetBytes(files * each)
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "ours.tar.zst")
		start, cpu := time.Now(), cpuTime(b, syscall.RUSAGE_SELF)
		f, err := os.Create(out)
		if err != nil {
			b.Fatal(err)
		}
		res, err := collect.Run(context.Background(), f, opt)
		if err != nil || res.Manifest.Summary.Collected != files {
			b.Fatalf("%v, %+v", err, res)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		ourCPU += cpuTime(b, syscall.RUSAGE_SELF) - cpu
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapSys)

		tarred := filepath.Join(b.TempDir(), "theirs.tar.zst")
		start, cpu = time.Now(), cpuTime(b, syscall.RUSAGE_CHILDREN)
		if text, err := exec.Command("sh", "-c", `tar -C "$1" -cf - trace | zstd -q -f -T2 -o "$2"`, "sh", home, tarred).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
		theirs += time.Since(start)
		theirCPU += cpuTime(b, syscall.RUSAGE_CHILDREN) - cpu
		size, theirSize = sizeOf(b, out), sizeOf(b, tarred)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "times-of-zstd")
	b.ReportMetric(float64(ourCPU)/float64(theirCPU), "cpu-of-zstd")
	b.ReportMetric(float64(size)/float64(theirSize), "size-of-zstd")
	b.ReportMetric(float64(peak>>20), "heap-MB")
}

// cpuTime is what this process, or its children, used of the processors.
func cpuTime(b *testing.B, who int) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func sizeOf(b *testing.B, name string) int64 {
	b.Helper()
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// BenchmarkRedact takes the values out of 8 MB of trace: learning and
// replacing.
func BenchmarkRedact(b *testing.B) {
	name := filepath.Join(b.TempDir(), "x.trc")
	traceText(b, name, 8<<20, 1)
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := redact.New([]byte("key"), redact.What{Binds: true, Literals: true, Names: true})
		if err := r.Learn(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
		r.Seal()
		if n, err := io.Copy(io.Discard, r.Trace(bytes.NewReader(text))); err != nil || n != int64(len(text)) {
			b.Fatal(n, err)
		}
	}
}
