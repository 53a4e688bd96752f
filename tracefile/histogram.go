package tracefile

import "math/bits"

// histBuckets covers waits up to 16 s; longer ones are in the last bucket.
const histBuckets = 25

// maxHistograms bounds the pairs of statement and event that have a histogram.
const maxHistograms = 8192

// Histogram counts a statement's waits for an event by time, as Event.Buckets
// does for all; the last bucket has no upper end.
type Histogram [histBuckets]struct{ Count, Time int64 } // us

// bucketOf is the number of the bucket of a wait.
func bucketOf(ela int64) int {
	if ela <= 1 {
		return 0
	}
	return bits.Len64(uint64(ela)) - 1
}

func (h *Histogram) add(bucket int, ela int64) {
	b := &h[min(uint(bucket), histBuckets-1)]
	b.Count++
	b.Time += ela
}

// histogram returns a new one, nil beyond the limit. They come from pieces of 64:
// one by one they would cost more than the waits.
func (a *Analyzer) histogram() *Histogram {
	if len(a.spare) == 0 {
		if a.pieces >= maxHistograms/64 {
			return nil
		}
		a.pieces++
		a.spare = make([]Histogram, 64)
	}
	h := &a.spare[0]
	a.spare = a.spare[1:]
	return h
}
