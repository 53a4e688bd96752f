package clock

import (
	"runtime"
	"sync/atomic"
)

// CrossCPU is what a pass over pairs of CPUs saw: one CPU hands a reading to
// the other, whose own reading must not be earlier.
type CrossCPU struct {
	CPUs      int    `json:"cpus"`
	Pairs     int    `json:"pairs"`
	Exchanges uint64 `json:"exchanges"`
	Count     uint64 `json:"count"`      // readings that were earlier
	Largest   int64  `json:"largest_ns"` // by how much at most
	FromCPU   *int   `json:"from_cpu"`   // of the largest
	ToCPU     *int   `json:"to_cpu"`
}

// maxPairs bounds the pass on large hosts: then every CPU is compared with the
// first one and with its neighbour.
const maxPairs = 128

// crossPairs picks the pairs of CPUs to compare.
func crossPairs(cpus []int) (pairs [][2]int) {
	for i := range cpus {
		for j := i + 1; j < len(cpus); j++ {
			if len(cpus)*(len(cpus)-1)/2 > maxPairs && i != 0 && j != i+1 {
				continue
			}
			pairs = append(pairs, [2]int{cpus[i], cpus[j]})
		}
	}
	return pairs
}

// crossCheck compares the clock across CPUs, perPair nanoseconds each. On one
// CPU there is nothing to compare.
func crossCheck(read func() int64, cpus []int, perPair int64) CrossCPU {
	c := CrossCPU{CPUs: len(cpus)}
	for _, p := range crossPairs(cpus) {
		exchanged, back := exchange(read, p[0], p[1], perPair)
		if exchanged == 0 {
			continue // not pinned: a container may forbid it
		}
		c.Pairs++
		c.Exchanges += exchanged
		for side, b := range back {
			c.Count += b.backwards
			if b.largestBackward > c.Largest {
				from, to := p[side], p[1-side]
				c.Largest, c.FromCPU, c.ToCPU = b.largestBackward, &from, &to
			}
		}
	}
	return c
}

// step is what one receiving side saw.
type step struct {
	backwards       uint64
	largestBackward int64
}

// exchange plays ping-pong between two threads bound to CPUs a and b. The
// word's sequence number keeps a reading from being taken twice. back[0] is of
// readings handed from a to b, back[1] the other way.
func exchange(read func() int64, a, b int, forNS int64) (exchanged uint64, back [2]step) {
	type hand struct {
		turn atomic.Int64 // even: a's turn; odd: b's; -1: stop
		at   int64        // written by whose turn it was, before turn changes
	}
	var h hand
	end := nanotime() + forNS
	player := func(cpu int, mine int64, seen *step, done chan<- bool) {
		// Without UnlockOSThread: the bound thread ends with the goroutine.
		runtime.LockOSThread()
		if pin(cpu) != nil {
			h.turn.Store(-1)
			done <- false
			return
		}
		for spin := 0; ; spin++ {
			turn := h.turn.Load()
			if turn < 0 {
				break
			}
			if turn%2 != mine {
				if spin%1024 == 1023 { // the other side may be waiting for a CPU
					if nanotime() > end {
						h.turn.Store(-1)
						break
					}
					runtime.Gosched()
				}
				continue
			}
			now := read()
			if turn > 0 && now < h.at {
				seen.backwards++
				seen.largestBackward = max(seen.largestBackward, h.at-now)
			}
			h.at = read()
			if !h.turn.CompareAndSwap(turn, turn+1) {
				break // stopped
			}
			if mine == 0 {
				exchanged++
			}
		}
		done <- true
	}
	doneA, doneB := make(chan bool, 1), make(chan bool, 1)
	go player(a, 0, &back[1], doneA)
	go player(b, 1, &back[0], doneB)
	okA, okB := <-doneA, <-doneB
	if !okA || !okB {
		return 0, [2]step{}
	}
	return exchanged, back
}
