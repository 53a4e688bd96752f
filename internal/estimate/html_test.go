package estimate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ringtrace/sessions"
)

// busy is an estimate of n sessions whose rings hold 2^i seconds, i counted
// from 0; the last one writes nothing.
func busy(n int) *Result {
	r := &Result{Basis: WindowsBasis, At: snapshot(0, nil, nil).At, WindowS: 30, Windows: 3, Ring: 256000, Cost: PublishedCost()}
	for i := range n {
		h := float64(int(1) << i)
		r.Sessions = append(r.Sessions, Session{
			InstID: 1, SID: 10 + i, Serial: 7, Username: "<script>alert(1)</script>", BytesPerS: 256000 / h, BusiestBytes: 256000 / h,
			History: &h, HistoryBusiest: &h, Records: []Record{{"WAIT", 3, 3, 300}, {"EXEC", 1, 1, 100}},
		})
	}
	r.Sessions = append(r.Sessions, Session{InstID: 1, SID: 99, Username: "IDLE"})
	r.Totals = Totals{RingMemory: 256000 * int64(n+1), UnbufferedPerHour: 3_600_000, LinesPerS: 4, Overhead: Range{0.01, 0.1}}
	return r
}

// TestHTMLDrawsTheChartOfTheTerminal: each class of the terminal's chart is a
// bar of the page, as long as its count says.
func TestHTMLDrawsTheChartOfTheTerminal(t *testing.T) {
	r := busy(10) // 1, 2, 4 … 512 s
	var page, text bytes.Buffer
	if err := errors.Join(r.WriteHTML(&page, "ringtrace test"), r.WriteText(&text, func(s string) string { return s })); err != nil {
		t.Fatal(err)
	}
	barOf := regexp.MustCompile(`<text x="124" y="\d+" text-anchor="end">([^<]+)</text><rect x="130" y="\d+" width="(\d+)" height="18" style="fill:var\(--c1\)"></rect><text x="\d+" y="\d+">(\d+)</text>`)
	want := [][2]any{{"below 10 s", 4}, {"below 30 s", 1}, {"below 60 s", 1}, {"below 5 min", 3}, {"below 30 min", 1}, {"nothing written", 1}}
	bars := barOf.FindAllStringSubmatch(page.String(), -1)
	if len(bars) != len(want) {
		t.Fatalf("%d bars, want %d:\n%s", len(bars), len(want), page.String())
	}
	for i, b := range bars {
		n, _ := strconv.Atoi(b[3])
		width, _ := strconv.Atoi(b[2])
		if b[1] != want[i][0] || n != want[i][1] || width != n*barMax/4 {
			t.Errorf("bar %d is %q, %d sessions, %d wide; want %v", i, b[1], n, width, want[i])
		}
		if line := fmt.Sprintf("%-16s %5d #", b[1], n); !strings.Contains(text.String(), line) {
			t.Errorf("the terminal's chart has no %q:\n%s", line, text.String())
		}
	}
	for _, s := range []string{"2.7 MiB of memory for 11 sessions", "3.4 MiB an hour", "0.01 to 0.10 % of one CPU", "over 3 windows, 30 s, 2026-11-30T14:00:00Z", "WAIT: 75.0 %", "ringtrace test"} {
		if !strings.Contains(page.String(), s) {
			t.Errorf("the page has no %q", s)
		}
	}
}

// TestHTMLIsSelfContainedAndEscaped: nothing is loaded, text of the database is
// text, both colour schemes are there, and tags are balanced.
func TestHTMLIsSelfContainedAndEscaped(t *testing.T) {
	var b bytes.Buffer
	if err := busy(3).WriteHTML(&b, "ringtrace"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script", "http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, good := range []string{"&lt;script&gt;alert(1)", "prefers-color-scheme:dark", "default-src 'none'", "@media print"} {
		if !strings.Contains(page, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
	d := xml.NewDecoder(strings.NewReader(strings.Replace(page, "<!DOCTYPE html>", "", 1)))
	d.Strict, d.AutoClose, d.Entity = true, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
	}
}

// TestSectionNamesNobody: the part that goes into a bundle's report holds no
// user name, which --redact names would have to find.
func TestSectionNamesNobody(t *testing.T) {
	r := SinceLogon(snapshot(0, map[string]float64{statExecutes: 36000}, nil), []sessions.Session{{InstID: 1, SID: 10, Serial: 100, Username: "SECRET", LogonTime: snapshot(0, nil, nil).At.Add(-3600e9)}},
		Options{Release: 19, Ring: 1 << 20}, PublishedCost())
	s, err := r.Section()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(s), "SECRET") {
		t.Errorf("a user is named:\n%s", s)
	}
	for _, want := range []string{"by the sessions&#39; activity since logon", "below 30 min", "1.0 MiB of memory for 1 session, 1048576 bytes each", "3.5 MiB an hour"} {
		if !strings.Contains(string(s), want) {
			t.Errorf("the section lacks %q:\n%s", want, s)
		}
	}
	if strings.Contains(string(s), "<html") || strings.Contains(string(s), "<style") {
		t.Error("the section is a page of its own")
	}
}

// TestHTMLOfNobody: an estimate of no session is a page too.
func TestHTMLOfNobody(t *testing.T) {
	var b bytes.Buffer
	if err := (&Result{Cost: PublishedCost()}).WriteHTML(&b, "ringtrace"); err != nil || !strings.Contains(b.String(), "for 0 sessions") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
