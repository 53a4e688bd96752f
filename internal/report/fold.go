package report

// maxCycle is the longest loop of rows that is folded.
const maxCycle = 4

// foldCycles folds loops of up to four rows that come three times and more, such
// as an update and its commit: each row of the loop then stands for all of its
// turns.
func foldCycles(rows []Row) []Row {
	for p := 2; p <= maxCycle; p++ {
		out := rows[:0] // in place: what is written lies behind what is still read
		for i := 0; i < len(rows); {
			n := turns(rows[i:], p)
			if n < 3 {
				out = append(out, rows[i])
				i++
				continue
			}
			for k := range p {
				r := rows[i+k]
				for j := 1; j < n; j++ {
					r.fold(&rows[i+j*p+k])
				}
				out = append(out, r)
			}
			i += n * p
		}
		rows = out
	}
	return rows
}

// turns counts how often the first p rows come again, themselves included.
func turns(rows []Row, p int) int {
	n := 1
	for (n+1)*p <= len(rows) {
		for k := range p {
			if !rows[k].sameTurn(&rows[n*p+k]) {
				return n
			}
		}
		n++
	}
	return n
}

// sameTurn reports whether a row may be the same step of a loop.
func (r *Row) sameTurn(o *Row) bool {
	if r.Kind == "transaction" {
		return o.Kind == r.Kind && o.Session == r.Session && o.What == r.What
	}
	if r.Kind == "wait" || r.Kind == "gap" {
		return o.Kind == r.Kind && o.Session == r.Session && o.What == r.What
	}
	return r.folds(o)
}
