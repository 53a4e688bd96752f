package report_test

import (
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

var (
	sortable = regexp.MustCompile(`(?s)<table class="sortable"><thead><tr>(.*?)</tr></thead><tbody>(.*?)</tbody>`)
	headCell = regexp.MustCompile(`<th([^>]*)>([^<]*)</th>`)
	bodyRow  = regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	bodyCell = regexp.MustCompile(`(?s)<td([^>]*)>(.*?)</td>`)
)

// TestSortableColumns: a column is sorted as numbers where its heading is one of
// numbers, and as text where not: SQL ids that begin with a digit, and times, which
// all begin with the year, are text. So heading and cells must agree.
func TestSortableColumns(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	p.parsing(8, "select yy from u where id = :1")
	for _, cur := range []int{7, 8} {
		p.call("EXEC", cur, 9, 10, 1, 0, 0)
		p.WriteString("ERROR #" + string(rune('0'+cur)) + ":err=942 tim=1000100\n")
	}
	h := page(t, load(t, map[string]string{"x.trc": p.String()}, report.Options{}))
	tables := sortable.FindAllStringSubmatch(h, -1)
	if len(tables) != 2 {
		t.Fatalf("%d sortable tables, want failures and statements", len(tables))
	}
	numbers := func(class string) bool { return strings.Contains(class, `class="n`) }
	for _, table := range tables {
		heads, rows := headCell.FindAllStringSubmatch(table[1], -1), bodyRow.FindAllStringSubmatch(table[2], -1)
		if len(heads) == 0 || len(rows) == 0 {
			t.Fatal("a table without columns or rows")
		}
		for _, row := range rows {
			for i, c := range bodyCell.FindAllStringSubmatch(row[1], -1) {
				if i < len(heads) && numbers(heads[i][1]) != numbers(c[1]) {
					t.Errorf("column %q is sorted as numbers: %v, its cells say %v (%s)", heads[i][2], numbers(heads[i][1]), numbers(c[1]), c[2])
				}
			}
		}
	}
	for _, want := range []string{"classList.contains('n')", "isNaN(v)?-Infinity:v", "numeric:true", "e.key==='Enter'"} {
		if !strings.Contains(h, want) {
			t.Errorf("the page's script lacks %s", want)
		}
	}
}
