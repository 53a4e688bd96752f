package main

//go:generate go test -run TestCLIPage -update .

import (
	"fmt"
	"strings"
)

// cliPage writes the tree as docs/cli.md.
func cliPage(t *tree) string {
	var b strings.Builder
	b.WriteString("# Command line\n\n" +
		"Generated from the program (`go test ./cmd/ringtrace -update`); do not edit. What scripts may rely on is in\n" +
		"[scripting.md](scripting.md).\n\n")
	paths := t.visible()
	fmt.Fprintf(&b, "```\n%s\n```\n\n", t.usageLine(paths[0]))
	b.WriteString("| verb | does |\n| --- | --- |\n")
	for _, path := range paths[1:] {
		name := strings.Join(words(path), " ")
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", name, strings.ReplaceAll(name, " ", "-"), tableCell(t.verbOf(path).Usage))
	}
	b.WriteString("\n## Global flags\n\nBefore the verb, behind it, or behind its arguments.\n\n")
	cliFlags(&b, t.flagDocs(paths[0]))
	for _, path := range paths[1:] {
		c := t.verbOf(path)
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n\n%s.\n", strings.Join(words(path), " "), t.usageLine(path), sentence(c.Usage))
		if len(c.Aliases) > 0 {
			fmt.Fprintf(&b, "Also called `%s`.\n", strings.Join(c.Aliases, "`, `"))
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Description))
		if docs := t.flagDocs(path); len(docs) > 0 {
			b.WriteString("\n")
			cliFlags(&b, docs)
		}
	}
	return b.String()
}

func cliFlags(b *strings.Builder, docs []flagDoc) {
	b.WriteString("| flag | meaning | default | environment | config |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range docs {
		def := ""
		if d.Default != "" {
			def = "`" + tableCell(d.Default) + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | `%s` | `%s` |\n", tableCell(d.Spelling), tableCell(d.Usage), def, strings.Join(d.Env, "`, `"), d.Key)
	}
}

// tableCell makes a text fit for a cell of a table.
func tableCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
