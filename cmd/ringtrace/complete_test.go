package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	cases := []struct{ typed, want string }{
		{"", "trace store config"},
		{"st", "store"},
		{"zzz", ""},
		{"store|", "put drop"},
		{"store|p", "put"},
		{"-q|store|--config|x|", "put drop"},
		{"store|put|", ""},
		{"store|put|--f", "--force"},
		{"trace|--sty", "--style"},
		{"--sty", ""},
		{"trace|--no-", "--no-ring --no-waits --no-binds --no-color"},
		{"trace|--style|", "guarded classic"},
		{"trace|--style|cl", "classic"},
		{"trace|--style=", "--style=guarded --style=classic"},
		{"trace|--style=g", "--style=guarded"},
		{"trace|--style|=", "guarded classic"},
		{"trace|--style|=|g", "guarded"},
		{"trace|--style|=|classic|--quie", "--quiet"},
		{"trace|--waits=", "--waits=true --waits=false"},
		{"trace|--out|", ""},
		{"-o|", "text json csv"},
		{"-o|j", "json"},
		{"trace|--|--sty", ""},
		{"trace|-h|--hel", "--help"},
	}
	for _, c := range cases {
		p := newProbe()
		var got []string
		for _, s := range complete(newTree(newApp(p.rt)), strings.Split(c.typed, "|")) {
			got = append(got, s.word)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, g, c.want)
		}
	}
}

// TestCompletionScripts runs the scripts of the shells that are here.
func TestCompletionScripts(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "ringtrace")
	must(t, os.Symlink(self(t), bin)) // called by this name, the test binary is the program
	shells := []struct{ shell, script string }{
		{"bash", `source <("$1" completion bash)
			COMP_WORDS=("$1" config sh); COMP_CWORD=2; _ringtrace; echo "${COMPREPLY[*]}"
			COMP_WORDS=("$1" -o = j); COMP_CWORD=3; _ringtrace; echo "${COMPREPLY[*]}"
			COMP_WORDS=("$1" version --output = ""); COMP_CWORD=4; _ringtrace; echo "${COMPREPLY[*]}"
			COMP_WORDS=("$1" config --dry x); COMP_CWORD=2; _ringtrace; echo "${COMPREPLY[*]}"`},
		{"zsh", `compdef() { :; }; compadd() { shift; echo "${(P)1}"; }; _files() { echo files; }
			source <("$1" completion zsh)
			words=("$1" config sh); CURRENT=3; _ringtrace
			words=("$1" -o j); CURRENT=3; _ringtrace
			words=("$1" version --output ""); CURRENT=4; _ringtrace
			words=("$1" config --dry); CURRENT=3; _ringtrace`},
		{"fish", `source (` + bin + ` completion fish | psub)
			set -g PATH ` + filepath.Dir(bin) + ` $PATH
			for line in "config sh" "-o j" "version --output " "config --dry"
				complete -C "ringtrace $line" | cut -f1 | sort -r | string join ' '
			end; true`},
	}
	const want = "show\njson\ntext json csv\n--dry-run\n" // fish sorts; sort -r happens to give this order
	for _, s := range shells {
		path, err := exec.LookPath(s.shell)
		if err != nil {
			t.Logf("SKIP %s: not installed", s.shell)
			continue
		}
		t.Run(s.shell, func(t *testing.T) {
			args := []string{"-c", s.script, s.shell, bin}
			out, err := exec.Command(path, args...).CombinedOutput()
			got := strings.ReplaceAll(string(out), "\r", "")
			if err != nil || got != want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}
