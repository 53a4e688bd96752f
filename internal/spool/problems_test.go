package spool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
)

// everyScript writes the sample in both styles and hands each script on.
func everyScript(t *testing.T, edit func(*plan.Request), check func(t *testing.T, name, script string)) {
	t.Helper()
	for _, style := range []string{plan.StyleGuarded, plan.StyleClassic} {
		t.Run(style, func(t *testing.T) {
			req := sampleRequest()
			req.Style = style
			if style == plan.StyleClassic {
				req.Options.MaxFires = 0
			}
			edit(&req)
			dir := t.TempDir()
			files, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if strings.HasSuffix(f.Name, ".sql") {
					check(t, f.Name, readFile(t, filepath.Join(dir, f.Name)))
				}
			}
		})
	}
}

// TestProblemO01_OrapidNotOspid: orapid 37, spid 34275448: setorapid gets 37.
func TestProblemO01_OrapidNotOspid(t *testing.T) {
	everyScript(t, func(r *plan.Request) {
		r.Sessions = []sessions.Session{{InstID: 1, SID: 5, Serial: 9, Orapid: 37, Ospid: "34275448", Server: "DEDICATED"}}
	}, func(t *testing.T, name, script string) {
		if strings.HasPrefix(name, "collect") {
			return
		}
		if !strings.Contains(script, "oradebug setorapid 37\n") {
			t.Errorf("%s does not attach to orapid 37", name)
		}
		if regexp.MustCompile(`(?i)set(ora|os)pid 34275448`).MatchString(script) {
			t.Errorf("%s attaches by the spid", name)
		}
	})
}

// TestProblemO18_NoAlterSystem: no script changes anything for the whole system.
func TestProblemO18_NoAlterSystem(t *testing.T) {
	everyScript(t, func(*plan.Request) {}, func(t *testing.T, name, script string) {
		for _, line := range commandLines(script) {
			for _, word := range []string{"alter system", "max_dump_file_size", "oradebug unlimit", "dbms_system"} {
				if strings.Contains(strings.ToLower(line), word) {
					t.Errorf("%s holds %q", name, line)
				}
			}
		}
		if strings.HasPrefix(name, "enable") && strings.Contains(script, "define rt=") && !strings.Contains(script, "MAX_DUMP_FILE_SIZE") {
			t.Errorf("%s does not say that a limit can cut what is written", name)
		}
	})
}

// TestProblemP02_PlainFiles: no byte order mark, LF, ASCII, in every file.
func TestProblemP02_PlainFiles(t *testing.T) {
	everyScript(t, func(r *plan.Request) { r.Sessions[0].Program = "\ufeffBj\u00f6rn\r\n" }, func(t *testing.T, name, script string) {
		checkForm(t, name, script)
		if !strings.HasSuffix(script, "\n") || strings.HasSuffix(script, "\n\n") {
			t.Errorf("%s does not end in one line end", name)
		}
	})
}

// TestProblemP10_EachCommandOnce: no slash repeats the buffer, and no
// terminator follows an oradebug command.
func TestProblemP10_EachCommandOnce(t *testing.T) {
	everyScript(t, func(*plan.Request) {}, func(t *testing.T, name, script string) {
		seen := map[string]int{}
		for i, line := range strings.Split(script, "\n") {
			if strings.TrimSpace(line) == "/" {
				t.Errorf("%s:%d is a lone slash", name, i+1)
			}
			if strings.HasPrefix(line, "oradebug") && strings.HasSuffix(line, ";") {
				t.Errorf("%s:%d ends in a terminator: %s", name, i+1, line)
			}
			if strings.HasPrefix(line, "oradebug setorapid ") {
				seen[line]++
			}
		}
		for line, n := range seen {
			if n != 1 {
				t.Errorf("%s: %q stands there %d times", name, line, n)
			}
		}
	})
}

// TestProblemP18_SelfContained: no &1, no parameter, no file called, no
// password asked for; whatever is substituted was defined before.
func TestProblemP18_SelfContained(t *testing.T) {
	everyScript(t, func(*plan.Request) {}, func(t *testing.T, name, script string) {
		define := "^"
		if m := regexp.MustCompile(`(?m)^set define (.)$`).FindStringSubmatch(script); m != nil {
			define = m[1]
		}
		use := regexp.MustCompile(regexp.QuoteMeta(define) + `+(\w+)`)
		defined := map[string]bool{}
		for i, line := range strings.Split(script, "\n") {
			if regexp.MustCompile(`(?i)^\s*(accept|connect|conn|@|start|host|!)`).MatchString(line) {
				t.Errorf("%s:%d needs something from outside: %s", name, i+1, line)
			}
			if m := regexp.MustCompile(`^define (\w+)=`).FindStringSubmatch(line); m != nil {
				defined[m[1]] = true
			}
			if strings.HasPrefix(line, "--") || strings.HasPrefix(line, "set define") {
				continue
			}
			if strings.HasPrefix(line, define) {
				t.Errorf("%s:%d begins with a substitution: %s", name, i+1, line)
			}
			for _, m := range use.FindAllStringSubmatch(line, -1) {
				if !defined[m[1]] {
					t.Errorf("%s:%d uses %s before it is defined: %s", name, i+1, m[1], line)
				}
			}
		}
		if strings.HasPrefix(name, "enable") && !strings.Contains(script, "select") {
			return // classic holds nothing to substitute
		}
		if len(defined) == 0 {
			t.Errorf("%s defines no variable: the test looks at nothing", name)
		}
	})
}

// TestProblemS06_SameSIDOnTwoInstances: each instance has its own script, and
// each script refuses the other instance.
func TestProblemS06_SameSIDOnTwoInstances(t *testing.T) {
	everyScript(t, func(r *plan.Request) {
		r.Sessions = []sessions.Session{r.Sessions[0], r.Sessions[3]}
	}, func(t *testing.T, name, script string) {
		one, two := strings.Contains(script, "setorapid 38"), strings.Contains(script, "setorapid 51")
		if strings.HasPrefix(name, "collect") {
			return
		}
		if want := strings.HasSuffix(name, "_1.sql"); one != want || two == want {
			t.Errorf("%s: attaches on instance 1 %v, on 2 %v", name, one, two)
		}
		if strings.Contains(script, "define rt=help") && !strings.Contains(script, "instance_number = "+name[len(name)-5:len(name)-4]) {
			t.Errorf("%s does not check the instance number", name)
		}
	})
}

// TestProblemS05_ScriptPerInstance: sessions on two instances: two scripts.
func TestProblemS05_ScriptPerInstance(t *testing.T) {
	dir := t.TempDir()
	if _, err := spool.Write(context.Background(), mustPlan(t, sampleRequest()), mustTemplates(t), spool.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"enable_1.sql", "enable_2.sql"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	var b bytes.Buffer
	err := spool.Print(context.Background(), &b, mustPlan(t, sampleRequest()), mustTemplates(t), nil)
	if exit.CodeOf(err) != exit.Usage || b.Len() != 0 {
		t.Errorf("two instances on one stream: %v, %d bytes", err, b.Len())
	}
	req := sampleRequest()
	req.Sessions, req.Split = req.Sessions[:3], 2
	if err := spool.Print(context.Background(), &b, mustPlan(t, req), mustTemplates(t), nil); exit.CodeOf(err) != exit.Usage || b.Len() != 0 {
		t.Errorf("two parts on one stream: %v, %d bytes", err, b.Len())
	}
	req.Split = 0
	if err := spool.Print(context.Background(), &b, mustPlan(t, req), mustTemplates(t), nil); err != nil {
		t.Fatal(err)
	}
	if found, ok := spool.VerifyChecksum(b.Bytes()); !found || !ok {
		t.Error("the printed script has no right checksum")
	}
}

func TestManifestAgreesWithTheFiles(t *testing.T) {
	req := sampleRequest()
	req.Split = 2
	dir := t.TempDir()
	files, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var m spool.Manifest
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, spool.ManifestName))), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 9 || len(files) != 10 || len(m.Sessions) != 4 || m.MemoryBytes != 4*256000 {
		t.Errorf("%d files listed, %d written, %d sessions, %d bytes", len(m.Files), len(files), len(m.Sessions), m.MemoryBytes)
	}
	for _, f := range m.Files {
		got := readFile(t, filepath.Join(dir, f.Name))
		if f.SHA256 != sha256Hex(got) || f.Bytes != int64(len(got)) {
			t.Errorf("%s: manifest has %s %d, the file %s %d", f.Name, f.SHA256, f.Bytes, sha256Hex(got), len(got))
		}
	}
	if s := m.Sessions[2]; s.File != "enable_1_02.sql" || s.Block != 1 || s.SID != 144 {
		t.Errorf("third session: %+v", s)
	}
}

// A changed line below the checksum line is noticed.
func TestChecksumNotices(t *testing.T) {
	dir := t.TempDir()
	if _, err := spool.Write(context.Background(), mustPlan(t, sampleRequest()), mustTemplates(t), spool.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	script := readFile(t, filepath.Join(dir, "enable_1.sql"))
	if found, ok := spool.VerifyChecksum([]byte(script)); !found || !ok {
		t.Fatal("checksum wrong as written")
	}
	for _, change := range [][2]string{{"setorapid 38", "setorapid 83"}, {"-- HOW TO UNDO IT", "-- HOW TO UNDO"}, {"\nexit\n", "\n"}} {
		changed := strings.Replace(script, change[0], change[1], 1)
		if changed == script {
			t.Fatalf("%q is not in the script", change[0])
		}
		if _, ok := spool.VerifyChecksum([]byte(changed)); ok {
			t.Errorf("%q changed to %q goes unnoticed", change[0], change[1])
		}
	}
}

// An interrupt in the middle of writing leaves nothing.
func TestInterruptLeavesNoHalfWrittenScript(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(context.Background())
	req := benchRequest(3000)
	p := mustPlan(t, req)
	set := mustTemplates(t)
	cancelWhenThere := make(chan struct{})
	go func() {
		defer close(cancelWhenThere)
		for ctx.Err() == nil {
			if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
				cancel()
			}
		}
	}()
	_, err := spool.Write(ctx, p, set, spool.Options{Dir: dir})
	cancel()
	<-cancelWhenThere
	if exit.CodeOf(err) != exit.Interrupted {
		t.Fatalf("error %v, code %d, want 130", err, exit.CodeOf(err))
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestExistingFilesAreKept(t *testing.T) {
	dir := t.TempDir()
	write := func(force bool, edit func(*plan.Request)) error {
		req := sampleRequest()
		edit(&req)
		_, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir, Force: force})
		return err
	}
	if err := write(false, func(*plan.Request) {}); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, filepath.Join(dir, "enable_1.sql"))
	other := func(r *plan.Request) { r.Options.Ora = []int{600} }
	if err := write(false, other); exit.CodeOf(err) != exit.Refused {
		t.Fatalf("second run: %v", err)
	}
	if got := readFile(t, filepath.Join(dir, "enable_1.sql")); got != before {
		t.Error("the second run changed a file")
	}
	if err := write(true, other); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(dir, "enable_1.sql")); got == before {
		t.Error("--force did not replace the file")
	}
}
