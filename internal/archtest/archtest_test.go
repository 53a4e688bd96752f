// Package archtest holds the layer rules of docs/adr as a test over
// `go list`: who may import whom, and who may reach what through others.
package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "ringtrace"

type pkg struct {
	ImportPath   string
	Standard     bool
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// listPackages asks the go command; a failure is a failed test, never a skip.
func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Standard,Imports,TestImports,XTestImports,Deps", module+"/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []pkg
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found only %d packages", len(pkgs))
	}
	return pkgs
}

// under reports whether path is dir or below it.
func under(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

func underAny(path string, dirs []string) bool {
	for _, d := range dirs {
		if under(path, module+"/"+d) {
			return true
		}
	}
	return false
}

func std(path string) bool {
	return !strings.Contains(strings.Split(path, "/")[0], ".") && !under(path, module)
}

// TestOnlyIn: a library has one home, so that it can be replaced there.
func TestOnlyIn(t *testing.T) {
	rules := []struct {
		imported string
		homes    []string
	}{
		{"github.com/urfave/cli", []string{"cmd"}},
		{"github.com/godror/godror", []string{"internal/oradb"}},
		{"github.com/Masterminds/sprig", []string{"templates"}},
		{"github.com/jackc/pgx", []string{"internal/overhead"}},
		{"modernc.org/sqlite", []string{"internal/sim"}},
		{"os/exec", []string{"internal/sqlplus", "internal/collect", "internal/sim", "cmd", "internal/archtest"}},
	}
	for _, p := range listPackages(t) {
		for _, imp := range p.Imports {
			for _, r := range rules {
				if under(imp, r.imported) && !underAny(p.ImportPath, r.homes) {
					t.Errorf("%s imports %s, which belongs to %v alone", p.ImportPath, imp, r.homes)
				}
			}
		}
	}
}

// TestStandardLibraryOnly: the pure layers can be read, tested and lifted out
// without anything else.
func TestStandardLibraryOnly(t *testing.T) {
	pure := []string{"oradebug", "tracefile", "internal/oraerr", "internal/journal", "internal/exit"}
	packages := listPackages(t)
	for _, dir := range pure {
		if !slices.ContainsFunc(packages, func(p pkg) bool { return p.ImportPath == module+"/"+dir }) {
			t.Errorf("%s is not there: name the layer as it is called now", dir)
		}
	}
	for _, p := range packages {
		if !underAny(p.ImportPath, pure) {
			continue
		}
		for _, imp := range p.Imports {
			if !std(imp) && !underAny(imp, pure) {
				t.Errorf("%s imports %s; it stays standard-library only", p.ImportPath, imp)
			}
		}
	}
}

// TestNobodyButCmdReachesTheSimulator, not even through a third package.
func TestNobodyButCmdReachesTheSimulator(t *testing.T) {
	for _, p := range listPackages(t) {
		if underAny(p.ImportPath, []string{"cmd", "internal/sim"}) {
			continue
		}
		for _, dep := range p.Deps {
			if under(dep, module+"/internal/sim") {
				t.Errorf("%s reaches %s; production packages never import the simulator", p.ImportPath, dep)
			}
		}
	}
}

// rank orders the layers; an arrow may only point to a lower or equal rank.
var rank = []struct {
	dir  string
	rank int
}{
	{"cmd", 100},
	{"examples", 100},
	{"internal/watch", 85},
	{"internal/drill", 85},
	{"internal/control", 80},
	{"internal/collect", 80},
	{"internal/report", 80},
	{"internal/overhead", 80},
	{"internal/estimate", 80},
	{"internal/sim", 80},
	{"internal/campaigns", 70},
	{"internal/spool", 70},
	{"internal/styles", 75},
	{"internal/tmplcheck", 70},
	{"lint", 60},
	{"internal/sight", 50},
	{"internal/plan", 45},
	{"internal/oradb", 40},
	{"internal/sqlplus", 40},
	{"internal/connect", 35},
	{"internal/bundle", 35},
	{"internal/journal", 30},
	{"sessions", 30},
	{"templates", 30},
	{"internal/clock", 30},
	{"internal/stats", 20},
	{"tracefile", 20},
	{"internal/explain", 20},
	{"oradebug", 15},
	{"internal/oraerr", 10},
	{"internal/atomicfile", 10},
	{"internal/argv", 10},
	{"internal/config", 10},
	{"internal/quantity", 10},
	{"internal/shell", 0},
	{"internal/jsontext", 0},
	{"internal/exit", 0},
	{"internal/sharedtest", 0},
}

func rankOf(path string) (int, bool) {
	best, found, length := 0, false, -1
	for _, r := range rank {
		if under(path, module+"/"+r.dir) && len(r.dir) > length {
			best, found, length = r.rank, true, len(r.dir)
		}
	}
	return best, found
}

// TestArrowsRunDownward keeps cmd → control, collect, report, sim → plan,
// journal, sqlplus, oradb → sessions, templates, tracefile → oradebug.
func TestArrowsRunDownward(t *testing.T) {
	for _, p := range listPackages(t) {
		from, ok := rankOf(p.ImportPath)
		if !ok {
			if p.ImportPath != module+"/internal/archtest" {
				t.Errorf("%s has no rank; give it one in internal/archtest", p.ImportPath)
			}
			continue
		}
		for _, imp := range p.Imports {
			to, ok := rankOf(imp)
			if !ok {
				continue
			}
			same := strings.SplitN(strings.TrimPrefix(p.ImportPath, module+"/internal/"), "/", 2)[0] ==
				strings.SplitN(strings.TrimPrefix(imp, module+"/internal/"), "/", 2)[0]
			if to > from || (to == from && !same && from == 80) {
				t.Errorf("%s (rank %d) imports %s (rank %d): arrows run downward", p.ImportPath, from, imp, to)
			}
		}
	}
}

// TestReferenceReaderSharesNoCode: the reference reader that checks tracefile
// must not share its code, or a shared mistake would be invisible.
func TestReferenceReaderSharesNoCode(t *testing.T) {
	found := false
	for _, p := range listPackages(t) {
		if !strings.HasSuffix(p.ImportPath, "/reftest") {
			continue
		}
		found = true
		for _, dep := range p.Deps {
			if under(dep, module+"/tracefile") && dep != p.ImportPath {
				t.Errorf("%s reaches %s; the reference is written from the facts alone", p.ImportPath, dep)
			}
		}
	}
	if !found {
		t.Error("there is no reference reader")
	}
}
