package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

func newCompletionCommand(rt *runtime) *cli.Command {
	shell := func(name, script, how string) *cli.Command {
		return exits(&cli.Command{
			Name: name, Usage: "print the completion script of " + name,
			Description: "Example:\n\n    " + how,
			Action: func(*cli.Context) error {
				if err := rt.wantOutput("completion", outputText); err != nil {
					return err
				}
				_, err := io.WriteString(rt.stdout, script)
				return err
			},
		}, exit.OK)
	}
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a script that lets a shell complete verbs, flags and their words",
		Description: "Example:\n\n    source <(ringtrace completion bash)",
		Subcommands: []*cli.Command{
			shell("bash", bashCompletion, "source <(ringtrace completion bash)"),
			shell("zsh", zshCompletion, "source <(ringtrace completion zsh)"),
			shell("fish", fishCompletion, "ringtrace completion fish >~/.config/fish/completions/ringtrace.fish"),
			exits(&cli.Command{
				Name: "words", ArgsUsage: "[WORD…]",
				Usage: "print what may stand for the last WORD; the scripts call it",
				Description: "The WORDs are a command line without its first. Each line is a word, a tab, and\n" +
					"what it means. Nothing is printed where a file name fits.\n\n" +
					"Example:\n\n    ringtrace completion words -- lint --fail-on ''",
				Action: func(c *cli.Context) error {
					if err := rt.wantOutput("completion words", outputText); err != nil {
						return err
					}
					var b strings.Builder
					for _, s := range complete(newTree(newApp(rt)), c.Args().Slice()) {
						fmt.Fprintf(&b, "%s\t%s\n", s.word, s.meaning)
					}
					_, err := io.WriteString(rt.stdout, b.String())
					return err
				},
			}, exit.OK),
		},
	}
}

// bash cuts words at "=" and ":" before a completion function sees them;
// complete puts the former together again.
const bashCompletion = `_ringtrace() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _ringtrace ringtrace
`

const zshCompletion = `#compdef ringtrace
_ringtrace() {
  local -a found
  found=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null | cut -f1)}")
  if [[ -n "${found[1]}" ]]; then
    compadd -a found
  else
    _files
  fi
}
compdef _ringtrace ringtrace
`

const fishCompletion = `function __ringtrace_words
    set -l typed (commandline -opc)
    set -l program $typed[1]
    set -e typed[1]
    set -l found ($program completion words -- $typed (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c ringtrace -f -a '(__ringtrace_words)'
`
