package styles

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/lint"
	"ringtrace/sessions"
	"ringtrace/templates"
)

var update = flag.Bool("update", false, "write the golden files anew")

var t0 = time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)

func request(style string) plan.Request {
	r := plan.Request{
		Tool: "ringtrace", Version: "1.0", Campaign: "20260314T020000Z-abcdef", Now: t0, Expires: t0.Add(24 * time.Hour), Style: style,
		Options: plan.DefaultOptions(), MaxSessions: 200, Purpose: "find 942", Ticket: "INC1",
	}
	r.Options.Ora = []int{942, 60}
	return r
}

func selector(t *testing.T, words ...string) *sessions.Selector {
	t.Helper()
	s := &sessions.Selector{}
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		var err error
		switch k {
		case "like":
			s.Like = true
		case "ignore-case":
			s.IgnoreCase = true
		case "all-app":
			s.AllApp = true
		case "sid":
			err = s.AddSID(v)
		case "inst":
			err = s.AddInst(v)
		default:
			err = fmt.Errorf("no flag %s", k)
			for _, f := range sessions.Fields() {
				if f.Flag() == k {
					err = s.Add(f, v)
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func builtin(t *testing.T) *templates.Set {
	t.Helper()
	set, err := templates.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// write renders a style and returns its scripts by name.
func write(t *testing.T, r plan.Request, sel *sessions.Selector) map[string]string {
	t.Helper()
	r.Selector = sel.String()
	b, err := New(r, sel)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := b.Write(context.Background(), builtin(t), spool.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(text)
		if found, ok := spool.VerifyChecksum(text); strings.HasSuffix(f.Name, ".sql") && (!found || !ok) {
			t.Errorf("%s: checksum found %v, right %v", f.Name, found, ok)
		}
	}
	return out
}

func TestGolden(t *testing.T) {
	known := []sessions.Instance{{InstID: 2, InstanceName: "PROD2", HostName: "dbhost2", DBUniqueName: "PROD", DBID: 42, Version: "19.0.0.0.0", StartupTime: t0.Add(-time.Hour)}}
	for _, c := range []struct {
		style string
		words []string
		insts []sessions.Instance
	}{
		{plan.StyleGenerator, []string{"username=APP", "module=!batch", "pdb=SALES"}, known},
		{plan.StyleAlterSession, nil, nil},
		{plan.StyleLogonTrigger, []string{"username=APP", "username=AppUser", "machine=web%"}, known},
	} {
		r := request(c.style)
		r.Instances = c.insts
		sel := selector(t, c.words...)
		for name, text := range write(t, r, sel) {
			if name == spool.ManifestName {
				continue
			}
			golden := filepath.Join("testdata", "golden", name)
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s differs from %s; look at the change, then run go test ./internal/styles -update", name, golden)
			}
		}
	}
}

// clean demands that the linter finds nothing at its default level, and says
// nothing at all about what is ours to avoid.
func clean(t *testing.T, name, text string) {
	t.Helper()
	res := lint.Check(name, []byte(text), lint.Options{})
	for _, f := range res.Findings {
		if f.Severity >= lint.Warning {
			t.Errorf("%s:%d:%d: %s %s: %s", name, f.Line, f.Column, f.Severity, f.Rule, f.Message)
		}
	}
}

// What a generator writes is a script, too: play it for sessions with hostile
// names and lint the result.
func TestLintPassesGeneratorsAndWhatTheyWrite(t *testing.T) {
	rows := []map[string]string{
		sampleRow(69, 46228, 38, "52490", "APP"),
		sampleRow(70, 7, 39, "52491", "R?D?x"),
	}
	for _, style := range []string{plan.StyleGenerator, plan.StyleAlterSession, plan.StyleLogonTrigger} {
		for _, edit := range []func(*plan.Request){
			func(*plan.Request) {},
			func(r *plan.Request) { r.Options.NoRing = true },
			func(r *plan.Request) { r.Options.Errorstack, r.Options.MaxFires = plan.NoErrorstack, 0 },
			func(r *plan.Request) { r.Purpose = "100% ^sure & ~not | now! \x1b[31m */ -" },
		} {
			r := request(style)
			edit(&r)
			for name, text := range write(t, r, selector(t, "username=APP")) {
				if name == spool.ManifestName {
					continue
				}
				clean(t, name, text)
				written := play(t, text, rows)
				if style == plan.StyleGenerator || (style == plan.StyleLogonTrigger && strings.Contains(name, "undo")) {
					if n := strings.Count(written, "oradebug setorapid "); n != len(rows) {
						t.Errorf("%s wrote %d blocks for %d sessions:\n%s", name, n, len(rows), written)
					}
					clean(t, "written_by_"+name, written)
				}
			}
		}
	}
}

func sampleRow(sid, serial, pid int, spid, owner string) map[string]string {
	return map[string]string{
		"label": fmt.Sprintf("inst=1 sid=%d serial=%d orapid=%d pserial=3 ospid=%s", sid, serial, pid, spid), "owner": owner, "pid": fmt.Sprint(pid),
		"proof": fmt.Sprintf("p.pid = %d and p.serial# = 3 and p.spid = '%s'", pid, spid),
		"own":   fmt.Sprintf("s.sid = %d and s.serial# = %d and s.logon_time = to_date('2026-03-14 01:00:00','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED'", sid, serial),
	}
}

var arm = regexp.MustCompile(`(?m)^ +when (\d+) then (.*)$`)

// play prints what a generator spools: its prompts, its constant selects, and
// the arms of its CASE for each row.
func play(t *testing.T, script string, rows []map[string]string) string {
	t.Helper()
	var out strings.Builder
	spooling, sql := false, ""
	for _, line := range strings.Split(script, "\n") {
		switch word, rest, _ := strings.Cut(line, " "); {
		case sql != "" || word == "select":
			sql += line + "\n"
			if !strings.HasSuffix(line, ";") {
				continue
			}
			if m := regexp.MustCompile(`^select ('.*') as rt_line from dual;`).FindStringSubmatch(sql); m != nil {
				fmt.Fprintln(&out, eval(t, m[1], nil))
			} else if strings.HasPrefix(sql, "select case n.n") {
				for _, row := range rows {
					for i, m := range arm.FindAllStringSubmatch(sql, -1) {
						if m[1] != fmt.Sprint(i+1) {
							t.Fatalf("arm %d is numbered %s", i+1, m[1])
						}
						fmt.Fprintln(&out, strings.TrimRight(eval(t, m[2], row), " "))
					}
				}
			}
			sql = ""
		case word == "spool":
			spooling = rest != "off" && strings.HasSuffix(rest, ".sql")
		case word == "prompt" && spooling:
			fmt.Fprintln(&out, rest)
		}
	}
	return out.String()
}

// eval computes 'text' || b.column || ….
func eval(t *testing.T, expr string, row map[string]string) string {
	t.Helper()
	var b strings.Builder
	for expr != "" {
		switch {
		case strings.HasPrefix(expr, " || "):
			expr = expr[4:]
		case expr[0] == '\'':
			i := 1
			for ; i < len(expr); i++ {
				if expr[i] == '\'' {
					if i+1 < len(expr) && expr[i+1] == '\'' {
						i++
					} else {
						break
					}
				}
				b.WriteByte(expr[i])
			}
			expr = expr[i+1:]
		case strings.HasPrefix(expr, "b."):
			n := strings.IndexByte(expr+" ", ' ')
			v, ok := row[expr[2:n]]
			if !ok {
				t.Fatalf("no column %s", expr[2:n])
			}
			b.WriteString(v)
			expr = expr[n:]
		default:
			t.Fatalf("cannot read %q", expr)
		}
	}
	return b.String()
}

func TestHostileNamesStayLiterals(t *testing.T) {
	hostile := []string{`O'Brien`, `a"b`, "R&D", "^caret", `back\slash`, "new\nline", "Ünï", "😀", "x -", "/", "; drop", "\x1b[31m", "--"}
	for _, style := range []string{plan.StyleGenerator, plan.StyleLogonTrigger} {
		for _, h := range hostile {
			words := []string{"username=" + strings.ReplaceAll(h, "!", `\!`)}
			if style == plan.StyleLogonTrigger {
				words = []string{"username=APP", "machine=" + h}
			}
			for name, text := range write(t, request(style), selector(t, words...)) {
				if name == spool.ManifestName {
					continue
				}
				clean(t, name+" "+h, text)
				if strings.Contains(text, "\x1b") || strings.Contains(text, "Ü") {
					t.Errorf("%s: %q came through raw", name, h)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"APP": `'APP'`, "O'Brien": `'O''Brien'`, "R&D": `to_char(unistr('R\0026D'))`, "a^'b": `to_char(unistr('a\005E''b'))`,
		`a\b`: `to_char(unistr('a\005Cb'))`, "😀": `to_char(unistr('\D83D\DE00'))`, "a\nb": `to_char(unistr('a\000Ab'))`,
	} {
		if got := literal(text, '^'); got != want {
			t.Errorf("literal(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestLogonTriggerRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		words []string
		found []sessions.Session
		want  string
	}{
		"no user":       {[]string{"all-app"}, nil, "needs a user to wait for"},
		"pattern":       {[]string{"username=APP%", "like"}, nil, "needs a user to wait for"},
		"Oracle's own":  {[]string{"username=SYSTEM"}, nil, "comes with the database"},
		"module":        {[]string{"username=APP", "module=x"}, nil, "--module is not known when a session logs on"},
		"sid":           {[]string{"username=APP", "sid=5"}, nil, "--sid does not fit"},
		"pdb":           {[]string{"username=APP", "pdb=P"}, nil, "--pdb does not fit"},
		"double quote":  {[]string{`username=a"b`}, nil, "double quote"},
		"not ASCII":     {[]string{"username=Ü"}, nil, "not printable ASCII"},
		"too long":      {[]string{"username=" + strings.Repeat("x", 129)}, nil, "longer than 128"},
		"SYS was found": {[]string{"all-app"}, []sessions.Session{{InstID: 1, Username: "SYS"}}, "comes with the database"},
	} {
		r := request(plan.StyleLogonTrigger)
		r.Sessions = c.found
		_, err := New(r, selector(t, c.words...))
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), c.want) || exit.HintOf(err) == "" {
			t.Errorf("%s: %v (hint %q), want %q", name, err, exit.HintOf(err), c.want)
		}
	}
}

func TestLogonTriggerTakesUsersFromTheSessionsFound(t *testing.T) {
	r := request(plan.StyleLogonTrigger)
	r.Sessions = []sessions.Session{{InstID: 1, Username: "b$x"}, {InstID: 1, Username: "A B"}, {InstID: 2, Username: "b$x"}}
	files := write(t, r, selector(t, "all-app"))
	for _, name := range []string{"logon-trigger_1.sql", "logon-trigger_undo_1.sql", "logon-trigger_2.sql", "logon-trigger_undo_2.sql"} {
		if files[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	one := files["logon-trigger_1.sql"]
	for _, want := range []string{"after logon on \"A B\".schema\n", "after logon on \"b$x\".schema\n", "when others then", "sys.RT_20260314T020000Z_ABCDEF_1_2"} {
		if !strings.Contains(one, want) {
			t.Errorf("script lacks %q", want)
		}
	}
	if n := strings.Count(files["logon-trigger_undo_1.sql"], "\ndrop trigger sys.RT_"); n != 2 {
		t.Errorf("the undo drops %d triggers, want 2", n)
	}
	for _, id := range []string{strings.Repeat("x", 99), "a.b-c", "20260314T020000Z-abcdef"} {
		if got := triggerName(id, 12, 345); len(got) > 30 || !regexp.MustCompile(`^RT_[A-Z0-9_]+_12_345$`).MatchString(got) {
			t.Errorf("trigger name %q", got)
		}
	}
}

func TestUndoGeneratorLeavesOutWhatChanges(t *testing.T) {
	files := write(t, request(plan.StyleGenerator), selector(t, "username=APP", "module=m1", "status=ACTIVE", "machine=w"))
	arms, undo := files["generator_1.sql"], files["generator_undo_1.sql"]
	for _, cond := range []string{"s.username = 'APP'", "s.machine = 'w'"} {
		if !strings.Contains(arms, cond) || !strings.Contains(undo, cond) {
			t.Errorf("%s: enable %v, undo %v", cond, strings.Contains(arms, cond), strings.Contains(undo, cond))
		}
	}
	for _, cond := range []string{"s.module = 'm1'", "s.status = 'ACTIVE'"} {
		if !strings.Contains(arms, cond) || strings.Contains(undo, cond) {
			t.Errorf("%s: enable %v, undo %v", cond, strings.Contains(arms, cond), strings.Contains(undo, cond))
		}
	}
	if !strings.Contains(undo, "-- MIND: --module, --status can have changed since") {
		t.Error("the undo does not say what it leaves out")
	}
	if strings.Contains(undo, "the cap is") {
		t.Error("an undo has a cap")
	}
}

func TestAlterSessionArmsTheRingFirst(t *testing.T) {
	files := write(t, request(plan.StyleAlterSession), selector(t))
	for name, want := range map[string][]string{
		"alter-session_1.sql": {
			"immediate trace name trace_buffer_on level 256000", "sql_trace wait=true, bind=true",
			"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3", "60 trace name trace_buffer_off; name errorstack level 3, lifetime 3",
		},
		"alter-session_undo_1.sql": {"942 off", "60 off", "sql_trace off", "immediate trace name trace_buffer_off"},
	} {
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^alter session set events '(.*)';$`).FindAllStringSubmatch(files[name], -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
		if strings.Contains(files[name], "\nexit") {
			t.Errorf("%s ends the session that it is run in", name)
		}
	}
}

func TestManifestNamesNoSessions(t *testing.T) {
	r := request(plan.StyleGenerator)
	r.Sessions = []sessions.Session{{InstID: 3, SID: 1, Username: "APP"}}
	files := write(t, r, selector(t, "username=APP"))
	m := files[spool.ManifestName]
	if !strings.Contains(m, `"sessions": []`) || !strings.Contains(m, `"generator_3.sql"`) || !strings.Contains(m, `"style": "generator"`) {
		t.Errorf("manifest: %s", m)
	}
}

func TestPrint(t *testing.T) {
	r := request(plan.StyleGenerator)
	b, err := New(r, selector(t, "username=APP", "inst=1", "inst=2"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.Print(context.Background(), &out, builtin(t)); exit.CodeOf(err) != exit.Usage || out.Len() > 0 {
		t.Errorf("two instances: %v", err)
	}
	if b, err = New(r, selector(t, "username=APP")); err != nil {
		t.Fatal(err)
	}
	if err := b.Print(context.Background(), &out, builtin(t)); err != nil || !strings.Contains(out.String(), "spool generated_1_") {
		t.Errorf("print: %v", err)
	}
}
