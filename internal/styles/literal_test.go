package styles

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
)

// decode reads what literal writes, as Oracle would.
func decode(t *testing.T, expr string) string {
	t.Helper()
	body, escaped := strings.CutPrefix(expr, "to_char(unistr(")
	if escaped {
		body = strings.TrimSuffix(body, "))")
	}
	if len(body) < 2 || body[0] != '\'' || body[len(body)-1] != '\'' {
		t.Fatalf("no literal: %s", expr)
	}
	body = body[1 : len(body)-1]
	if strings.Contains(strings.ReplaceAll(body, "''", ""), "'") {
		t.Fatalf("the literal ends early: %s", expr)
	}
	body = strings.ReplaceAll(body, "''", "'")
	if !escaped {
		return body
	}
	var units []uint16
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			units = append(units, uint16(body[i]))
			continue
		}
		n, err := strconv.ParseUint(body[i+1:i+5], 16, 16)
		if err != nil {
			t.Fatalf("escape in %s: %v", expr, err)
		}
		units = append(units, uint16(n))
		i += 4
	}
	return string(utf16.Decode(units))
}

func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"", "APP", "O'Brien", "''", `\`, "R&D ^x ~!", "a\nb", "\x00", "Ü", "😀", "*/ --", "; drop"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("New refuses it")
		}
		for _, define := range []byte("^~!%|") {
			expr := literal(s, define)
			if got := decode(t, expr); got != s {
				t.Fatalf("literal(%q) = %s, which is %q", s, expr, got)
			}
			for i := range len(expr) {
				if c := expr[i]; c < ' ' || c > '~' || c == '&' || c == define {
					t.Fatalf("literal(%q) holds %q: %s", s, c, expr)
				}
			}
		}
	})
}

func TestSelectorThatIsNoUTF8IsRefused(t *testing.T) {
	if _, err := New(request(plan.StyleGenerator), selector(t, "machine=a\xffb")); exit.CodeOf(err) != exit.Usage {
		t.Errorf("got %v", err)
	}
}

func TestManyValuesStayInShortLines(t *testing.T) {
	words := []string{"machine=a or b\x01"}
	for i := range 300 {
		words = append(words, "username=USER_WITH_A_RATHER_LONG_NAME_"+strconv.Itoa(i))
	}
	for _, style := range []string{plan.StyleGenerator, plan.StyleLogonTrigger} {
		for name, text := range write(t, request(style), selector(t, words...)) {
			if strings.HasSuffix(name, ".sql") && (!strings.Contains(text, "LONG_NAME_299'") || strings.Contains(text, "generator_1") && !strings.Contains(text, `'a or b\0001'`)) {
				t.Errorf("%s lacks a value", name)
			}
		}
	}
}
