package campaigns

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

const benchID = "20260314T020000Z-abcdef"

// crash leaves a run and an intent open in the bench's campaign.
func (b *bench) crash() {
	b.t.Helper()
	o, err := b.Dir.Open(benchID, b.Now, journal.OpenOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	run, err := o.Journal.StartRun(journal.Run{Verb: "disable", By: b.Who})
	if err != nil {
		b.t.Fatal(err)
	}
	s := o.Campaign.Sessions[0]
	if _, err := o.Journal.Begin(journal.Intent{Run: run, Op: journal.OpDisarm, Session: s.Session, Process: s.Process}); err != nil {
		b.t.Fatal(err)
	}
	o.Journal.Close()
}

func armedBench(t *testing.T) *bench {
	b := newBench(t, 1, nil)
	b.mustImport(b.write("e.log", b.run("enable_1.sql", healthy())))
	return b
}

func TestListAndShow(t *testing.T) {
	b := newBench(t, 1, nil)
	l, err := b.List()
	if err != nil || len(l.Campaigns) != 0 {
		t.Fatalf("empty: %+v, %v", l, err)
	}
	b.mustImport(b.write("e.log", b.run("enable_1.sql", healthy())))
	b.crash()
	garbage, err := b.Dir.File("garbage")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(garbage, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err = b.List()
	if err != nil {
		t.Fatal(err)
	}
	if l.Summary.Campaigns != 2 || l.Summary.Open != 1 || l.Summary.Dirty != 1 || l.Summary.Unreadable != 1 {
		t.Errorf("summary %+v", l.Summary)
	}
	d, err := b.Show("2026") // a beginning is enough
	if err != nil {
		t.Fatal(err)
	}
	if d.Campaign != benchID || len(d.Dirty) != 2 || len(d.Sessions) != 1 || d.Sessions[0].State != "UNKNOWN" || !d.Open || d.Undo == nil {
		t.Errorf("show: %+v", d)
	}
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if _, ok := doc["sessions"].([]any); !ok {
		t.Errorf("sessions is no list: %v", doc["sessions"])
	}
	if strings.Contains(string(raw), ":null,\"runs") || bytes.Contains(raw, []byte(`"events":null`)) {
		t.Errorf("null where a list belongs: %s", raw)
	}
	for typed, code := range map[string]exit.Code{"": exit.Usage, "nope": exit.NothingMatch, "garbage": exit.Journal} {
		if _, err := b.Show(typed); exit.CodeOf(err) != code || exit.HintOf(err) == "" {
			t.Errorf("show %q: %v", typed, err)
		}
	}
}

func TestResolve(t *testing.T) {
	b := armedBench(t)
	if _, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x"}); exit.CodeOf(err) != exit.NothingMatch {
		t.Errorf("not dirty: %v", err)
	}
	b.crash()
	for name, r := range map[string]Resolution{
		"no note":  {State: journal.Clean, Note: " "},
		"no state": {Note: "x"},
		"FIRED":    {State: journal.Fired, Note: "x"},
	} {
		if _, err := b.ResolveCampaign("", r); exit.CodeOf(err) != exit.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x", DryRun: true})
	if err != nil || out.Intents != 1 || out.Runs != 1 {
		t.Errorf("dry run: %+v, %v", out, err)
	}
	held, err := b.Dir.Lock(journal.Database{UniqueName: "PROD", DBID: 42}, b.Who)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x"}); exit.CodeOf(err) != exit.Journal {
		t.Errorf("locked: %v", err)
	}
	held.Release()
	if out, err = b.ResolveCampaign("", Resolution{State: journal.Armed, Note: "looked at eventdump", Close: true}); exit.CodeOf(err) != exit.Refused || out.Open != 1 {
		t.Errorf("close with an armed session: %+v, %v", out, err)
	}
	c := b.journaled() // not dirty any more
	if c.Sessions[0].State != journal.Armed || c.Closed {
		t.Errorf("state %s, closed %v", c.Sessions[0].State, c.Closed)
	}
	b.crash()
	out, err = b.ResolveCampaign(benchID, Resolution{State: journal.Clean, Note: "bounced", Close: true})
	if err != nil || !out.Closed || out.Open != 0 {
		t.Errorf("resolve and close: %+v, %v", out, err)
	}
	if _, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x"}); exit.CodeOf(err) != exit.NothingMatch {
		t.Errorf("closed: %v", err)
	}
}

func TestResolveOfDamage(t *testing.T) {
	b := armedBench(t)
	path, err := b.Dir.File(benchID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.Index(text, []byte(`"kind":"evidence"`))
	text[i+10] ^= 1
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x"}); exit.CodeOf(err) != exit.Journal || !strings.Contains(exit.HintOf(err), "--accept-damage") {
		t.Errorf("damage not accepted: %v", err)
	}
	d, err := b.Show("")
	if err != nil || !d.Damaged || len(d.Damage) != 1 || d.Damage[0].Accepted {
		t.Fatalf("show: %+v, %v", d.Damage, err)
	}
	var out bytes.Buffer
	if _, damaged, err := b.Export("", &out); err != nil || !damaged || !bytes.Equal(out.Bytes(), text) {
		t.Errorf("export: damaged %v, %v", damaged, err)
	}
	res, err := b.ResolveCampaign("", Resolution{State: journal.Clean, Note: "x", AcceptDamage: true})
	if err != nil || res.Damage != 1 || res.Open != 1 || len(res.Messages) != 1 {
		t.Errorf("accept: %+v, %v", res, err)
	}
	d, err = b.Show("")
	if err != nil || d.Damaged || !d.Damage[0].Accepted {
		t.Errorf("afterwards: %+v, %v", d.Damage, err)
	}
}

func TestImportDryRunWritesNothing(t *testing.T) {
	b := newBench(t, 1, nil)
	log := b.write("e.log", b.run("enable_1.sql", healthy()))
	out, err := b.ImportDry(b.path("manifest.json"), []string{log})
	if err != nil || out.Totals.Armed != 1 || !strings.HasPrefix(out.Journal, b.Dir.Path) {
		t.Errorf("dry run: %+v, %v", out, err)
	}
	if _, err := os.Stat(b.Dir.Path); !os.IsNotExist(err) {
		t.Errorf("state directory: %v", err)
	}
	b.mustImport(log)
	before, err := os.ReadFile(out.Journal)
	if err != nil {
		t.Fatal(err)
	}
	dis := b.write("d.log", b.run("disable_1.sql", disabling("DISARMED")))
	if out, err = b.ImportDry(b.path("manifest.json"), []string{dis}); err != nil || !out.Closed {
		t.Errorf("dry run of disable: %+v, %v", out, err)
	}
	if after, _ := os.ReadFile(out.Journal); !bytes.Equal(before, after) {
		t.Error("a dry run changed the journal")
	}
}

func TestCSVIsLossless(t *testing.T) {
	hostile := "R\"&D,\r\nx\n"
	var out bytes.Buffer
	if err := WriteSessionsCSV(&out, []SessionDoc{{InstID: 1, Username: &hostile, Events: []string{"a", "b"}}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "\"R\"\"&D,\r\nx\n\"") || !strings.Contains(got, "\"a\nb\"") || strings.Count(got, "\r\n") != 3 {
		t.Errorf("%q", got)
	}
	out.Reset()
	if err := WriteListCSV(&out, &List{Campaigns: []Summary{{Campaign: "c", Purpose: &hostile}}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "campaign,journal,") || !strings.Contains(got, "c,,") {
		t.Errorf("%q", got)
	}
}
