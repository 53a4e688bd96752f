package report

// words explains the columns and units.
func (p *printer) words() {
	p.title("WORDS")
	for _, w := range [][2]string{
		{"Lnnn", "line of the trace file: less +nnng FILE, or sed -n nnnp FILE; for what is packed, FILES has the command"},
		{"seconds", "all times are seconds, from the trace's clock of 1 us"},
		{"self", "a call without the recursive calls that it made, as tkprof counts; incl., with them"},
		{"e, c", "elapsed and CPU time of a row of the story, recursive calls included"},
		{"gets", "buffers read from memory, consistent (query) and current"},
		{"reads, disk", "blocks physically read"},
		{"misses", "not found in the library cache: hard parses, or executions optimised again"},
		{"depth", "0 for the application's calls, more for what they call"},
		{"%", "of the sessions' elapsed time, the TOTAL row"},
		{"unaccounted", "elapsed time that is neither CPU nor a wait: within a call, or between two"},
	} {
		p.item("  "+pad(w[0], 13), w[1], 3)
	}
}

func pad(s string, n int) string {
	for len(s) < n {
		s += " "
	}
	return s
}
