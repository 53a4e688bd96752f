package report

// percentile estimates a percentile from the histogram. Waits lie evenly around
// the mean of their bucket, as far as its nearer end, so that of one wait, or of
// waits that are all alike, the estimate is their time.
func (w *Wait) percentile(p float64) int64 {
	want := p * float64(w.Count)
	var seen float64
	for _, b := range w.Histogram {
		n := float64(b.Count)
		if seen+n < want {
			seen += n
			continue
		}
		to := min(b.ToUS, max(b.FromUS, w.MaxUS)) // the last bucket has no end but the longest wait
		mean := min(max(float64(b.TotalUS)/n, float64(b.FromUS)), float64(to))
		if b.Count == 1 {
			return int64(mean)
		}
		spread := min(mean-float64(b.FromUS), float64(to)-mean)
		return int64(mean + (2*(want-seen)/n-1)*spread)
	}
	return w.MaxUS
}
