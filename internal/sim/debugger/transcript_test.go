package debugger

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sharedtest"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 535_000_000, time.UTC) }

func newDB(t *testing.T, name string, set assume.Set, options ...string) (*instance.Database, *instance.Session) {
	t.Helper()
	r, err := release.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	c := instance.Config{Release: r, Sessions: 20, Seed: 1, Now: fixedNow, Assume: set}
	for _, o := range options {
		switch o {
		case "windows":
			c.Windows = true
		case "rac":
			c.Instances = 2
		default:
			t.Fatalf("option %q", o)
		}
	}
	db := instance.New(c)
	db.Quiet(20)
	self, err := db.Logon(db.Instances[0], instance.Logon{User: "SYS", Sysdba: true, Bequeath: true, Program: "sqlplus"})
	if err != nil {
		t.Fatal(err)
	}
	return db, self
}

// player replays one transcript.
type player struct {
	db       *instance.Database
	g        *Debugger
	lastSpid string // of the app process, for {gone.spid}
}

// fill replaces {app.orapid} and the like.
func (p *player) fill(t *testing.T, s string) string {
	t.Helper()
	db, in := p.db, p.db.Instances[0]
	return regexp.MustCompile(`\{([A-Za-z0-9]+)(?:\.(\w+))?\}`).ReplaceAllStringFunc(s, func(m string) string {
		who, what, _ := strings.Cut(strings.Trim(m, "{}"), ".")
		switch who {
		case "host":
			return in.Host
		case "db":
			return strings.ToLower(db.UniqueName)
		case "inst":
			return in.Name
		case "processes":
			return fmt.Sprint(in.MaxProcs)
		case "gone": // the app process of before
			return p.lastSpid
		case "free":
			return fmt.Sprint(in.MaxProcs - 5)
		}
		var proc *instance.Process
		db.Locked(func() {
			for _, x := range in.Processes() {
				s := x.Session()
				if x.Pname == who || s != nil && (who == "app" && s.Username == "APP" || who == "px" && s.Username == "DSS") {
					if proc == nil {
						proc = x
					}
				}
			}
		})
		if proc == nil {
			t.Fatalf("nothing is called %s", m)
		}
		switch what {
		case "spid":
			if who == "app" {
				p.lastSpid = proc.Spid
			}
			return proc.Spid
		case "sid":
			return fmt.Sprint(proc.Session().SID)
		}
		return fmt.Sprint(proc.Orapid)
	})
}

// TestTranscripts replays the transcripts under testdata. They are written
// from the facts by hand; there is no way to update them from the output.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) { replay(t, f) })
	}
}

func replay(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{}
	var got []string
	skipTo := false
	checked := 0
	for n, line := range strings.Split(string(data), "\n") {
		at := fmt.Sprintf("%s:%d", file, n+1)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "release "):
			var self *instance.Session
			f := strings.Fields(line)
			p.db, self = newDB(t, f[1], assume.Set{}, f[2:]...)
			p.g = New(p.db, self)
		case strings.HasPrefix(line, "fault "):
			f, err := fault.Parse(p.fill(t, line[6:]))
			if err == nil {
				err = p.db.Fault(f)
			}
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
		case strings.HasPrefix(line, "> "):
			if len(got) > 0 {
				t.Errorf("%s: %d answer lines were not expected: %q", at, len(got), got)
			}
			got = p.g.Do(context.Background(), p.fill(t, line[2:])).Lines
			skipTo = false
		case line == "...":
			skipTo = true
		case strings.HasPrefix(line, "< "):
			want, source, ok := cutLast(line[2:], " | ")
			if !ok {
				t.Fatalf("%s: the expected line names no source", at)
			}
			checkSource(t, at, want, source)
			want = p.fill(t, want)
			for skipTo && len(got) > 0 && got[0] != want {
				got = got[1:]
			}
			skipTo = false
			if len(got) == 0 || got[0] != want {
				t.Fatalf("%s: got %q, want %q", at, got, want)
			}
			got = got[1:]
			checked++
		default:
			t.Fatalf("%s: not a transcript line: %q", at, line)
		}
	}
	if len(got) > 0 {
		t.Errorf("%s: answer lines left at the end: %q", file, got)
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// checkSource finds the expected line in the section of the facts it names,
// or its assumption in the list of assumptions.
func checkSource(t *testing.T, at, want, source string) {
	t.Helper()
	if name, ok := strings.CutPrefix(source, "assume:"); ok {
		if _, known := (assume.Set{}).With(assume.Switch(name), true); !known {
			t.Errorf("%s: there is no assumption %q", at, name)
		}
		return
	}
	file, section, ok := strings.Cut(source, " ")
	if !ok {
		t.Fatalf("%s: source %q is not FILE SECTION", at, source)
	}
	text, present := factSection(t, file, section)
	if !present {
		return // counted by TestFactsPresent
	}
	// A line with made-up numbers is proved by its longest fixed part; texts
	// of errors stand in the facts with their number in another column.
	fixed := longest(regexp.MustCompile(`\{[^}]*\}|\d{3,}|\[[^\]]*\]|"[^"]*"|ORA-\d+: `).Split(want, -1))
	for _, cut := range []string{fixed, strings.TrimPrefix(fixed, "command "), strings.Fields(fixed)[0]} {
		if strings.Contains(text, strings.TrimSpace(cut)) {
			return
		}
	}
	t.Errorf("%s: %q is not in facts/%s %s", at, fixed, file, section)
}

func longest(parts []string) string {
	best := ""
	for _, p := range parts {
		if p = strings.TrimSpace(p); len(p) > len(best) {
			best = p
		}
	}
	return best
}

// factSection returns the text of one numbered section.
func factSection(t *testing.T, file, section string) (string, bool) {
	t.Helper()
	data, err := os.ReadFile(sharedtest.Path(t, "facts", file))
	if err != nil {
		return "", false
	}
	head := regexp.MustCompile(`^#+ ` + regexp.QuoteMeta(section) + `(\.| |\b)`)
	var b strings.Builder
	in, level := false, 0
	for _, l := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(l, "#") {
			n := len(l) - len(strings.TrimLeft(l, "#"))
			if head.MatchString(l) {
				in, level = true, n
			} else if in && n <= level {
				break
			}
		}
		if in {
			b.WriteString(l + "\n")
		}
	}
	if b.Len() == 0 {
		t.Errorf("facts/%s has no section %s", file, section)
		return "", false
	}
	return b.String(), true
}

// TestFactsPresent says loudly when the facts are not there, so that the
// sources of the transcripts were not looked up.
func TestFactsPresent(t *testing.T) {
	sharedtest.Want(t, "the sources of all transcript lines were not checked", "facts", "oradebug.md")
}
