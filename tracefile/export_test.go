package tracefile

// NewCarefulReader returns a Reader that takes no short cut: what the fast paths
// for usual lines must agree with.
func NewCarefulReader(r *Reader) *Reader {
	r.careful = true
	return r
}
