package spool_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/lint"
)

// hostileTexts are what a user name, a program or a module may hold: anybody
// who can log on sets them.
var hostileTexts = []string{
	"R&D", "&&1", "&rt", "^rt", "~rt^rt!rt%rt|rt", "'", "''", `"`, "*/", "/* ", "*/ drop user app cascade", "-", "--", "x -", "x\nexit", "x\r\nconnect / as sysdba",
	"x\n/\n", "/", ";", "x;", "\x00", "a\x00b", "\x1b[2J\x1b]0;owned\x07", "\u202e\u2028\u0085", "Zo\u00eb", "\U0001F4A3", "\xff\xfe", "@x", "!rm", "$ls", "#x", "host ls",
	"oradebug suspend", "\noradebug suspend\n", strings.Repeat("A", 5000), strings.Repeat("-", 5000), "{{.Checksum}}", "checksum: 00", "\n-- checksum: 00\n", "undo: x.sql",
}

// commandLines are the lines that SQL*Plus acts on.
func commandLines(script string) []string {
	var out []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "--") {
			out = append(out, line)
		}
	}
	return out
}

func TestHostileTextsStayInComments(t *testing.T) {
	refs := references(t)
	for _, text := range hostileTexts {
		checkHostile(t, refs, text)
	}
}

func TestHostileTextsProperty(t *testing.T) {
	refs := references(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostileTexts), 1, 4).Draw(rt, "texts"), "")
		checkHostile(rt, refs, text)
	})
}

// reference is the scripts of the same sessions with harmless texts: a hostile
// text may change comments and nothing else.
type reference struct {
	style   string
	scripts map[string]string
	define  string
}

func references(t *testing.T) []reference {
	var refs []reference
	for _, style := range []string{plan.StyleGuarded, plan.StyleClassic} {
		scripts, define := render(t, style, "harmless")
		refs = append(refs, reference{style, scripts, define})
	}
	return refs
}

type failer interface {
	Fatalf(format string, args ...any)
	Fatal(args ...any)
	Helper()
}

func checkHostile(t failer, refs []reference, text string) {
	t.Helper()
	for _, ref := range refs {
		want, define := ref.scripts, ref.define
		got, gotDefine := render(t, ref.style, text)
		for name, script := range got {
			checkForm(t, name, script)
			// The define character may differ, because a text held it.
			g, w := commandLines(script), commandLines(want[name])
			for i := range max(len(g), len(w)) {
				if i >= len(g) || i >= len(w) || g[i] != strings.ReplaceAll(w[i], define, gotDefine) {
					t.Fatalf("%s, text %q: command line %d is %q, want %q", name, text, i+1, at(g, i), at(w, i))
				}
			}
			if found, ok := spool.VerifyChecksum([]byte(script)); found != strings.Contains(script, "\n"+plan.ChecksumPrefix) || found && !ok {
				t.Fatalf("%s, text %q: checksum found %v, right %v", name, text, found, ok)
			}
			for _, f := range lint.Check(name, []byte(script), lint.Options{}).Findings {
				if f.Severity == lint.Error {
					t.Fatalf("%s, text %q: line %d: %s %s", name, text, f.Line, f.Rule, f.Message)
				}
			}
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no such line)"
}

// checkForm: ASCII, LF, no long line, no continuation, and no line that begins
// with anything but a command we write.
func checkForm(t failer, name, script string) {
	t.Helper()
	if i := strings.IndexFunc(script, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }); i >= 0 {
		t.Fatalf("%s holds %q at byte %d", name, script[i:min(i+4, len(script))], i)
	}
	known := regexp.MustCompile(`^($|--|set |whenever |define |column |clear |ttitle |btitle |select | +|prompt |oradebug |spool |alter session set cursor_sharing = force;|exit$)`)
	for i, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
		switch {
		case len(line) > 2400:
			t.Fatalf("%s:%d is %d characters long", name, i+1, len(line))
		case strings.HasSuffix(strings.TrimRight(line, " "), "-"):
			t.Fatalf("%s:%d ends in a hyphen: %q", name, i+1, line)
		case !known.MatchString(line):
			t.Fatalf("%s:%d begins with something else: %q", name, i+1, line)
		case strings.ContainsRune(line, '&'):
			t.Fatalf("%s:%d holds an ampersand: %q", name, i+1, line)
		}
	}
}

// render writes the sample with text in every field that anybody can set.
func render(t failer, style, text string) (scripts map[string]string, define string) {
	t.Helper()
	req := sampleRequest()
	req.Style, req.Header = style, true
	if style == plan.StyleClassic {
		req.Options.MaxFires = 0
	}
	req.Sessions = req.Sessions[:2]
	req.Purpose, req.Ticket, req.Selector, req.Source = text, text, text, text
	for i := range req.Sessions {
		s := &req.Sessions[i]
		s.Username, s.Program, s.Module, s.Machine, s.ServiceName, s.OSUser, s.ClientInfo, s.Action = text, text, text, text, text, text, text, text
	}
	p, err := plan.New(req)
	if err != nil {
		t.Fatal(err)
	}
	set, err := builtinOnce()
	if err != nil {
		t.Fatal(err)
	}
	scripts = map[string]string{}
	for _, kind := range []plan.ScriptKind{plan.Enable, plan.Disable, plan.Collect} {
		var b strings.Builder
		if err := spool.Render(context.Background(), &b, p, &p.Instances[0], p.Instances[0].Parts[0], kind, set, nil); err != nil {
			t.Fatalf("text %q: %v", text, err)
		}
		scripts[string(kind)+"_1.sql"] = b.String()
	}
	inst := &p.Instances[0]
	return scripts, p.Script(inst, inst.Parts[0], plan.Enable).Define
}

// A recorded path that a script must not print is left out and said so.
func TestHostileTracefile(t *testing.T) {
	for _, path := range []string{"/u01/a\nexit", "/u01/a'b.trc", "/u01/a&b.trc", "/u01/\U0001F4A3.trc", "/u01/a-", " /u01/a", "/u01/a;b", "/u01/a\x1b[0m"} {
		req := sampleRequest()
		req.Sessions = req.Sessions[:1]
		req.Sessions[0].Tracefile = path
		dir := t.TempDir()
		if _, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir}); err != nil {
			t.Fatalf("path %q: %v", path, err)
		}
		script := readFile(t, filepath.Join(dir, "collect_1.sql"))
		checkForm(t, "collect_1.sql", script)
		if !strings.Contains(script, "must not print") || !strings.Contains(script, "select p.tracefile") || strings.Contains(script, "prompt /u01") {
			t.Errorf("path %q: the script prints it or says nothing:\n%s", path, script)
		}
	}
}

// The manifest holds texts as they are, in letters that steer no terminal.
func TestManifestIsSafeOnATerminal(t *testing.T) {
	req := sampleRequest()
	req.Sessions = req.Sessions[:1]
	name := "\u009b31m\u202eRTL\x7f\x1b]0;x\x07😀"
	req.Sessions[0].Username = name
	dir := t.TempDir()
	if _, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, filepath.Join(dir, spool.ManifestName))
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			t.Errorf("the manifest holds %U", r)
		}
	}
	m := &spool.Manifest{}
	if err := json.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	if got := m.Sessions[0].Username; got == nil || *got != name {
		t.Errorf("username %v, want %q", got, name)
	}
}
