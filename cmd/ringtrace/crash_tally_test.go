package main

import (
	"fmt"
	"os"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// crashSeed is RINGTRACE_SEED, 1 if there is none.
func crashSeed() uint64 {
	if v, err := strconv.ParseUint(os.Getenv("RINGTRACE_SEED"), 10, 64); err == nil {
		return v
	}
	return 1
}

// crashTally adds up stories, and says every ten seconds how far they are.
type crashTally struct {
	mu             sync.Mutex
	t              *testing.T
	what           string
	total, done    int
	stories, kills int
	pending, kept  int
	bad            []string
	began, spoken  time.Time
	seen           map[*crashLab]crashCounts
}

type crashCounts struct{ kills, pending, kept int }

func newCrashTally(t *testing.T, total int, what string) *crashTally {
	now := time.Now()
	return &crashTally{t: t, total: total, what: what, began: now, spoken: now, seen: map[*crashLab]crashCounts{}}
}

// add counts a story of a lab.
func (y *crashTally) add(l *crashLab, name string, wrong []string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.stories++
	was, now := y.seen[l], crashCounts{l.kills, l.pending, len(l.kept)}
	y.kills, y.pending, y.kept = y.kills+now.kills-was.kills, y.pending+now.pending-was.pending, y.kept+now.kept-was.kept
	y.seen[l] = now
	if len(wrong) > 0 {
		y.bad = append(y.bad, name)
		y.t.Errorf("%s:\n  %s", name, strings.Join(wrong, "\n  "))
	}
	if now := time.Now(); now.Sub(y.spoken) >= 10*time.Second {
		y.spoken = now
		y.t.Log(y.line())
	}
}

// finished counts one of what there are total of.
func (y *crashTally) finished() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.done++
}

func (y *crashTally) line() string {
	took := time.Since(y.began)
	text := fmt.Sprintf("%d of %d %s, %d stories, %.1f/s, %d kills, %d deaf targets PENDING and taken back later, %d rings that nothing frees, %d bad", y.done, y.total,
		y.what, y.stories, float64(y.stories)/max(took.Seconds(), 0.001), y.kills, y.pending, y.kept, len(y.bad))
	if len(y.bad) > 0 {
		text += " (" + strings.Join(y.bad[:min(len(y.bad), 10)], "; ") + ")"
	}
	return text
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// end prints the sum.
func (y *crashTally) end(more string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.t.Logf("%s: %s in %v", more, y.line(), time.Since(y.began).Round(time.Second))
}

// inLabs hands out the numbers below n to workers, each with a lab of its own. A
// story waits for processes most of the time, so there are three workers a core.
func inLabs(t *testing.T, n int, work func(t *testing.T, next func() (int, bool))) {
	numbers := make(chan int, n)
	for i := range n {
		numbers <- i
	}
	close(numbers)
	next := func() (int, bool) {
		i, ok := <-numbers
		return i, ok
	}
	var wg sync.WaitGroup
	for range min(3*goruntime.GOMAXPROCS(0), n) {
		wg.Add(1)
		// t.Run returns when its function does: the subtests are begun by goroutines,
		// so that their number is ours and not -parallel's.
		go func() {
			defer wg.Done()
			t.Run("lab", func(t *testing.T) { work(t, next) })
		}()
	}
	wg.Wait()
}
