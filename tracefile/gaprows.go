package tracefile

// gapRows tells the story of time that nothing accounts for, from the end of the
// last event at depth 0 to the record of a line. The last call ends a few us
// before the ERROR line that it brought: what follows the error must not stand
// before it, so the time is told in two parts.
func (a *Analyzer) gapRows(from, to, line int64) {
	row := func(from, to, line int64) {
		if to-from < storyWait {
			return
		}
		r := a.s.story.push(RowGap)
		r.File, r.Line, r.LastLine, r.Elapsed = a.file, line, line, to-from
		r.Start, r.End, r.HasTim = from, to, true
	}
	if e := a.s.errorBefore(from, to); e != nil {
		row(from, e.Tim, e.Line)
		from = e.Tim
	}
	row(from, to, line)
}

// errorBefore returns the session's last error if it came between two times.
func (s *session) errorBefore(from, to int64) *ErrorInfo {
	if e := s.lastError; e != nil && e.stretch == s.story.stretch && e.Tim > from && e.Tim < to {
		return e
	}
	return nil
}
