package templates

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestComment(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain", "JDBC Thin Client", "JDBC Thin Client"},
		{"ampersand", "R&D.exe", "R+D.exe"},
		{"define", "a^b", "a?b"},
		{"newline", "a\nexit", "a?exit"},
		{"carriage return", "a\r\nb", "a??b"},
		{"escape", "\x1b[2Jx", "?[2Jx"},
		{"nul", "a\x00b", "a?b"},
		{"tab", "a\tb", "a?b"},
		{"delete", "a\x7fb", "a?b"},
		{"c1 control", "a\u009bb", "a?b"},
		{"comment end", "a*/b", "a*?b"},
		{"terminator", "a;", "a,"},
		{"slash alone", "/", "/"},
		{"hyphen at end", "abc-", "abc?"},
		{"hyphen and blanks at end", "abc-  ", "abc?"},
		{"hyphens", "--", "-?"},
		{"two bytes", "Zoë", "Zo?"},
		{"four bytes", "a\U0001F600b", "a?b"},
		{"no UTF-8", "a\xff\xfeb", "a??b"},
		{"line separator", "a\u2028b", "a?b"},
		{"right to left", "a\u202eb", "a?b"},
		{"quotes stay", `a'b"c`, `a'b"c`},
		{"blanks around", "  a  ", "a"},
		{"empty", "", ""},
		{"too long", strings.Repeat("x", 60), strings.Repeat("x", 29) + "..."},
		{"hyphen where it is cut", strings.Repeat("-", 60), strings.Repeat("-", 29) + "..."},
	}
	for _, c := range cases {
		if got := Comment('^', 32, c.in); got != c.want {
			t.Errorf("%s: Comment(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
	if got := Comment('^', 2, "abc-"); got != "ab" {
		t.Errorf("hard cut: %q", got)
	}
	if got := Comment('^', 3, "ab-c"); got != "ab?" {
		t.Errorf("hard cut at a hyphen: %q", got)
	}
}

// TestProblemP01_AmpersandInComment: program R&D in a comment line must not
// make SQL*Plus ask for a value.
func TestProblemP01_AmpersandInComment(t *testing.T) {
	for _, in := range []string{"R&D", "&&x", "a & b", "&", "\u00a0&D"} {
		if got := Comment('^', 64, in); strings.ContainsRune(got, '&') {
			t.Errorf("Comment(%q) = %q still substitutes", in, got)
		}
	}
}

// TestProblemP09_SlashText: text that is a lone slash stands behind something,
// never alone on its line, and the checker refuses nothing less.
func TestProblemP09_SlashText(t *testing.T) {
	var out strings.Builder
	tmpl, err := Parse("x.tmpl", "-- {{comment .}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"/", " / ", "\n/\n", "/\n"} {
		out.Reset()
		if err := tmpl.Render(&out, in); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if strings.TrimSpace(line) == "/" {
				t.Errorf("%q renders a lone slash: %q", in, out.String())
			}
		}
	}
}

func TestCommentProperty(t *testing.T) {
	nasty := rapid.SampledFrom([]string{"&", "^", "~", ";", "*/", "/*", "-", "--", "\n", "\r", "\x00", "\x1b[31m", "'", `"`, "é", "\U0001F4A3", "\xff", "a", " ", "/", "\u2028"})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(nasty, 0, 40).Draw(rt, "pieces"), "")
		define := rapid.SampledFrom([]byte("^~!%|")).Draw(rt, "define")
		width := rapid.IntRange(1, 64).Draw(rt, "width")
		got := Comment(define, width, text)
		checkComment(rt, define, width, text, got)
	})
}

func FuzzComment(f *testing.F) {
	for _, seed := range []string{"", "R&D", "a*/b-", "\x1b]0;x\x07", "\U0001F600 -", "x\n/\n", "^rt"} {
		f.Add(seed, uint8(20))
	}
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		w := int(width)%200 + 1
		checkComment(t, '^', w, text, Comment('^', w, text))
	})
}

type fataler interface {
	Fatalf(format string, args ...any)
}

func checkComment(t fataler, define byte, width int, text, got string) {
	if len(got) > width {
		t.Fatalf("Comment(%q) = %q is longer than %d", text, got, width)
	}
	if strings.HasSuffix(got, "-") || strings.TrimSpace(got) != got {
		t.Fatalf("Comment(%q) = %q ends wrongly", text, got)
	}
	for i := range len(got) {
		c := got[i]
		if c < ' ' || c > '~' || c == '&' || c == ';' || c == define {
			t.Fatalf("Comment(%q) = %q holds %q", text, got, c)
		}
	}
	if strings.Contains(got, "*/") {
		t.Fatalf("Comment(%q) = %q ends a comment", text, got)
	}
	if again := Comment(define, width, got); again != got {
		t.Fatalf("Comment is not idempotent: %q then %q", got, again)
	}
}
