package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

// contractVerbs are the verbs that the contract names, built or not.
var contractVerbs = strings.Fields("sessions generate lint explain enable disable status watch flush collect report estimate timing " +
	"overhead rehearse drill sim demo doctor campaigns templates config completion man version")

func scriptingPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/scripting.md")
	must(t, err)
	return string(page)
}

// section returns the text below a heading, up to the next of its level or
// above.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	level := strings.IndexByte(heading, ' ')
	_, text, ok := strings.Cut("\n"+page, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	if end := regexp.MustCompile(fmt.Sprintf(`\n#{1,%d} `, level)).FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return text
}

// tableRows returns the cells of a table's body, without backquotes.
func tableRows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") {
			continue
		}
		var cells []string
		for _, c := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(c), "`", ""))
		}
		rows = append(rows, cells)
	}
	if len(rows) > 0 {
		rows = rows[1:] // the head
	}
	return rows
}

func TestScriptingExitCodes(t *testing.T) {
	text := section(t, scriptingPage(t), "## Exit codes")
	var want [][]string
	for _, m := range exitMeanings {
		want = append(want, []string{fmt.Sprint(int(m.Code)), m.Code.Name(), m.Meaning})
	}
	if got := tableRows(text); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the table is\n%v\nthe program has\n%v", got, want)
	}
	_, order, _ := strings.Cut(text, "the first of these is the code: ")
	order, _, _ = strings.Cut(order, ".")
	var codes []exit.Code
	for _, s := range strings.Split(order, ", ") {
		n, err := strconv.Atoi(s)
		must(t, err)
		codes = append(codes, exit.Code(n))
	}
	if len(codes) != len(exitMeanings)-1 {
		t.Fatalf("the order has %d codes", len(codes))
	}
	for i, c := range codes[1:] {
		if got := exit.Worst(c, codes[i]); got != codes[i] {
			t.Errorf("of %d and %d the program ends with %d", codes[i], c, got)
		}
	}
}

func TestScriptingVerbs(t *testing.T) {
	here := map[string]bool{}
	for _, path := range realTree().paths()[1:] {
		here[path[1].Name] = true
	}
	listed := map[string]bool{}
	for _, row := range tableRows(section(t, scriptingPage(t), "## Verbs")) {
		if listed[row[0]] = true; !here[row[0]] {
			t.Errorf("docs/scripting.md lists %s, which is no verb", row[0])
		}
	}
	for _, verb := range append(slices.Sorted(maps.Keys(here)), contractVerbs...) {
		if !listed[verb] {
			t.Errorf("docs/scripting.md does not list %s", verb)
		}
	}
}

func TestScriptingGlobalFlags(t *testing.T) {
	tr := realTree()
	var want [][]string
	for _, spec := range tr.root.Flags {
		if spec == tr.version {
			continue
		}
		names := "--" + spec.Name()
		for _, n := range spec.Names[1:] {
			names += ", -" + n
		}
		want = append(want, []string{names, envName(tr.paths()[0], spec.Name())})
	}
	if got := tableRows(section(t, scriptingPage(t), "### Global flags")); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the table is\n%v\nthe program has\n%v", got, want)
	}
}

// TestScriptingNamesOnlyFlagsThatExist: a flag that the page names is in the
// program.
func TestScriptingNamesOnlyFlagsThatExist(t *testing.T) {
	known := map[string]bool{"help": true, "name": true, "x": true, "no-x": true}
	tr := realTree()
	for _, path := range tr.paths() {
		for _, spec := range path[len(path)-1].Flags {
			known[spec.Name()] = true
			if spec.OnOff {
				known["no-"+spec.Name()] = true
			}
		}
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`--([a-z][a-z-]*)`).FindAllStringSubmatch(scriptingPage(t), -1) {
		named[m[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if !known[name] {
			t.Errorf("docs/scripting.md names --%s, which no verb has", name)
		}
	}
	if len(named) < 20 {
		t.Errorf("only %d flags found on the page", len(named))
	}
}

// jsonBlocks returns the examples on the page by the word behind ```json.
func jsonBlocks(t *testing.T, page string) map[string]any {
	t.Helper()
	blocks := map[string]any{}
	for _, m := range regexp.MustCompile("(?s)```json ([^\n]+)\n(.*?)\n```").FindAllStringSubmatch(page, -1) {
		var doc any
		if err := json.Unmarshal([]byte(m[2]), &doc); err != nil {
			t.Errorf("the example of %s is no JSON: %v", m[1], err)
			continue
		}
		blocks[m[1]] = doc
	}
	return blocks
}

// shapes lists the paths of a document with the type at each, e.g.
// ".sessions[].sid number"; a null matches any type and is not listed with one.
func shapes(doc any, at string, into map[string]string) {
	switch node := doc.(type) {
	case map[string]any:
		into[at] = "object"
		for key, inner := range node {
			shapes(inner, at+"."+key, into)
		}
	case []any:
		into[at] = "list"
		for _, inner := range node {
			shapes(inner, at+"[]", into)
		}
	case string:
		into[at] = "text"
	case float64:
		into[at] = "number"
	case bool:
		into[at] = "true or false"
	case nil:
		if into[at] == "" {
			into[at] = "null"
		}
	}
}

// TestScriptingJSON runs the verbs that are here and demands every field of
// the page's example, with its type.
func TestScriptingJSON(t *testing.T) {
	blocks := jsonBlocks(t, scriptingPage(t))
	dir := t.TempDir()
	inventory := dir + "/s.csv"
	writeAt(t, inventory, "sid,serial,orapid,process_serial,ospid,stid,username,service_name,program,module,machine,osuser,status,server,type,logon_time,con_name\n"+
		"10,100,38,5,4711,4711,APP,sales,app,m,web1,app,ACTIVE,DEDICATED,USER,2026-11-30T02:00:00Z,SALES\n"+
		"1,1,2,1,99,99,,,,,,,ACTIVE,DEDICATED,BACKGROUND,2026-11-30T02:00:00Z,\n")
	script, conf := dir+"/l.sql", dir+"/c.toml"
	trace, armed := dir+"/t.trc", dir+"/armed.sql"
	writeAt(t, trace, smallTrace)
	if result := runProgram(nil, "generate", "-c", "sim:", "--all-app", "--ora", "60", "--style", "classic", "--split", "0", "--out", "-"); result.code == 0 {
		writeAt(t, armed, result.stdout)
	} else {
		t.Fatalf("generate: %s", result.stderr)
	}
	pasted := dir + "/pg.txt"
	writeAt(t, pasted, "Per loop time including overhead: 35.96 ns\n  < us   % of total      count\n     1     96.40465   80435604\n     2      3.59518    2999652\n")
	writeAt(t, script, "oradebug setorapid 38\noradebug foo\n")
	writeAt(t, conf, "conect = 1\nquiet = true\n")
	cases := []struct {
		block string
		code  int
		args  []string
		// fields that this run cannot have, because its input has not got them
		absent []string
	}{
		{"error", 2, []string{"genrate"}, nil},
		{"sessions", 0, []string{"sessions", "-c", "file:" + inventory}, []string{".instances[]"}},
		{"generate", 0, []string{"generate", "-c", "file:" + inventory, "--all-app", "--ora", "1555", "--out", dir + "/out", "--purpose", "p"}, []string{".unverified[]"}},
		{"lint", 10, []string{"lint", script}, nil},
		{"explain", 0, []string{"explain", "60 trace name errorstack level 3"}, []string{".errors[]"}},
		{"report", 0, []string{"report", trace}, []string{".rings[]", ".problems[]"}},
		{"rehearse", 0, []string{"rehearse", armed}, nil},
		{"doctor", -1, []string{"doctor", "-c", "/"}, nil},
		{"config show", 0, []string{"config", "show", "--state-dir", dir}, nil},
		{"config check", 2, []string{"config", "check", "--config", conf}, nil},
		{"timing", 0, []string{"timing", "-d", "20ms", "--state-dir", dir + "/state"}, []string{".others[]", ".advice[]", ".clocksource.available[]"}},
		{"overhead", 0, []string{"overhead", "selftest", "--min-time", "1ms", "--dir", dir, "--state-dir", dir + "/state"}, []string{".tests[].warnings[]", ".tests[].states[].outliers[]"}},
		{"estimate", 0, []string{"estimate", "-c", "sim:?sessions=5", "--window", "100ms", "--windows", "1"}, []string{".sessions[].records[]"}},
		{"timing explain", 0, []string{"timing", "explain", pasted}, nil},
		{"version", 0, []string{"version"}, nil},
	}
	for _, c := range cases {
		t.Run(c.block, func(t *testing.T) {
			want := map[string]string{}
			if blocks[c.block] == nil {
				t.Fatalf("docs/scripting.md has no example of %s", c.block)
			}
			shapes(blocks[c.block], "", want)
			result := runProgram([]string{"HOME=" + dir}, append(c.args, "-o", "json")...)
			if result.code != c.code && c.code >= 0 {
				t.Fatalf("code %d\n%s", result.code, result.stderr)
			}
			printed := result.stdout
			if c.block == "error" {
				printed = result.stderr
			}
			var doc any
			if err := json.Unmarshal([]byte(printed), &doc); err != nil {
				t.Fatalf("%v in %q", err, printed)
			}
			got := map[string]string{}
			shapes(doc, "", got)
			for _, path := range slices.Sorted(maps.Keys(want)) {
				if slices.ContainsFunc(c.absent, func(a string) bool { return strings.HasPrefix(path, a) }) || strings.Contains(path, ".excluded.") {
					continue
				}
				switch has, ok := got[path]; {
				case !ok:
					t.Errorf("the page names %s, the program does not print it", path)
				case has != want[path] && has != "null" && want[path] != "null":
					t.Errorf("%s is %s on the page, %s in the program", path, want[path], has)
				}
			}
		})
	}
}

const smallTrace = `Trace file /u01/x_ora_4711.trc
Oracle Database 11g Enterprise Edition Release 11.2.0.2.0 - 64bit Production
Instance name: x
Oracle process number: 38
Unix process pid: 4711, image: oracle@db1

*** 2026-11-30 03:00:00.000
*** SESSION ID:(10.100) 2026-11-30 03:00:00.000

=====================
PARSING IN CURSOR #1 len=18 dep=0 uid=84 oct=3 lid=84 tim=1000000 hv=1 ad='7f' sqlid='9babjv8yq8ru3'
select * from dual
END OF STMT
PARSE #1:c=0,e=10,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=1,tim=1000010
EXEC #1:c=0,e=10,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1000030
WAIT #1: nam='SQL*Net message to client' ela= 2 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000040
FETCH #1:c=0,e=10,p=0,cr=3,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim=1000050
ERROR #1:err=1555 tim=1000060
XCTEND rlbk=0, rd_only=1, tim=1000070
`
