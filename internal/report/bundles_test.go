package report_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// ofBundle builds the report of an unpacked bundle: two errors of one session, of
// which the campaign waits for the second and armed between them.
func ofBundle(t *testing.T, watched, armedAt, what string) *report.Model {
	t.Helper()
	second := strings.NewReplacer("10:00:05.0", "10:00:25.0", "ORA-01555: snapshot too old", "ORA-00942: table or view does not exist", "err=1555 tim=2502000", "err=942 tim=22502000").
		Replace(ringTrace[strings.Index(ringTrace, "\n*** 2026-03-01T10:00:05"):])
	manifest := fmt.Sprintf(`{"campaign":"c1","campaign_created":"2026-03-01T08:59:00Z","watched":[%s],"redacted":{"what":[%s]},"contents":[],
"files":[{"inst_id":1,"sid":101,"serial":5,"armed_at":"%s"}],"summary":{"missing":1}}`, watched, what, armedAt)
	dir := writeFiles(t, map[string]string{"traces/1/a.trc": ringTrace + second, "manifest.json": manifest})
	l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, tracefile.Options{})
	if err != nil || l.Failed > 0 {
		t.Fatal(err, l.Errors)
	}
	return report.Build(l.Profile, report.Options{Bundles: l.Bundles})
}

// TestVerdictIsTheCampaigns: a bundle's report leads with what its campaign
// caught, and tells older errors and those it did not wait for apart.
func TestVerdictIsTheCampaigns(t *testing.T) {
	for name, tt := range map[string]struct {
		watched, armed string
		want           int64
		apart          string // of the others
		verdict        string
	}{
		"one code":                {"942", "2026-03-01T08:59:30Z", 942, "not_watched", ""},
		"armed between the two":   {"942, 1555", "2026-03-01T09:00:15Z", 942, "before_arming", ""},
		"both were caught":        {"942, 1555", "2026-03-01T08:59:30Z", 1555, "", ""},
		"nothing was caught":      {"942, 1555", "2026-03-01T12:00:00Z", 1555, "before_arming", "before_arming"},
		"of an older version":     {"", "2026-03-01T12:00:00Z", 1555, "", ""},
		"neither is a code of it": {"60", "2026-03-01T08:59:30Z", 1555, "not_watched", "not_watched"},
	} {
		t.Run(name, func(t *testing.T) {
			m := ofBundle(t, tt.watched, tt.armed, "")
			equal(t, "verdict", m.Verdict.ORA, tt.want)
			equal(t, "apart", m.Verdict.Apart, tt.verdict)
			equal(t, "failures", len(m.Failures), 2)
			equal(t, "the other's", m.Failures[1].Apart, tt.apart)
			var text, page bytes.Buffer
			if err := m.WriteText(&text, 80); err != nil {
				t.Fatal(err)
			}
			if err := m.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			equal(t, "text tells them apart", strings.Contains(text.String(), "not caught by the campaign, though in its files"), tt.apart != "")
			equal(t, "text tells of the verdict", strings.Contains(text.String(), "NOT CAUGHT by the campaign"), tt.verdict != "")
			equal(t, "page", strings.Contains(page.String(), report.ApartWords(tt.apart)), true)
			equal(t, "what is missing is told", strings.Contains(text.String(), "is not whole: 1 missing"), true)
		})
	}
}

// TestTokensAreCalledTokens: whoever reads the report of a redacted bundle must
// not look up an account that was made up.
func TestTokensAreCalledTokens(t *testing.T) {
	for what, want := range map[string]string{
		`"binds","literals"`: "bind values and SQL literals are TOKENS", `"names"`: "names of hosts and users are TOKENS", "": "",
	} {
		m := ofBundle(t, "942", "2026-03-01T08:59:30Z", what)
		equal(t, "fields", len(m.Redacted), strings.Count(what, `"`)/2)
		var text, page, json bytes.Buffer
		if err := m.WriteText(&text, 80); err != nil {
			t.Fatal(err)
		}
		if err := m.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		if err := m.WriteJSON(&json); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if strings.Contains(text.String()+page.String(), "TOKENS") || !strings.Contains(json.String(), `"redacted": []`) {
				t.Error("real values are called tokens")
			}
			continue
		}
		verdict, coverage, _ := strings.Cut(text.String(), "\nCOVERAGE")
		for where, s := range map[string]string{"verdict": verdict, "coverage": coverage, "page": page.String()} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: %q is missing in\n%s", where, want, s[:min(len(s), 2000)])
			}
		}
		if !strings.Contains(json.String(), `"redacted": [`+"\n") {
			t.Error("JSON does not tell of tokens")
		}
	}
}

// TestBundleTellsOfSessionsWithoutTrace: who held the lock may be among them, so
// the report says how many there are and what to type for one.
func TestBundleTellsOfSessionsWithoutTrace(t *testing.T) {
	manifest := `{"campaign":"C1","watched":[1555],"contents":[],"files":[
{"inst_id":1,"sid":101,"serial":5,"status":"collected","name":"traces/1/a.trc"},
{"inst_id":1,"sid":7,"serial":1,"status":"skipped","note":"no trace text"},
{"inst_id":1,"sid":8,"serial":1,"status":"skipped","note":"no trace text"}],"summary":{"sessions":3,"files":1}}`
	for name, tt := range map[string]struct {
		manifest string
		want     bool
	}{
		"two without": {manifest, true},
		"none":        {strings.ReplaceAll(manifest, "skipped", "collected"), false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeFiles(t, map[string]string{"traces/1/a.trc": ringTrace, "manifest.json": tt.manifest})
			l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, tracefile.Options{})
			if err != nil || l.Failed > 0 {
				t.Fatal(err, l.Errors)
			}
			m := report.Build(l.Profile, report.Options{Bundles: l.Bundles})
			var page bytes.Buffer
			if err := m.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			txt := asText(t, m)
			for _, want := range []string{"2 more sessions of campaign C1 left no trace in this bundle (2 sessions: no trace text)", "ringtrace flush -c / --campaign C1 --sid SID,SERIAL", "ringtrace collect -c / --campaign C1"} {
				equal(t, "text: "+want, strings.Contains(txt, want), tt.want)
				equal(t, "page: "+want, strings.Contains(page.String(), want), tt.want)
			}
		})
	}
}

// TestSimulatedIsNamed: nobody should act on the error of a demonstration.
func TestSimulatedIsNamed(t *testing.T) {
	for mark, want := range map[string]bool{`"simulated":true,`: true, `"simulated":false,`: false, "": false} {
		manifest := `{` + mark + `"campaign":"C1","contents":[],"files":[{"inst_id":1,"sid":101,"serial":5,"status":"collected","via":"disk"},{"sid":7,"status":"skipped","via":"none"}],"summary":{"files":1}}`
		dir := writeFiles(t, map[string]string{"traces/1/a.trc": ringTrace, "manifest.json": manifest})
		l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, tracefile.Options{})
		if err != nil || l.Failed > 0 {
			t.Fatal(err, l.Errors)
		}
		m := report.Build(l.Profile, report.Options{Bundles: l.Bundles})
		var page bytes.Buffer
		if err := m.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		txt := asText(t, m)
		equal(t, mark+", first screen", strings.Contains(txt[:strings.Index(txt, "COVERAGE")], "SIMULATED: the traces of campaign C1"), want)
		equal(t, mark+", page", strings.Contains(page.String(), "SIMULATED: the traces of campaign C1"), want)
	}
}
