package control_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// setting reads a whole number from the environment.
func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// scratch is a folder for thousands of journals: in memory where there is such a
// thing, because nobody pulls the plug here and every record is synced.
func scratch(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "ringtrace-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// tell tells one story in a folder of its own under dir, and removes that.
func tell(t testing.TB, dir string, seed uint64, bug string) (out told) {
	own := filepath.Join(dir, strconv.FormatUint(seed, 10))
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(own) //nolint:errcheck // the test's own folder is removed anyway
	defer func() {
		if p := recover(); p != nil {
			out.wrong = append(out.wrong, fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	return story(t, own, seed, bug)
}

// tally adds up what the stories were, and says every ten seconds how far they
// are.
type tally struct {
	mu            sync.Mutex
	t             *testing.T
	what          string
	total, done   int
	bad           []string // names of those that ended badly
	sum           told
	began, spoken time.Time
}

func newTally(t *testing.T, what string, total int) *tally {
	now := time.Now()
	return &tally{t: t, what: what, total: total, began: now, spoken: now}
}

// add counts a story, told under a name that tells it again.
func (y *tally) add(name string, one told) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.done++
	y.sum.commands += one.commands
	y.sum.kills += one.kills
	y.sum.pending += one.pending
	y.sum.gaps += one.gaps
	if len(one.wrong) > 0 {
		y.bad = append(y.bad, name)
		y.t.Errorf("%s:\n  %s\n  the story:\n    %s", name, strings.Join(one.wrong, "\n  "), strings.Join(one.tale, "\n    "))
	}
	if now := time.Now(); now.Sub(y.spoken) >= 10*time.Second {
		y.spoken = now
		y.t.Log(y.line())
	}
}

func (y *tally) line() string {
	took := time.Since(y.began)
	text := fmt.Sprintf("%d of %d %s, %.1f/s, %d commands, %d kills, %d targets PENDING, %d looks into the gap, %d bad", y.done, y.total, y.what,
		float64(y.done)/max(took.Seconds(), 0.001), y.sum.commands, y.sum.kills, y.sum.pending, y.sum.gaps, len(y.bad))
	if len(y.bad) > 0 {
		text += " (" + strings.Join(y.bad[:min(len(y.bad), 20)], ", ") + ")"
	}
	return text
}

// inParallel calls do for 0 ≤ i < n on every core.
func inParallel(t *testing.T, n int, do func(t *testing.T, i int)) {
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range n {
			next <- i
		}
	}()
	t.Run("all", func(t *testing.T) {
		for range min(runtime.GOMAXPROCS(0), n) {
			t.Run("worker", func(t *testing.T) {
				t.Parallel()
				for i := range next {
					do(t, i)
				}
			})
		}
	})
}

// TestAnyTroubleLeavesNothing tells random stories. RINGTRACE_SOAK=10000 tells
// more of them, RINGTRACE_SEED=n begins with the n-th: RINGTRACE_SOAK=1 tells
// that one again.
func TestAnyTroubleLeavesNothing(t *testing.T) {
	n, first := setting("RINGTRACE_SOAK", 60), setting("RINGTRACE_SEED", 1)
	y := newTally(t, "stories", n)
	dir := scratch(t)
	inParallel(t, n, func(t *testing.T, i int) {
		seed := uint64(first + i)
		y.add(fmt.Sprintf("seed %d", seed), tell(t, dir, seed, ""))
	})
	t.Logf("seeds %d to %d: %s in %v", first, first+n-1, y.line(), time.Since(y.began).Round(time.Second))
	if n >= 50 && (y.sum.kills == 0 || y.sum.pending == 0) {
		t.Error("nothing was killed, or nothing hung: these are no stories")
	}
}
