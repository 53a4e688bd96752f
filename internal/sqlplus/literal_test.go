package sqlplus

import (
	"strings"
	"testing"
)

// What a plain text becomes is what any other does, up to the length of one piece.
func TestLiteral(t *testing.T) {
	x := strings.Repeat("x", maxQuoted)
	for text, want := range map[string]string{
		"":           "''",
		"abc ~!":     "'abc ~!'",
		"it's":       "'it''s'",
		"a\tb":       "('a'||\x00chr(9)||\x00'b')",
		"\x7f":       "(chr(127))",
		"é":          "'é'",
		x[1:]:        "'" + x[1:] + "'",
		x:            "'" + x + "'",
		x + "y":      "('" + x + "'||\x00'y')",
		x[2:] + "'y": "('" + x[2:] + "'''||\x00'y')",
	} {
		if got, err := Literal(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// BenchmarkWire lays out a query like that for a session's identity.
func BenchmarkWire(b *testing.B) {
	const query = "select 'ringtrace identity ' || count(*) || ' ' || count(case when s.sid = 41 and s.serial# = 55812 and to_char(s.logon_time, 'YYYY-MM-DD HH24:MI:SS') = '2026-03-14 15:00:00'" +
		" and s.server = 'DEDICATED' and p.pid = 38 and p.serial# = 12 and p.spid = '52490' then 1 end) from v$process p left join v$session s on s.paddr = p.addr where p.pid = 38"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire(query); err != nil {
			b.Fatal(err)
		}
	}
}
