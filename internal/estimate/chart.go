package estimate

import "strconv"

// bar is a line of the chart: how many sessions' rings hold how long.
type bar struct {
	Label string
	N     int
}

// historySteps are the classes of the chart, in seconds.
var historySteps = []float64{1, 10, 30, 60, 300, 1800, 3600}

// bars counts for how many sessions the ring holds how long, at their busiest.
// Classes without a session are left out.
func (r *Result) bars() []bar {
	counts := make([]int, len(historySteps)+2)
	longer, quiet := len(historySteps), len(historySteps)+1
	for _, s := range r.Sessions {
		class := longer
		if s.HistoryBusiest == nil {
			counts[quiet]++
			continue
		}
		for i, limit := range historySteps {
			if *s.HistoryBusiest < limit {
				class = i
				break
			}
		}
		counts[class]++
	}
	var list []bar
	for i, n := range counts {
		label := "an hour or more"
		switch {
		case n == 0:
			continue
		case i == quiet:
			label = "nothing written"
		case i < longer:
			label = "below " + span(historySteps[i])
		}
		list = append(list, bar{label, n})
	}
	return list
}

func most(list []bar) (n int) {
	for _, b := range list {
		n = max(n, b.N)
	}
	return n
}

// byKind sums the record types of all sessions; total is their bytes a second.
func (r *Result) byKind() (list []Record, total float64) {
	var all [kinds]Record
	for _, s := range r.Sessions {
		for _, rec := range s.Records {
			for k := range kinds {
				if k.String() == rec.Kind {
					all[k].PerS += rec.PerS
					all[k].LinesPerS += rec.LinesPerS
					all[k].BytesPerS += rec.BytesPerS
					total += rec.BytesPerS
				}
			}
		}
	}
	for k := range kinds {
		if all[k].PerS > 0 {
			all[k].Kind = k.String()
			list = append(list, all[k])
		}
	}
	return list, total
}

// count writes "1 session", "2 sessions".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
