package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
	"ringtrace/internal/exit"
)

func newManCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:        "man",
		Usage:       "print the manual page",
		Description: "The page is roff, made from the same table of verbs and flags as the help.\n\nExample:\n\n    ringtrace man | man -l -\n    ringtrace man >/usr/local/share/man/man1/ringtrace.1",
		Action: func(*cli.Context) error {
			if err := rt.wantOutput("man", outputText); err != nil {
				return err
			}
			_, err := io.WriteString(rt.stdout, manPage(newTree(newApp(rt))))
			return err
		},
	}, exit.OK)
}

// manPage writes the tree as one page with the macros of man(7).
func manPage(t *tree) string {
	m := &roff{}
	m.macro("TH", "RINGTRACE", "1", "", "ringtrace "+version(), "User Commands")
	m.macro("SH", "NAME")
	m.text("ringtrace - " + t.app.Usage)
	m.macro("SH", "SYNOPSIS")
	m.text(t.usageLine([]*argv.Command{t.root}))
	m.macro("SH", "DESCRIPTION")
	for _, paragraph := range manDescription {
		m.macro("PP")
		m.text(paragraph)
	}
	m.macro("SH", "GLOBAL FLAGS")
	m.flags(t.flagDocs([]*argv.Command{t.root}))
	m.macro("SH", "VERBS")
	for _, path := range t.visible()[1:] {
		m.verb(t, path)
	}
	m.macro("SH", "EXIT STATUS")
	for _, e := range exitMeanings {
		m.item(fmt.Sprint(int(e.Code)), e.Meaning)
	}
	m.macro("SH", "ENVIRONMENT")
	for _, e := range manEnvironment {
		m.item(e[0], e[1])
	}
	m.macro("SH", "FILES")
	for _, e := range manFiles {
		m.item(e[0], e[1])
	}
	return m.String()
}

var manDescription = []string{
	"Every flag may stand before the verb, behind it, and behind the arguments; a lone -- ends the flags. " +
		"Two different values for a flag that takes one are refused.",
	"Standard output carries the product, standard error the talk. Every refusal says what to type next.",
}

var manEnvironment = [][2]string{
	{"RINGTRACE_FLAG", "a global flag; RINGTRACE_OUTPUT=json is --output json"},
	{"RINGTRACE_VERB_FLAG", "a flag of a verb; RINGTRACE_GENERATE_RING=1m. A repeatable flag has a value a line. A flag on the command line wins, the config file loses"},
	{"RINGTRACE_PASSWORD, RINGTRACE_PASSWORD_INST", "the password of --connect, and of an --instance-connect; no child process sees them"},
	{"NO_COLOR", "as --no-color, if it is not empty"},
	{"ORACLE_HOME, ORACLE_SID, TWO_TASK, TNS_ADMIN, LD_LIBRARY_PATH", "as for Oracle's own programs; ringtrace doctor tells which of them wins"},
}

var manFiles = [][2]string{
	{"$XDG_CONFIG_HOME/ringtrace/config.toml", "the config file (~/.config/ringtrace/config.toml)"},
	{"$XDG_STATE_HOME/ringtrace", "the journals, mode 0700 (~/.local/state/ringtrace)"},
}

// roff builds a page line by line.
type roff struct{ b strings.Builder }

func (m *roff) String() string { return m.b.String() }

// macro writes a request with quoted arguments.
func (m *roff) macro(name string, args ...string) {
	m.b.WriteString("." + name)
	for _, a := range args {
		m.b.WriteString(` "` + strings.ReplaceAll(roffEscape(a), `"`, `\(dq`) + `"`)
	}
	m.b.WriteString("\n")
}

// text writes a line of running text.
func (m *roff) text(s string) { m.b.WriteString(guard(roffEscape(s)) + "\n") }

// item writes a tagged paragraph.
func (m *roff) item(tag, text string) {
	m.macro("TP")
	m.b.WriteString(`\fB` + roffEscape(tag) + `\fR` + "\n")
	m.text(text)
}

func (m *roff) flags(docs []flagDoc) {
	for _, d := range docs {
		text := d.Usage
		if d.Default != "" {
			text += " (default " + d.Default + ")"
		}
		m.item(d.Spelling, text)
	}
}

func (m *roff) verb(t *tree, path []*argv.Command) {
	c := t.verbOf(path)
	m.macro("SS", strings.Join(words(path), " "))
	m.text(t.usageLine(path))
	m.macro("PP")
	m.text(c.Usage)
	if len(c.Aliases) > 0 {
		m.macro("PP")
		m.text("Also: " + strings.Join(c.Aliases, ", "))
	}
	m.prose(c.Description)
	m.flags(t.flagDocs(path))
}

// prose writes a help text: blank lines part paragraphs, indented lines stay
// as they are.
func (m *roff) prose(s string) {
	asIs := false
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		indented := strings.HasPrefix(line, "    ")
		if asIs != indented && line != "" {
			m.b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[indented])
			asIs = indented
		}
		switch {
		case line == "" && asIs:
			m.b.WriteString("\n")
		case line == "":
			m.macro("PP")
		default:
			m.text(line)
		}
	}
	if asIs {
		m.b.WriteString(".fi\n")
	}
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`, "×", `\(mu`, "²", `\(S2`, "→", `\(->`, "’", `\(cq`, "–", `\(en`)

func roffEscape(s string) string { return roffEscapes.Replace(s) }

// guard keeps a line from being taken for a request.
func guard(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
