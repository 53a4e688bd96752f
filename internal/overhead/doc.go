// Package overhead measures what tracing costs a workload: the same work with
// tracing off, off again, to a file, buffered and to null, in interleaved
// rounds of seeded random order.
//
// Why so: states measured in blocks told of an overhead where there was none in
// 40 % of trials; rounds paired by the Hodges–Lehmann estimate with its exact
// interval did not (facts/clock-and-overhead.md D). Tracing is switched outside
// the timed part.
package overhead
