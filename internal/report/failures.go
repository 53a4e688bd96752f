package report

import (
	"cmp"
	"slices"

	"ringtrace/tracefile"
)

// maxFailures bounds the groups of errors that are told apart.
const maxFailures = 1000

type failureKey struct {
	session   *tracefile.Session
	ora       int64
	statement *tracefile.Statement
	apart     string
}

// failures groups the errors by session, number and statement: what else failed,
// how often, and first and last when. Those that brought a dump come first, those
// that are not the campaign's last.
func (b *builder) failures() {
	at := map[failureKey]int{}
	list := []Failure{}
	for i, e := range b.errs {
		if !b.wanted(e) {
			continue
		}
		o := &b.m.Errors[i]
		k := failureKey{e.Session, e.ORA, e.Statement, o.Apart}
		n, ok := at[k]
		if !ok {
			if len(list) >= maxFailures {
				b.m.Omitted["failures"]++
				continue
			}
			n = len(list)
			at[k] = n
			list = append(list, b.failure(e, o))
		}
		f := &list[n]
		f.Count++
		f.PassedOn = f.PassedOn || e == b.passedOn && b.passedOn != nil
		f.LastAt, f.LastLine = o.At, e.Line
		if e.Dump != nil && !f.Dump {
			f.Dump = true
			f.Binds, f.File, f.Line, f.FirstAt = o.Binds, o.File, e.Line, o.At
		}
		f.Verdict = f.Verdict || b.m.Verdict != nil && b.m.Verdict.ErrorIndex == i
	}
	slices.SortStableFunc(list, func(x, y Failure) int {
		switch {
		case x.Apart == "" && y.Apart != "":
			return -1
		case y.Apart == "" && x.Apart != "":
			return 1
		case x.Dump && !y.Dump:
			return -1
		case y.Dump && !x.Dump:
			return 1
		case x.hasWall && y.hasWall:
			return cmp.Compare(x.wall, y.wall)
		}
		return 0
	})
	b.m.Failures = list
}

func (b *builder) failure(e *tracefile.ErrorInfo, o *Error) Failure {
	f := Failure{
		ORA: e.ORA, Message: str(b.hide.message(e.Message)), Session: o.Session, SQLID: o.SQLID, What: "SQL text not in the trace",
		FirstAt: o.At, File: o.File, Line: e.Line, Binds: o.Binds, ParseError: e.ParseError, Apart: o.Apart, wall: e.Wall, hasWall: e.HasWall,
	}
	if st := b.names[e.Statement]; st != nil {
		f.Statement, f.What = st.Number, firstWords(st)
	}
	return f
}
