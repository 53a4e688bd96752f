package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

var update = flag.Bool("update", false, "write golden files again")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run: go test ./internal/report -update, and look at the difference\n%s", path, got)
	}
}

func ring(t *testing.T, opt report.Options) *report.Model {
	t.Helper()
	return load(t, map[string]string{"db1_ora_4711.trc": ringTrace}, opt)
}

// TestVerdict checks the first question: what failed, with which values.
func TestVerdict(t *testing.T) {
	m := ring(t, report.Options{})
	v := m.Verdict
	if v == nil {
		t.Fatal("no verdict")
	}
	equal(t, "ORA", v.ORA, 1555)
	equal(t, "message", strings.HasPrefix(text(v.Message), "snapshot too old"), true)
	equal(t, "SQL id, from the error stack", text(v.SQLID), "bbbbbbbbbbbb1")
	equal(t, "text source", v.TextSource, "errorstack")
	equal(t, "inferred", v.Inferred, true)
	equal(t, "bind", fmt.Sprint(v.Binds), "[{0 VARCHAR2 'O''Hara'}]")
	equal(t, "with values", text(v.WithValues), "select * from orders where customer = 'O''Hara'")
	equal(t, "PL/SQL", v.PLSQL[0], "package body APP.PAY.RUN, line 36")
	equal(t, "session", v.Session, "101.5")
	equal(t, "one error, told twice", len(m.Errors), 1)
	equal(t, "its dump", m.Errors[0].Dump, true)
	equal(t, "its line", m.Errors[0].Line, 65)
	equal(t, "the failing row is marked", m.Timeline[len(m.Timeline)-1].Failing, true)
	equal(t, "open transaction", v.Transaction.Rows, 1)
}

func TestSums(t *testing.T) {
	m := ring(t, report.Options{})
	equal(t, "elapsed = accounted + idle + unaccounted", m.Time.AccountedUS+m.Time.IdleUS+m.Time.UnaccountedUS, m.Time.ElapsedUS)
	equal(t, "idle", m.Time.IdleUS, 1_500_000)
	var sum int64
	for _, c := range m.Profile {
		if !c.Total {
			sum += c.TimeUS
		}
	}
	equal(t, "the profile's rows add up", sum, m.Profile[len(m.Profile)-1].TimeUS)
	equal(t, "to the elapsed time", sum, m.Time.ElapsedUS)
	equal(t, "self time of the update", m.Totals.NonRecursive.Exec.ElapsedUS, 1200-520)
	equal(t, "recursive", m.Totals.Recursive.Fetch.Disk, 1)
	equal(t, "unknown cursors", m.Totals.UnknownCursors.Exec.Count, 1)
	r := m.Rings[0]
	equal(t, "ring", fmt.Sprint(r.Bytes, r.Wrapped, r.FirstRecordLine, r.SkippedBytes), "65536 3 20 35")
	equal(t, "horizon", r.HorizonUS, 2501600-(1000000-200))
	equal(t, "coverage", m.Coverage.UnknownStatements, 2)
	equal(t, "named", m.Coverage.Named, 1)
}

// TestContract checks names and types of the JSON document against CONTRACT.md,
// report -o json.
func TestContract(t *testing.T) {
	var buf bytes.Buffer
	if err := ring(t, report.Options{}).WriteJSON(&buf); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	c := []string{"count", "cpu_us", "elapsed_us", "disk", "query", "current", "rows", "misses"}
	w := []string{"event", "count", "total_us", "max_us"}
	want := map[string][]string{
		"":                          {"files", "time", "totals", "statements", "waits", "errors", "rings", "transactions", "timeline", "problems"},
		"files.0":                   {"path", "bytes", "lines", "oracle_version", "instance", "host", "damaged_records", "unknown_lines"},
		"time":                      {"first", "last", "elapsed_us", "accounted_us", "idle_us", "unaccounted_us"},
		"totals":                    {"non_recursive", "recursive", "unknown_cursors"},
		"totals.non_recursive":      {"parse", "exec", "fetch"},
		"totals.recursive.fetch":    c,
		"totals.unknown_cursors":    {"parse", "exec", "fetch"},
		"statements.0":              {"sql_id", "hash_value", "text", "text_source", "depth", "user", "parse", "exec", "fetch", "waits", "plans", "elapsed_self_us"},
		"statements.0.parse":        c,
		"waits.0":                   w,
		"errors.0":                  {"ora", "file", "line", "at", "sql_id", "text", "parse_error", "dump"},
		"rings.0":                   {"file", "line", "bytes", "wrapped", "first_record_line", "horizon_us"},
		"transactions":              {"commits", "rollbacks", "read_only"},
		"timeline.0":                {"at", "kind", "file", "line"},
		"totals.non_recursive.exec": c,
	}
	for path, names := range want {
		at := any(doc)
		if path != "" {
			for _, p := range strings.Split(path, ".") {
				if p == "0" {
					at = at.([]any)[0]
				} else {
					at = at.(map[string]any)[p]
				}
			}
		}
		for _, n := range names {
			if _, ok := at.(map[string]any)[n]; !ok {
				t.Errorf("%q has no field %q", path, n)
			}
		}
	}
	if strings.Contains(buf.String(), ": null\n") && strings.Contains(buf.String(), `"problems": null`) {
		t.Error("an empty list is null")
	}
	for path, kind := range map[string]string{
		"files.0.path": "string", "files.0.bytes": "number", "files.0.lines": "number", "files.0.oracle_version": "string", "files.0.instance": "string",
		"files.0.host": "string", "files.0.damaged_records": "number", "files.0.unknown_lines": "number",
		"time.first": "string", "time.last": "string", "time.elapsed_us": "number", "time.accounted_us": "number", "time.idle_us": "number", "time.unaccounted_us": "number",
		"statements.0.sql_id": "string", "statements.0.hash_value": "number", "statements.0.text": "string", "statements.0.text_source": "string",
		"statements.0.depth": "number", "statements.0.user": "number", "statements.0.waits": "list", "statements.0.plans": "list", "statements.0.elapsed_self_us": "number",
		"statements.2.sql_id": "null", "statements.2.hash_value": "null", "statements.2.text": "null", "statements.2.user": "null",
		"waits.0.event": "string", "waits.0.count": "number", "waits.0.total_us": "number", "waits.0.max_us": "number",
		"errors.0.ora": "number", "errors.0.file": "string", "errors.0.line": "number", "errors.0.at": "string", "errors.0.sql_id": "string", "errors.0.text": "string",
		"errors.0.parse_error": "bool", "errors.0.dump": "bool",
		"rings.0.file": "string", "rings.0.line": "number", "rings.0.bytes": "number", "rings.0.wrapped": "number", "rings.0.first_record_line": "number", "rings.0.horizon_us": "number",
		"transactions.commits": "number", "transactions.rollbacks": "number", "transactions.read_only": "number",
		"problems": "list", "timeline": "list",
	} {
		if got := kindAt(doc, path); got != kind {
			t.Errorf("%s is a %s, not a %s", path, got, kind)
		}
	}
	for _, side := range []string{"non_recursive", "recursive", "unknown_cursors"} {
		for _, call := range []string{"parse", "exec", "fetch"} {
			for _, f := range c {
				if got := kindAt(doc, "totals."+side+"."+call+"."+f); got != "number" {
					t.Errorf("totals.%s.%s.%s is a %s", side, call, f, got)
				}
			}
		}
	}
	for _, list := range []string{"files", "statements", "waits", "errors", "rings", "timeline", "problems"} {
		if _, ok := doc[list].([]any); !ok {
			t.Errorf("%s is not a list", list)
		}
	}
	e := doc["errors"].([]any)[0].(map[string]any)
	equal(t, "ora is a number", e["ora"], any(1555.0))
	equal(t, "dump is a truth value", e["dump"], any(true))
	equal(t, "time with zone", e["at"], any("2026-03-01T10:00:05.000400+01:00"))
	// A trace with nothing in it has empty lists, not nulls.
	buf.Reset()
	if err := load(t, map[string]string{"empty.trc": ""}, report.Options{}).WriteJSON(&buf); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"statements", "waits", "errors", "rings", "timeline", "problems"} {
		if !strings.Contains(buf.String(), fmt.Sprintf("\n  %q: []", list)) {
			t.Errorf("%s of an empty trace is not []", list)
		}
	}
}

// kindAt names the JSON type at a path of names and indices.
func kindAt(doc any, path string) string {
	for _, p := range strings.Split(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			x, ok := v[p]
			if !ok {
				return "missing field"
			}
			doc = x
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i >= len(v) {
				return "missing element"
			}
			doc = v[i]
		}
	}
	switch doc.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "bool"
	case []any:
		return "list"
	}
	return "object"
}

func TestGolden(t *testing.T) {
	m := ring(t, report.Options{Tool: "ringtrace test"})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"ring_80.txt":     func(b *bytes.Buffer) error { return m.WriteText(b, 80) },
		"ring_120.txt":    func(b *bytes.Buffer) error { return m.WriteText(b, 120) },
		"ring_tkprof.txt": func(b *bytes.Buffer) error { return m.WriteTkprof(b) },
		"ring_folded.txt": func(b *bytes.Buffer) error { return m.WriteFolded(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

func TestTextWidth(t *testing.T) {
	// Two files with long names, waits enough for a histogram, long names of all kinds.
	long := strings.NewReplacer("101.5", "31415.65535", "4711", "4711111", "STOCK_PK", "A_RATHER_LONG_NAME_OF_AN_INDEX_ON_STOCK", "app)", "a.rather.long.service.name.example.com)").Replace(ringTrace)
	for range 12 {
		long = strings.Replace(long, "FETCH #140003:", "WAIT #140003: nam='db file scattered read of a rather long kind of blocks' ela= 1 file#=1 block#=2 blocks=1 obj#=7 tim=2501100\nFETCH #140003:", 1)
	}
	two := load(t, map[string]string{"a_rather_long_name_of_a_trace_file_ora_4711.trc": long, "another_rather_long_name_of_a_file_ora_4711.trc": ringTrace}, report.Options{})
	for _, m := range []*report.Model{ring(t, report.Options{}), two} {
		for _, width := range []int{80, 120} {
			var b bytes.Buffer
			if err := m.WriteText(&b, width); err != nil {
				t.Fatal(err)
			}
			for i, l := range strings.Split(b.String(), "\n") {
				if n := len([]rune(l)); n > width {
					t.Errorf("line %d is %d columns wide, not %d: %s", i+1, n, width, l)
				}
			}
		}
	}
}

func TestTextIsSafeForTerminals(t *testing.T) {
	evil := strings.ReplaceAll(ringTrace, "value=\"O'Hara\"", "value=\"\x1b[2J\x07\u009b\"")
	evil = strings.ReplaceAll(evil, "package body APP.PAY.RUN", "package body \x1b]0;x\x07")
	evil = strings.ReplaceAll(evil, "from orders", "from \x1b[31morders")
	var b bytes.Buffer
	m := load(t, map[string]string{"x.trc": evil}, report.Options{})
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteTkprof(&b); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteFolded(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range b.String() {
		if c < 0x20 && c != '\n' || c == 0x7f || c >= 0x80 && c < 0xa0 {
			t.Fatalf("control character %#x in the text", c)
		}
	}
}

// TestHTML checks what a page must hold to: no network, everything escaped,
// anchors that lead somewhere.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	for _, top := range []int{20, 1} { // with --top 1 most statements have no card
		var b bytes.Buffer
		if err := ring(t, report.Options{Top: top}).WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		for _, a := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(b.String(), -1) {
			if strings.Count(b.String(), `id="`+a[1]+`"`) != 1 {
				t.Errorf("top %d: link to #%s leads nowhere, or to two places", top, a[1])
			}
		}
	}
	evil := strings.ReplaceAll(ringTrace, "select * from orders", "select '</script><img src=x onerror=alert(2)><!-- <style> \u2028 \u202e {{.M}} `${x}` &lt;' from orders")
	m := load(t, map[string]string{"x.trc": evil}, report.Options{})
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"http://", "https://", "<img", "alert(1)</script>", "<link", "@import", "url(", "<!-- <", "\u2028", "\u202e", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	equal(t, "scripts", strings.Count(page, "<script"), 1)
	equal(t, "ends of scripts", strings.Count(page, "</script"), 1)
	equal(t, "styles", strings.Count(page, "<style"), 1)
	if !strings.Contains(page, "{{.M}}") || !strings.Contains(page, "&amp;lt;") {
		t.Error("text from the database is not shown as it is")
	}
	for _, want := range []string{"ORA-01555", "O&#39;&#39;Hara", "Check&lt;script&gt;", "prefers-color-scheme:dark", "<svg", "INDEX UNIQUE SCAN STOCK_PK"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, a := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+a[1]+`"`) {
			t.Errorf("link to #%s leads nowhere", a[1])
		}
	}
}

func TestHTMLSize(t *testing.T) {
	// A ring of 256 KB: the body of the fixture again and again.
	head, body, _ := strings.Cut(ringTrace, "tim=999000\n")
	calls, tail, _ := strings.Cut(body, "BINDS #140004")
	large := head + "tim=999000\n" + strings.Repeat(calls, 256<<10/len(calls)) + "BINDS #140004" + tail
	var b bytes.Buffer
	if err := load(t, map[string]string{"x.trc": large}, report.Options{}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 1<<20 {
		t.Errorf("%d bytes of HTML for a ring of 256 KB", b.Len())
	}
}

func TestRedact(t *testing.T) {
	m := ring(t, report.Options{Redact: report.Redact{Binds: true, Literals: true, Names: true}})
	var b bytes.Buffer
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return m.WriteJSON(b) },
		func(b *bytes.Buffer) error { return m.WriteHTML(b) },
		func(b *bytes.Buffer) error { return m.WriteText(b, 120) },
		func(b *bytes.Buffer) error { return m.WriteCSV(b) },
	} {
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
	}
	for _, secret := range []string{"Hara", "jane", "host1", "Check<", "Check&lt;", "_SYSSMU12_1$", "id=2"} {
		if strings.Contains(b.String(), secret) {
			t.Errorf("%q is still there", secret)
		}
	}
	if !strings.Contains(b.String(), "<6 bytes>") {
		t.Error("the length of the bind value is not told")
	}
}

func TestSelection(t *testing.T) {
	m := ring(t, report.Options{SQL: []string{"aaaaaaaaaaaa1"}})
	equal(t, "statements", len(m.Statements), 1)
	equal(t, "errors of another statement", len(m.Errors), 0)
	equal(t, "totals are theirs", m.Totals.Recursive.Fetch.Count, 0)
	m = ring(t, report.Options{ORA: []int64{942}})
	equal(t, "other errors", len(m.Errors), 0)
	equal(t, "no verdict", m.Verdict == nil, true)
	m = ring(t, report.Options{Sort: "executions"})
	equal(t, "first by executions", m.Statements[0].Exec.Count >= m.Statements[1].Exec.Count, true)
}

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	m := ring(t, report.Options{})
	if err := m.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows", len(rows), len(m.Statements)+1)
	equal(t, "line ends", strings.Count(b.String(), "\r\n"), len(rows))
	i := slices.Index(rows[0], "exec_elapsed_us")
	equal(t, "first statement", rows[1][i], fmt.Sprint(m.Statements[0].Exec.ElapsedUS))
}

func TestCompare(t *testing.T) {
	after := strings.NewReplacer(
		"dep=0,og=1,plh=9,tim=2501600", "dep=0,og=1,plh=10,tim=2501600",
		"EXEC #140002:c=400,e=1200,p=1,cr=5", "EXEC #140002:c=400,e=9200,p=40,cr=500",
		"oacdty=02", "oacdty=01",
		"WAIT #140003: nam='db file sequential read' ela= 300", "WAIT #140002: nam='enq: TX - row lock contention' ela= 3000",
	).Replace(ringTrace)
	a, b := ring(t, report.Options{}), load(t, map[string]string{"b.trc": after}, report.Options{})
	c := report.Compare("a", a, "b", b)
	var tags []string
	for _, s := range c.Statements {
		if text(s.SQLID) == "aaaaaaaaaaaa1" {
			tags = s.Tags
		}
	}
	for _, want := range []string{"plan_change", "new_wait", "bind_shape", "io_increase", "gets_change"} {
		if !slices.Contains(tags, want) {
			t.Errorf("%s is not found, only %v", want, tags)
		}
	}
	var buf bytes.Buffer
	if err := c.WriteText(&buf, 80, 20); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(buf.String(), "plan [9] became [10]") {
		t.Errorf("text:\n%s", buf.String())
	}
	for i, l := range strings.Split(buf.String(), "\n") {
		if len([]rune(l)) > 80 {
			t.Errorf("line %d is too wide: %s", i+1, l)
		}
	}
	buf.Reset()
	if err := c.WriteCSV(&buf); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(buf.Bytes())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows", len(rows), 1+len(c.Statements)+len(c.Waits)+len(c.Errors))
	equal(t, "CSV tags", rows[1][3], strings.Join(c.Statements[0].Tags, " "))
	buf.Reset()
	if err := c.WriteHTML(&buf, 20); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"plan [9] became [10]", "enq: TX - row lock contention", "prefers-color-scheme:dark", "ORA-01555"} {
		if !strings.Contains(buf.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "ZgotmplZ", "http"} {
		if strings.Contains(strings.ReplaceAll(buf.String(), "http-equiv", ""), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}

// TestHitAgainstMiss: an error that one trace hit is set beside the executions of
// the same statement in the other, bind values that differ marked.
func TestHitAgainstMiss(t *testing.T) {
	hit := strings.Replace(ringTrace, "EXEC #140002:c=400,e=1200,p=1,cr=5,cu=4,mis=0,r=1,dep=0,og=1,plh=9,tim=2501600\n",
		"EXEC #140002:c=400,e=1200,p=1,cr=5,cu=4,mis=0,r=1,dep=0,og=1,plh=9,tim=2501600\nERROR #140002:err=60 tim=2501610\n", 1)
	miss := strings.Replace(ringTrace, "value=4", "value=5", 1)
	c := report.Compare("a", load(t, map[string]string{"a.trc": hit}, report.Options{}), "b", load(t, map[string]string{"b.trc": miss}, report.Options{}))
	if len(c.Hits) != 1 {
		t.Fatalf("hits: %+v", c.Hits)
	}
	h := c.Hits[0]
	equal(t, "hit", fmt.Sprintf("%d %s %s %s", h.ORA, h.In, text(h.SQLID), h.Binds[0].Value), "60 a aaaaaaaaaaaa1 4")
	equal(t, "misses", len(h.Misses), 1)
	equal(t, "its value", h.Misses[0].Binds[0].Value, "5")
	equal(t, "differs", fmt.Sprint(h.Misses[0].Differs), "[0]")
	var b bytes.Buffer
	if err := c.WriteText(&b, 80, 20); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "ORA-00060 was hit in A (a.trc:L43), not in B") || !strings.Contains(b.String(), "miss  b.trc:L27  rows 1") {
		t.Errorf("text:\n%s", b.String())
	}
}

// TestProblemK09_NegativeSelfTimeIsClamped shows a row source whose children took
// longer than itself, as with parallel slaves.
func TestProblemK09_NegativeSelfTimeIsClamped(t *testing.T) {
	m := load(t, map[string]string{"x.trc": strings.Replace(ringTrace, "time=300 us", "time=9000 us", 1)}, report.Options{})
	var b bytes.Buffer
	if err := m.WriteText(&b, 120); err != nil {
		t.Fatal(err)
	}
	steps := m.Statements[0].Plans[0].Steps
	equal(t, "self time", steps[0].SelfUS, 0)
	equal(t, "clamped", steps[0].Clamped, true)
	equal(t, "of its child", steps[1].SelfUS, 9000)
	if !strings.Contains(b.String(), "* the rows below took longer") {
		t.Error("the clamped time is not explained")
	}
}
