package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadEnds(t *testing.T) {
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("12:00:00.000 > line %04d\n", i)) // 25 bytes each
	}
	long := strings.Join(lines, "")
	for name, c := range map[string]struct {
		text, want string
		left       int64
	}{
		"short":            {text: lines[0], want: lines[0]},
		"empty":            {},
		"just as long":     {text: long[:1000], want: long[:1000]},
		"too long":         {text: long, want: long[:500] + "# ringtrace: 24025 bytes are left out here, from byte 500 on, of 25000 in all\n" + long[25000-475:], left: 24025},
		"no line at all":   {text: strings.Repeat("x", 2000), want: "# ringtrace: 2000 bytes are left out here, from byte 0 on, of 2000 in all\n", left: 2000},
		"one line too far": {text: lines[0] + strings.Repeat("x", 2000) + "\n" + lines[1], want: lines[0] + "# ringtrace: 2001 bytes are left out here, from byte 25 on, of 2051 in all\n" + lines[1], left: 2001},
	} {
		path := filepath.Join(t.TempDir(), "x.log")
		must(t, os.WriteFile(path, []byte(c.text), 0o600))
		got, left, err := readEnds(path, 1000)
		if err != nil || left != c.left || string(got) != c.want {
			t.Errorf("%s: %d bytes, %d left out, %v; want %d, %d\n%.200q", name, len(got), left, err, len(c.want), c.left, got)
		}
	}
	if _, _, err := readEnds(t.TempDir(), 1000); err == nil {
		t.Error("a folder was read")
	}
}

// A dialogue of days is in the bundle with both its ends, and is still known for one.
func TestLongDialogueIsKeptAtBothEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.log")
	line := "12:00:00.000 < Statement processed.\n"
	must(t, os.WriteFile(path, []byte(strings.Repeat(line, maxDocument/len(line)+1000)+"12:00:00.000 # the last word\n"), 0o600))
	text, left, err := readDialogue(path)
	if err != nil || left == 0 || len(text) > maxDocument+200 || len(text) < maxDocument-200 || !strings.HasPrefix(string(text), line) || !strings.HasSuffix(string(text), "# the last word\n") {
		t.Errorf("%d bytes, %d left out, %v", len(text), left, err)
	}
	if note := middleNote("d.log", left, maxDocument); !strings.Contains(note, "8.0 MiB") || !strings.Contains(note, "in its middle") {
		t.Errorf("note %q", note)
	}
}
