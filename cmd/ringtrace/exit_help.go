package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

// exitMeanings are the meanings of the exit codes, as docs/scripting.md and
// the help print them.
var exitMeanings = []struct {
	Code    exit.Code
	Meaning string
}{
	{exit.OK, "ok"},
	{exit.Failed, "failed"},
	{exit.Usage, "wrong usage"},
	{exit.Partial, "partial: some of it failed"},
	{exit.NothingMatch, "nothing matched"},
	{exit.CannotConnect, "cannot connect"},
	{exit.NotAllowed, "not allowed (privilege)"},
	{exit.Refused, "a guard refused"},
	{exit.ToolMissing, "a tool is missing (sqlplus, client libraries)"},
	{exit.Journal, "journal dirty or locked"},
	{exit.Findings, "findings"},
	{exit.Interrupted, "interrupted"},
}

// exits adds the exit codes to a verb's help and returns the verb. Codes 1, 2
// and 130 can come from every verb; they need not be given.
func exits(cmd *cli.Command, codes ...exit.Code) *cli.Command {
	var b strings.Builder
	b.WriteString("Exit codes:\n\n")
	for _, m := range exitMeanings {
		if m.Code == exit.Failed || m.Code == exit.Usage || m.Code == exit.Interrupted || has(codes, m.Code) {
			fmt.Fprintf(&b, "    %3d  %s\n", m.Code, m.Meaning)
		}
	}
	cmd.Description = strings.TrimRight(cmd.Description, "\n") + "\n\n" + strings.TrimRight(b.String(), "\n")
	return cmd
}

func has(codes []exit.Code, code exit.Code) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}
