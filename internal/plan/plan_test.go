package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

func request(n int) Request {
	req := Request{
		Tool: "ringtrace", Version: "test", Campaign: "c", Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Style: StyleGuarded, Options: *withOra(1555), Source: "x.csv", Split: DefaultSplit, MaxSessions: DefaultMaxSessions,
	}
	req.Expires = req.Now.Add(DefaultExpiry)
	for i := range n {
		req.Sessions = append(req.Sessions, sessions.Session{InstID: 1, SID: n - i, Serial: 7, Orapid: i + 10, ProcessSerial: 3, Ospid: fmt.Sprint(1000 + i), Server: "DEDICATED"})
	}
	return req
}

func TestOrderAndParts(t *testing.T) {
	req := request(120)
	req.Sessions[3].InstID, req.Sessions[3].SID = 2, 1
	p, err := New(req)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Instances) != 2 || p.Instances[0].Count != 119 || p.Instances[1].Count != 1 {
		t.Fatalf("instances %+v", p.Instances)
	}
	var sizes []int
	for i, part := range p.Instances[0].Parts {
		sizes = append(sizes, len(part.Sessions))
		if part.K != i+1 || part.Of != 3 || part.First != i*50+1 {
			t.Errorf("part %d: %d of %d from %d", i, part.K, part.Of, part.First)
		}
	}
	if fmt.Sprint(sizes) != "[50 50 19]" {
		t.Errorf("sizes %v", sizes)
	}
	for i := 1; i < len(p.Sessions); i++ {
		a, b := p.Sessions[i-1], p.Sessions[i]
		if a.InstID > b.InstID || a.InstID == b.InstID && a.SID >= b.SID {
			t.Fatalf("order: %v before %v", a.Key(), b.Key())
		}
	}
	if got := p.MemoryBytes(); got != 120*256000 {
		t.Errorf("memory %d", got)
	}
	if req.Sessions[0].SID != 120 {
		t.Error("the request's own list was sorted")
	}
}

func TestSplitZeroIsOnePart(t *testing.T) {
	req := request(120)
	req.Split = 0
	p, err := New(req)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Instances[0].Parts); n != 1 {
		t.Errorf("%d parts", n)
	}
}

func TestFileNames(t *testing.T) {
	cases := []struct {
		k, of int
		want  string
	}{{1, 1, "enable_3.sql"}, {1, 2, "enable_3_01.sql"}, {12, 12, "enable_3_12.sql"}, {100, 120, "enable_3_100.sql"}}
	for _, c := range cases {
		if got := FileName("enable", 3, Part{K: c.k, Of: c.of}, ".sql"); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.k, c.of, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	cases := []struct {
		name string
		edit func(*Request)
		code exit.Code
		want string
	}{
		{"none", func(r *Request) { r.Sessions = nil }, exit.NothingMatch, "no session"},
		{"over the cap", func(r *Request) { r.MaxSessions = 2 }, exit.Refused, "the cap is 2"},
		{"negative split", func(r *Request) { r.Split = -1 }, exit.Usage, "--split"},
		{"bad options", func(r *Request) { r.Options.Errorstack = 12 }, exit.Usage, "0-3"},
		{"quote in ospid", func(r *Request) { r.Sessions[1].Ospid = "1' or '1'='1" }, exit.Failed, "ospid"},
		{"newline in ospid", func(r *Request) { r.Sessions[1].Ospid = "12\n" }, exit.Failed, "ospid"},
		{"define in stid", func(r *Request) { r.Sessions[1].Stid = "^rt" }, exit.Failed, "stid"},
		{"no orapid", func(r *Request) { r.Sessions[1].Orapid = 0 }, exit.Failed, "number"},
		{"no sid", func(r *Request) { r.Sessions[1].SID = 0 }, exit.Failed, "number"},
		{"negative serial", func(r *Request) { r.Sessions[1].Serial = -4 }, exit.Failed, "number"},
		{"twice", func(r *Request) { r.Sessions[1] = r.Sessions[0] }, exit.Failed, "twice"},
		{"quote in the host", func(r *Request) { r.Instances = []sessions.Instance{{InstID: 1, HostName: "a'b"}} }, exit.Usage, "--host"},
		{"define in the name", func(r *Request) { r.Instances = []sessions.Instance{{InstID: 1, InstanceName: "a^rt"}} }, exit.Usage, "--instance-name"},
		{"comment in the database", func(r *Request) { r.Instances = []sessions.Instance{{InstID: 1, DBUniqueName: "a*/"}} }, exit.Usage, "--db-name"},
	}
	for _, c := range cases {
		req := request(3)
		req.Sessions[1].Line = 17
		c.edit(&req)
		_, err := New(req)
		if exit.CodeOf(err) != c.code || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, code %d, want %q, code %d", c.name, err, exit.CodeOf(err), c.want, c.code)
			continue
		}
		if exit.HintOf(err) == "" {
			t.Errorf("%s: no hint", c.name)
		}
	}
}

func TestRefusalNamesTheLine(t *testing.T) {
	req := request(3)
	req.Sessions[1].Line, req.Sessions[1].Ospid = 17, "x'"
	if _, err := New(req); err == nil || !strings.Contains(err.Error(), "x.csv line 17") {
		t.Errorf("error %v does not name x.csv line 17", err)
	}
}

// TestProblemS10_ThreadsShareTheirSPID: two sessions, one spid, two threads:
// two blocks, each proved by its own stid.
func TestProblemS10_ThreadsShareTheirSPID(t *testing.T) {
	req := request(2)
	for i := range req.Sessions {
		req.Sessions[i].Ospid, req.Sessions[i].Stid = "5300", fmt.Sprint(6312+i)
	}
	p, err := New(req)
	if err != nil {
		t.Fatal(err)
	}
	var proofs []string
	for b := range p.Script(&p.Instances[0], p.Instances[0].Parts[0], Enable).Blocks {
		proofs = append(proofs, b.Proof)
	}
	if len(proofs) != 2 || !strings.Contains(proofs[0], "p.stid = '6313'") || !strings.Contains(proofs[1], "p.stid = '6312'") {
		t.Errorf("proofs %q", proofs)
	}
}

// TestProblemS09_ZeroSTID: a listener-started process on Windows shows STID 0,
// which proves nothing.
func TestProblemS09_ZeroSTID(t *testing.T) {
	req := request(1)
	req.Sessions[0].Ospid, req.Sessions[0].Stid = "4872", "0"
	p, err := New(req)
	if err != nil {
		t.Fatal(err)
	}
	for b := range p.Script(&p.Instances[0], p.Instances[0].Parts[0], Enable).Blocks {
		if strings.Contains(b.Proof, "stid") || !strings.Contains(b.Proof, "p.spid = '4872'") {
			t.Errorf("proof %q", b.Proof)
		}
	}
}

func TestDefineIsFree(t *testing.T) {
	for text, want := range map[string]string{"plain": "^", "a^b": "~", "a^~": "!", "^~!%|": "^"} {
		req := request(2)
		req.Sessions[1].Program = text
		p, err := New(req)
		if err != nil {
			t.Fatal(err)
		}
		s := p.Script(&p.Instances[0], p.Instances[0].Parts[0], Enable)
		if s.Define != want {
			t.Errorf("program %q: define %q, want %q", text, s.Define, want)
		}
		for b := range s.Blocks {
			if strings.Contains(b.Who, s.Define) {
				t.Errorf("program %q: %q holds the define character %q", text, b.Who, s.Define)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{"11.2.0.4.0": false, "12.1.0.2.0": false, "12.2.0.1.0": true, "19.3.0.0.0": true, "23.0": true, "23": true, "nonsense": true} {
		if got := atLeast(version, 12, 2); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

func TestCampaignID(t *testing.T) {
	at := time.Date(2026, 11, 30, 13, 47, 26, 0, time.FixedZone("", 3600))
	id, err := NewCampaignID(at, strings.NewReader("\x3f\x9a\xc1"))
	if err != nil || id != "20261130T124726Z-3f9ac1" {
		t.Errorf("%q %v", id, err)
	}
	if _, err := NewCampaignID(at, strings.NewReader("")); err == nil {
		t.Error("no randomness, no error")
	}
}
