package tracefile

import (
	"cmp"
	"fmt"
	"slices"
)

// LockMode decodes name|mode of an enqueue: its two letters, and in the low half
// the mode asked for (facts 6: 1415053318 is TX, mode 6). ok is false for a value
// that holds no letters.
func LockMode(v int64) (name string, mode int, ok bool) {
	c1, c2 := byte(v>>24), byte(v>>16)
	if c1 < 'A' || c1 > 'Z' || c2 < 'A' || c2 > 'Z' {
		return "", 0, false
	}
	return string([]byte{c1, c2}), int(v & 0xffff), true
}

// LockName names the lock of an entry of ParamTable.Second as deadlock graphs do
// (facts 11): TX-00020021-0000026C.
func (s *ParamStat) LockName() string {
	name, _, ok := LockMode(s.P1 >> 32 << 16)
	if !ok {
		name = "??"
	}
	return fmt.Sprintf("%s-%08X-%08X", name, uint32(s.P1), uint32(s.P2))
}

// sortByTotal puts the entry with the most time first; equal ones are in the
// order of their values, so that one trace always gives one report.
func sortByTotal(l []ParamStat) {
	slices.SortFunc(l, func(x, y ParamStat) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(x.P1, y.P1), cmp.Compare(x.P2, y.P2))
	})
}

// finishParams sorts the tables and drops them if nothing came.
func (e *Event) finishParams() {
	t := e.Params
	if t == nil || t.Kind == paramsUndecided {
		e.Params = nil
		return
	}
	t.Sampled = t.step > 0 && e.Stat.Count > exactParams
	sortByTotal(t.First)
	sortByTotal(t.Second)
	t.first, t.second = paramIndex{}, paramIndex{}
}
