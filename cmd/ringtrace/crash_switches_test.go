package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/sim/assume"
)

// ringSwitches are the simulator's switches about rings.
func ringSwitches() (out []assume.Entry) {
	for _, e := range assume.Entries() {
		switch e.Switch {
		case assume.RingCarriesSQLTrace, assume.RingCarriesMarkers, assume.RingOfProcess, assume.RingOnAtSet, assume.RingOffFrees,
			assume.RingLostAtExit, assume.ErrorstackFlushes, assume.WrapMarker:
			out = append(out, e)
		}
	}
	return out
}

// ringSettings are settings of those switches, each a list of what is flipped:
// the defaults, then every one alone, or every combination.
func ringSettings(all bool) [][]assume.Entry {
	switches := ringSwitches()
	out := [][]assume.Entry{nil}
	for mask := 1; mask < 1<<len(switches); mask++ {
		var flip []assume.Entry
		for i, e := range switches {
			if mask&(1<<i) != 0 {
				flip = append(flip, e)
			}
		}
		if all || len(flip) == 1 {
			out = append(out, flip)
		}
	}
	return out
}

func settingName(flip []assume.Entry) string {
	var names []string
	for _, e := range flip {
		names = append(names, string(e.Switch))
	}
	if names == nil {
		return "defaults"
	}
	return strings.Join(names, "+") + "_flipped"
}

// everyBoundary kills victim at every step-th boundary and returns how many
// there are.
func (l *crashLab) everyBoundary(victim string, step int, y *crashTally, name string) int {
	l.t.Helper()
	for k := 1; ; k += step {
		after := aftermaths()[l.stories%len(aftermaths())]
		through, wrong := l.story(victim, k, after)
		y.add(l, fmt.Sprintf("%s: %s killed at %d, then %s", name, victim, k, after), wrong)
		if through || len(wrong) > 0 {
			return k - 1
		}
	}
}

// TestKilledAtEveryBoundary kills enable, and disable, at every moment the
// journal grows, lets the world go on, and demands that the next disable leaves
// nothing of ours, that somebody else's event is still there, and that enable
// works again: at every boundary with the default settings of the ring switches,
// and at boundaries drawn by RINGTRACE_SEED (default 1) for every switch flipped.
// RINGTRACE_CRASH=one is every boundary with every switch flipped alone,
// RINGTRACE_CRASH=all with all 256 settings.
func TestKilledAtEveryBoundary(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 5
	}
	seed := crashSeed()
	form := os.Getenv("RINGTRACE_CRASH")
	settings := ringSettings(form == "all")
	// The defaults first, the others in any order: a run that is broken off has seen
	// some of all kinds.
	rand.New(rand.NewPCG(seed, 4)).Shuffle(len(settings)-1, func(i, j int) { settings[i+1], settings[j+1] = settings[j+1], settings[i+1] })
	y := newCrashTally(t, len(settings), "settings")
	boundaries := map[string]int{}
	play := func(t *testing.T, i int) {
		flip := settings[i]
		name := settingName(flip)
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		l := newCrashLab(t, flip...)
		l.stories = r.IntN(len(aftermaths()))
		for _, victim := range []string{"enable", "disable"} {
			if i == 0 || form != "" {
				n := l.everyBoundary(victim, step, y, name)
				if i == 0 {
					boundaries[victim] = n
				}
				continue
			}
			quick := slices.DeleteFunc(aftermaths(), func(a string) bool { return a == "hang" }) // two seconds each
			k, after := 1+r.IntN(max(boundaries[victim], 1)), quick[r.IntN(len(quick))]
			_, wrong := l.story(victim, k, after)
			y.add(l, fmt.Sprintf("seed %d, %s: %s killed at %d, then %s", seed, name, victim, k, after), wrong)
		}
		if i == 0 && l.kills < 6 {
			t.Errorf("only %d kills", l.kills)
		}
		if l.keepsRing && len(l.kept) == 0 {
			t.Errorf("%s: no ring stayed: this setting was not played", name)
		}
		y.finished()
	}
	first := 0
	if form == "" { // how many boundaries there are is to be known before one is drawn
		t.Run("defaults", func(t *testing.T) { play(t, 0) })
		first = 1
	}
	inLabs(t, len(settings)-first, func(t *testing.T, next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			t.Run(settingName(settings[first+i]), func(t *testing.T) { play(t, first+i) })
		}
	})
	if y.pending == 0 {
		t.Error("no target was deaf while it had events")
	}
	y.end(fmt.Sprintf("seed %d, boundaries %v", seed, boundaries))
}

// TestKilledAndJournalLost plants a bug: what was written behind the last intent is
// lost, as without fsync. The judge of the stories must see what that leaves.
func TestKilledAndJournalLost(t *testing.T) {
	l := newCrashLab(t)
	l.spoil = func(l *crashLab) {
		name := l.newest()
		if name == "" {
			return // killed before there was one
		}
		text, err := os.ReadFile(name)
		must(t, err)
		at := bytes.LastIndex(text, []byte(`"kind":"intent"`))
		if at < 0 {
			return
		}
		must(t, os.WriteFile(name, text[:bytes.LastIndexByte(text[:at], '\n')+1], 0o600))
	}
	for k := 3; ; k++ {
		through, wrong := l.story("enable", k, "nothing")
		if len(wrong) > 0 {
			t.Logf("killed at %d: %s", k, strings.Join(wrong, "\n  "))
			return
		}
		if through {
			t.Fatal("no story noticed it")
		}
	}
}
