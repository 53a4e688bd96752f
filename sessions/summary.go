package sessions

// Summary counts rows: Seen = Selected + the sum of Excluded; ByInstance
// counts the selected ones. The zero value is ready to use.
type Summary struct {
	Seen       int
	Selected   int
	ByInstance map[int]int
	Excluded   map[Reason]int
}

// Add counts one classified row.
func (s *Summary) Add(r *Row) {
	s.Seen++
	if r.Selected {
		s.Selected++
		if s.ByInstance == nil {
			s.ByInstance = map[int]int{}
		}
		s.ByInstance[r.InstID]++
		return
	}
	if s.Excluded == nil {
		s.Excluded = map[Reason]int{}
	}
	s.Excluded[r.Reason]++
}
