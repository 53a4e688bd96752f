package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func realTree() *tree {
	return newTree(newApp(newRuntime(nil, io.Discard, io.Discard, nil, testNow)))
}

// TestCLIPage keeps docs/cli.md as the program is; -update writes it.
func TestCLIPage(t *testing.T) {
	const path = "../../docs/cli.md"
	want := cliPage(realTree())
	if *update {
		must(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	must(t, err)
	if string(got) != want {
		t.Errorf("docs/cli.md is stale at %q; run: go test ./cmd/ringtrace -run TestCLIPage -update", firstDifference(string(got), want))
	}
}

func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i, line := range right {
		if i >= len(left) || left[i] != line {
			return line
		}
	}
	return "end"
}

func TestManPageHoldsEverything(t *testing.T) {
	tr := realTree()
	page := manPage(tr)
	plain := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "").Replace(page)
	for _, path := range tr.visible() {
		if len(path) > 1 && !strings.Contains(plain, "\n.SS \""+strings.Join(words(path), " ")+"\"\n") {
			t.Errorf("no section for %q", words(path))
		}
		for _, d := range tr.flagDocs(path) {
			if !strings.Contains(plain, "\n"+strings.ReplaceAll(d.Spelling, "…", `\&...`)+"\n") {
				t.Errorf("%q: no %s", words(path), d.Spelling)
			}
		}
	}
	for _, e := range exitMeanings {
		if !strings.Contains(plain, fmt.Sprintf("\n%d\n%s\n", e.Code, e.Meaning)) {
			t.Errorf("no exit code %d", e.Code)
		}
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.Contains(" .TH .SH .SS .PP .TP .nf .fi ", " "+strings.SplitN(line, " ", 2)[0]+" ") {
			t.Errorf("line %d is an unknown request: %q", i+1, line)
		}
		for _, r := range line {
			if r > 126 {
				t.Errorf("line %d is not ASCII: %q", i+1, line)
				break
			}
		}
	}
}

// TestManPageFormats has groff complain, where there is one.
func TestManPageFormats(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("SKIPPED (1): groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-Tascii", "-ww")
	cmd.Stdin = strings.NewReader(manPage(realTree()))
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Errorf("groff: %v\n%s", err, complaints.String())
	}
	if !strings.Contains(string(out), "RINGTRACE(1)") {
		t.Errorf("no page: %.200s", out)
	}
}

func TestRoffEscapes(t *testing.T) {
	m := &roff{}
	m.text(`.\ -x "q"`)
	m.text(`'quote`)
	m.macro("SH", `a "b"`)
	if want := "\\&.\\e \\-x \"q\"\n\\&'quote\n.SH \"a \\(dqb\\(dq\"\n"; m.String() != want {
		t.Errorf("got %q, want %q", m.String(), want)
	}
}
