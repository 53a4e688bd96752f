package templates

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

// The list is pinned: another function is a decision, because a template is
// text that a colleague may have sent.
func TestFunctionsAreAllowListed(t *testing.T) {
	want := strings.Fields(`abbrev add add1 bytes coalesce commas comment contains default div empty first hasPrefix
		hasSuffix int int64 join last list lower max min mod mul nospace plural replace rest sortAlpha splitList squote
		sub substr ternary title toString trim trimAll trimPrefix trimSuffix trunc uniq upper wrap`)
	if got := FuncNames(); !slices.Equal(got, want) {
		t.Errorf("functions\n got %v\nwant %v", got, want)
	}
	for name, fn := range Funcs() {
		if fn == nil {
			t.Errorf("%s is allowed, but sprig has no such function", name)
		}
	}
	for _, name := range []string{"env", "expandenv", "getHostByName", "now", "randAlphaNum", "uuidv4", "genPrivateKey", "date", "fail", "htpasswd"} {
		if slices.Contains(FuncNames(), name) {
			t.Errorf("%s reads the clock, the environment, the network or a random source", name)
		}
		if _, err := Parse("x.tmpl", "{{"+name+"}}"); exit.CodeOf(err) != exit.Usage {
			t.Errorf("template with %s: %v, want a usage error", name, err)
		}
	}
}

func TestParseErrorNamesTheLine(t *testing.T) {
	_, err := Parse("mine.tmpl", "-- one\n-- two\n{{if}}\n")
	if exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), "mine.tmpl:3:") {
		t.Errorf("error %q, code %d", err, exit.CodeOf(err))
	}
	if exit.HintOf(err) == "" {
		t.Error("no hint")
	}
}

func TestUnknownFieldFails(t *testing.T) {
	tmpl, err := Parse("mine.tmpl", "-- {{.Nosuch}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []any{struct{ A int }{}, map[string]string{"a": "b"}} {
		var out strings.Builder
		err := tmpl.Render(&out, model)
		if err == nil || !strings.Contains(err.Error(), "Nosuch") {
			t.Errorf("%T: error %v", model, err)
		}
	}
}

func TestUnknownTemplate(t *testing.T) {
	set := builtin(t)
	if err := set.Render(&strings.Builder{}, "nosuch", nil); exit.CodeOf(err) != exit.Usage {
		t.Errorf("Render: %v", err)
	}
	if err := set.Render(&strings.Builder{}, "_shared", nil); exit.CodeOf(err) != exit.Usage {
		t.Errorf("a file of pieces can be rendered: %v", err)
	}
	if text, err := set.Source("_shared"); err != nil || !strings.Contains(text, `define "settings"`) || !slices.Contains(set.Pieces(), "_shared") {
		t.Errorf("pieces cannot be shown: %v", err)
	}
	for _, name := range []string{"classic", "guarded_enable", "guarded_disable", "guarded_collect"} {
		if !slices.Contains(set.Names(), name) {
			t.Errorf("%s is missing from %v", name, set.Names())
		}
		if text, err := set.Source(name); err != nil || text == "" {
			t.Errorf("Source(%s): %v", name, err)
		}
	}
}

// What SQL*Plus would misread never leaves Render, wherever it came from.
func TestRenderRefusesUnfitLines(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"non-ASCII", "-- ok\n-- caf\u00e9\n", "line 2"},
		{"byte order mark", "\ufeffset echo on\n", "line 1"},
		{"carriage return", "set echo on\r\n", "0x0d"},
		{"escape", "-- \x1b[0m\n", "0x1b"},
		{"NUL", "-- \x00\n", "0x00"},
		{"hyphen at the end", "prompt a -\n", "hyphen"},
		{"hyphen and blank at the end", "prompt a - \n", "hyphen"},
		{"empty comment", "a\nb\n--\n", "line 3"},
		{"too long", "-- " + strings.Repeat("x", MaxLine) + "\n", "2400"},
		{"too long without end", "-- " + strings.Repeat("x", 200_000), "2400"},
		{"far down", strings.Repeat("-- x\n", 50_000) + "-- \u00e9\n", "line 50001"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tmpl, err := Parse("mine.tmpl", "{{.}}")
			if err != nil {
				t.Fatal(err)
			}
			err = tmpl.Render(&strings.Builder{}, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mine.tmpl") {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	for _, ok := range []string{"", "a", "a\n", "-- " + strings.Repeat("x", MaxLine-3) + "\n", "\n\n", "a\tb\n"} {
		tmpl, err := Parse("mine.tmpl", "{{.}}")
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := tmpl.Render(&out, ok); err != nil {
			t.Errorf("%q refused: %v", ok, err)
		}
		if want := strings.TrimSuffix(ok, "\n"); strings.TrimSuffix(out.String(), "\n") != want {
			t.Errorf("%q came out as %q", ok, out.String())
		}
	}
}

type brokenWriter struct{ after int }

var errNoSpace = errors.New("no space left")

func (b *brokenWriter) Write(p []byte) (int, error) {
	if b.after -= len(p); b.after < 0 {
		return 0, errNoSpace
	}
	return len(p), nil
}

func TestRenderReportsWriteErrors(t *testing.T) {
	tmpl, err := Parse("mine.tmpl", "{{.}}")
	if err != nil {
		t.Fatal(err)
	}
	err = tmpl.Render(&brokenWriter{after: 100}, strings.Repeat("-- x\n", 100_000))
	if !errors.Is(err, errNoSpace) {
		t.Errorf("error %v", err)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 256000: "256,000", 2147483647: "2,147,483,647", -1234: "-1,234"} {
		if got := Commas(n); got != want {
			t.Errorf("Commas(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{512: "512 bytes", 262144: "262,144 bytes (256.0 KiB)", 256000: "256,000 bytes (250.0 KiB)", 1 << 20: "1,048,576 bytes (1.0 MiB)"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}

func builtin(t *testing.T) *Set {
	t.Helper()
	s, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
