// Package overhead measures what tracing costs a workload: the same work with
// tracing off, off again, to a file, buffered and to null, in interleaved
// rounds of seeded random order. Tracing is switched outside the timed part.
//
// Why interleaved: when each state was measured in one block, 40 % of trials
// showed an overhead that was not there. Rounds paired by the Hodges–Lehmann
// estimate with its exact interval did not (facts/clock-and-overhead.md D).
package overhead
