package watch

import "time"

// window is how long fires of one code are counted together; sessionWindow
// those of one session.
const (
	window        = time.Minute
	sessionWindow = 10 * time.Minute
)

// storm is the brake: it counts fires by code.
type storm struct {
	fires map[int][]time.Time
	said  map[int]bool
}

// since drops the times before from.
func since(list []time.Time, from time.Time) []time.Time {
	i := 0
	for i < len(list) && list[i].Before(from) {
		i++
	}
	return list[i:]
}

func (s *storm) add(ora int, at time.Time) {
	if s.fires == nil {
		s.fires, s.said = map[int][]time.Time{}, map[int]bool{}
	}
	s.fires[ora] = append(since(s.fires[ora], at.Add(-window)), at)
}

// on reports whether so many fires of the code were seen within the last
// minute.
func (s *storm) on(ora, limit int, now time.Time) bool {
	list := since(s.fires[ora], now.Add(-window))
	if len(list) == 0 {
		delete(s.fires, ora)
		delete(s.said, ora)
		return false
	}
	s.fires[ora] = list
	return len(list) >= limit
}

// any returns a code that storms, 0 for none.
func (s *storm) any(limit int, now time.Time) int {
	for ora := range s.fires {
		if s.on(ora, limit, now) {
			return ora
		}
	}
	return 0
}

// bucket allows so many newcomers in a minute.
type bucket struct {
	per  int
	used []time.Time
}

func (b *bucket) allow(now time.Time) bool {
	b.used = since(b.used, now.Add(-time.Minute))
	if len(b.used) >= b.per {
		return false
	}
	b.used = append(b.used, now)
	return true
}
