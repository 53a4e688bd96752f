package report_test

import (
	"bytes"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestOrderOfSections: text and page have the sections of facts/report-ideal.md in
// its order; the numbers are its own.
func TestOrderOfSections(t *testing.T) {
	second := strings.NewReplacer("101.5", "7.9", "4711", "4800").Replace(ringTrace)
	deadlock := ringTrace + `
*** 2026-03-01T10:00:07.000000+01:00 (PDB1(3))
DEADLOCK DETECTED ( ORA-00060 )

[Transaction Deadlock]

Deadlock graph:
                       ---------Blocker(s)--------  ---------Waiter(s)---------
Resource Name          process session holds waits  process session holds waits
TX-00020021-0000026C        94     101     X             104    195           X

Rows waited on:
`
	text := strings.Replace(deadlock, "EXEC #140002:", "XCTEND rlbk=0, rd_only=0, tim=2501601\nEXEC #140002:", 1)
	for i := range 12 {
		text = strings.Replace(text, "FETCH #140003:", "WAIT #140003: nam='db file scattered read' ela= 1 file#=1 block#=2 blocks=1 obj#=7 tim=25010"+string(rune('0'+i%10))+"5\nFETCH #140003:", 1)
	}
	m := load(t, map[string]string{"a.trc": text, "b.trc": second}, report.Options{})
	if len(m.Findings) == 0 {
		m.Findings = append(m.Findings, report.Finding{Rule: "x", Title: "x"})
	}
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	inOrder(t, "text", b.String(), []string{
		"ORA-", "  statement ", "  bind values", "  just before", "\nCOVERAGE\n", "\nSTORY (", "\nFAILURES (", "\nTRANSACTIONS\n", "\nDEADLOCK ",
		"\nWHERE THE TIME WENT (", "\nSTATEMENTS (", "\nTOTALS (", "\nSTATEMENT 1 ", "\nLONGEST SINGLE", "\nWAITS BY DURATION\n", "\nWAITS BY FILE, BLOCK, OBJECT, LOCK AND LATCH\n", "\nFINDINGS\n", "\nOVER TIME (", "\nSESSIONS\n", "\nFILES\n", "\nDUMPS\n", "\nWORDS\n",
	})
	b.Reset()
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	inOrder(t, "page", b.String(), []string{
		"<header", `id="verdict"`, "Just before", `id="coverage"`, `id="story"`, `id="failures"`, `id="transactions"`, `id="deadlock"`, `id="time"`,
		`id="statements"`, `id="s1"`, `id="totals"`, `id="waits"`, `id="findings"`, `id="chart"`, `id="flame"`, `id="sessions"`, `id="files"`, `id="dumps"`, "<h2>Words",
	})
}

func inOrder(t *testing.T, what, text string, marks []string) {
	t.Helper()
	at := 0
	for _, k := range marks {
		i := strings.Index(text[at:], k)
		if i < 0 {
			t.Errorf("%s: %q is not there, or not behind what comes before it in %v", what, k, marks)
			continue
		}
		at += i
	}
}
