package config

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

const sample = `# first line
connect = "/"
note = """
ring = 1
[not.a.table]
"""

[generate]
ring = "1m"          # 9
username = ["A", "B"]
waits = false
[campaigns.import]
force = true
[empty]
[timing]
duration = 1.5
`

// A value over several lines is told by its last line.
func TestParseTellsKeysValuesAndLines(t *testing.T) {
	entries, err := Parse("c.toml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.Table {
			got = append(got, fmt.Sprintf("%d [%s]", e.Line, e.Name()))
		} else {
			got = append(got, fmt.Sprintf("%d %s=%v", e.Line, e.Name(), e.Value))
		}
	}
	want := []string{
		"2 connect=/", "6 note=ring = 1\n[not.a.table]\n", "8 [generate]", "9 generate.ring=1m",
		"10 generate.username=[A B]", "11 generate.waits=false", "12 [campaigns.import]",
		"13 campaigns.import.force=true", "14 [empty]", "15 [timing]", "16 timing.duration=1.5",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestParseNamesThePlaceOfAMistake(t *testing.T) {
	cases := []struct{ text, want string }{
		{"a = 1\nb = \n", "c.toml:2:"},
		{"a = 1\na = 2\n", "c.toml:2:"},
		{"\n\nconnect = /\n", "c.toml:3:"},
		{"[generate\n", "c.toml:1:"},
		{"[[generate]]\nring = 1\n", "c.toml:1: generate is an array of tables"},
		{"a = \"\xff\"\n", "c.toml:1:"},
	}
	for _, c := range cases {
		_, err := Parse("c.toml", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "" {
			t.Errorf("Parse(%q): got %v (code %d, hint %q), want %q…, code 2 and a hint", c.text, err, exit.CodeOf(err), exit.HintOf(err), c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("a.b.c = [[1], {x=2}]\n[a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Parse("c.toml", []byte(text))
		if err != nil && !strings.HasPrefix(err.Error(), "c.toml") {
			t.Errorf("error does not name the file: %v", err)
		}
		for _, e := range entries {
			if len(e.Key) == 0 || e.Line < 0 {
				t.Errorf("entry without key or line: %+v", e)
			}
		}
	})
}
