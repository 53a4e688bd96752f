package report

import (
	"fmt"
	"testing"
)

// TestOwnRowsStay: however much other sessions did just before an error, the failing
// session's own last rows are shown.
func TestOwnRowsStay(t *testing.T) {
	m := &Model{Verdict: &Verdict{Session: "1.1"}, Omitted: map[string]int64{}}
	for i := range 100 {
		m.Timeline = append(m.Timeline, Row{Kind: "execution", Session: "1.1", What: fmt.Sprint("own ", i)})
	}
	for i := range 200 {
		m.Timeline = append(m.Timeline, Row{Kind: "execution", Session: "2.2", What: fmt.Sprint("other ", i)})
	}
	m.Timeline = append(m.Timeline, Row{Kind: "error", Session: "1.1", What: "it", ORA: 60, Failing: true}, Row{Kind: "execution", Session: "1.1", What: "behind"})
	rows, earlier := m.told()
	own := m.ownBefore(rows, earlier)
	if len(own) != ownRows-1 || rows[own[0]].What != "own 81" || rows[own[len(own)-1]].What != "own 99" {
		t.Errorf("%d rows: %v", len(own), own)
	}
	for i := range 60 { // enough of its own just before
		m.Timeline[240+i].Session = "1.1"
	}
	rows, earlier = m.told()
	if own := m.ownBefore(rows, earlier); len(own) != 0 {
		t.Errorf("%d rows more", len(own))
	}
	m.Verdict = nil
	if own := m.ownBefore(rows, earlier); own != nil {
		t.Errorf("without an error: %v", own)
	}
}
