package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// patient builds a machine for the doctor: a directory with the given files
// (a name that ends in / is a directory, a * after it an executable), and
// variables in which $D stands for that directory.
func patient(t *testing.T, files []string, environ ...string) *doctor {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		path := filepath.Join(dir, strings.TrimSuffix(name, "*"))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, "*") {
			mode = 0o755
		}
		must(t, os.WriteFile(path, []byte("x"), mode))
	}
	seen := []string{"HOME=" + dir, "D=" + dir}
	for _, e := range environ {
		seen = append(seen, strings.ReplaceAll(e, "$D", dir))
	}
	rt := newRuntime(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, seen, testNow)
	d := &doctor{rt: rt, ldconfig: func(context.Context) []loaderLibrary { return nil }}
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seen returns the lines of a check as "status value: message | hint", with
// the patient's directory written $D.
func (d *doctor) seen(check string) []string {
	var got []string
	for _, l := range d.lines {
		if l.Check != check {
			continue
		}
		text := l.Status
		if l.Value != nil {
			text += " " + *l.Value + ":"
		}
		text += " " + l.Message
		if l.Hint != "" {
			text += " | " + l.Hint
		}
		got = append(got, strings.ReplaceAll(text, d.rt.getenv("D"), "$D"))
	}
	return got
}

func (d *doctor) expect(t *testing.T, check string, want ...string) {
	t.Helper()
	if got := d.seen(check); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", check, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, l := range d.lines {
		if (l.Status == statusOK) != (l.Hint == "") {
			t.Errorf("%s is %s with hint %q", l.Check, l.Status, l.Hint)
		}
	}
}

func TestDoctorSqlplus(t *testing.T) {
	missing := "sqlplus was found neither in $ORACLE_HOME/bin nor on PATH | set ORACLE_HOME (. oraenv), or give --sqlplus FILE; without Oracle, work on an inventory with -c file:sessions.csv or try -c sim:"
	files := []string{"home/bin/sqlplus*", "path/sqlplus*", "own/sqlplus*", "plain/sqlplus", "dir/sqlplus/"}
	cases := []struct {
		name, given, connect string
		environ              []string
		want                 string
	}{
		{"nowhere", "", "", []string{"PATH=$D/none"}, "warn " + missing},
		{"nowhere, but a local connection needs it", "", "/ as sysdba", nil, "fail " + missing},
		{"on PATH", "", "", []string{"PATH=$D/none:$D/path"}, "ok $D/path/sqlplus: found by PATH"},
		{"in ORACLE_HOME first", "", "", []string{"PATH=$D/path", "ORACLE_HOME=$D/home"}, "ok $D/home/bin/sqlplus: found by $ORACLE_HOME/bin"},
		{"ORACLE_HOME without it", "", "", []string{"PATH=$D/path", "ORACLE_HOME=$D/own"}, "ok $D/path/sqlplus: found by PATH"},
		{"given", "own/sqlplus", "", []string{"PATH=$D/path", "ORACLE_HOME=$D/home"}, "ok $D/own/sqlplus: found by --sqlplus"},
		{"given but missing", "none", "", []string{"PATH=$D/path"}, "fail --sqlplus $D/none is no program | give --sqlplus FILE of a program that you may run"},
		{"given but a directory", "dir", "", nil, "fail --sqlplus $D/dir is no program | give --sqlplus FILE of a program that you may run"},
		{"not executable, directory, relative", "", "", []string{"PATH=$D/plain:$D/dir:.::path"}, "warn " + missing},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := patient(t, files, c.environ...)
			d.rt.connect = c.connect
			if c.given != "" {
				d.sqlplus = filepath.Join(d.rt.getenv("D"), c.given)
			}
			d.checkSqlplus(t.Context())
			d.expect(t, "sqlplus", c.want)
		})
	}
}

func TestDoctorHomeOfSqlplus(t *testing.T) {
	files := []string{"a/bin/sqlplus*", "a/sqlplus/mesg/", "b/bin/", "ic/sqlplus*"}
	d := patient(t, files, "PATH=$D/a/bin")
	d.checkSqlplus(t.Context())
	d.expect(t, "home of sqlplus", "warn $D/a: ORACLE_HOME is not set; this sqlplus would end with Error 6 or SP2-0750 | type: export ORACLE_HOME=$D/a")
	d = patient(t, files, "PATH=$D/a/bin", "ORACLE_HOME=$D/b")
	d.checkSqlplus(t.Context())
	d.expect(t, "home of sqlplus", "warn $D/a: ORACLE_HOME is another home ($D/b); sqlplus may end with Error 6 or SP2-0667 | type: export ORACLE_HOME=$D/a\nor give --sqlplus $D/b/bin/sqlplus")
	for _, environ := range [][]string{{"PATH=$D/a/bin", "ORACLE_HOME=$D/a/"}, {"PATH=$D/ic"}} {
		d = patient(t, files, environ...)
		d.checkSqlplus(t.Context())
		d.expect(t, "home of sqlplus")
	}
}

// self returns a real shared object's or program's path: the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	must(t, err)
	return path
}

func TestDoctorClientLibrary(t *testing.T) {
	elfFile, err := os.ReadFile(self(t))
	must(t, err)
	put := func(d *doctor, name string) string {
		path := filepath.Join(d.rt.getenv("D"), name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, elfFile, 0o755))
		return path
	}
	if !cgoBuild {
		t.Skip("SKIPPED (1): without cgo no client library is needed")
	}
	const check = "client library"

	d := patient(t, nil, "LD_LIBRARY_PATH=$D/none")
	d.checkClient(t.Context())
	if got := d.seen(check); len(got) != 1 || !strings.HasPrefix(got[0], "warn no libclntsh.so") || !strings.Contains(got[0], "export LD_LIBRARY_PATH=") || !strings.Contains(got[0], "--via sqlplus") {
		t.Errorf("nowhere: %q", got)
	}

	d = patient(t, nil, "LD_LIBRARY_PATH=$D/ld:$D/ld2", "ORACLE_HOME=$D/home")
	put(d, "ld2/libclntsh.so.19.1")
	put(d, "cache/libclntsh.so.21.1")
	put(d, "home/lib/libclntsh.so")
	d.ldconfig = func(context.Context) []loaderLibrary {
		return []loaderLibrary{{"libc.so.6", "/x"}, {"libclntsh.so.21.1", d.rt.getenv("D") + "/cache/libclntsh.so.21.1"}}
	}
	d.checkClient(t.Context())
	d.expect(t, check,
		"ok $D/ld2/libclntsh.so.19.1: found by LD_LIBRARY_PATH, release 19.1",
		"ok $D/cache/libclntsh.so.21.1: also found, by the loader's cache; the one above wins",
		"ok $D/home/lib/libclntsh.so: also found, by $ORACLE_HOME/lib; the one above wins")

	// The unversioned name is asked for first, wherever it is; a link to a
	// library is the library.
	d = patient(t, nil, "LD_LIBRARY_PATH=$D/a:$D/b")
	put(d, "a/libclntsh.so.19.1")
	put(d, "b/libclntsh.so.23.1")
	must(t, os.Symlink("libclntsh.so.23.1", filepath.Join(d.rt.getenv("D"), "b/libclntsh.so")))
	must(t, os.Symlink("../a/libclntsh.so.19.1", filepath.Join(d.rt.getenv("D"), "b/libclntsh.so.18.1")))
	d.checkClient(t.Context())
	d.expect(t, check,
		"ok $D/b/libclntsh.so: found by LD_LIBRARY_PATH, release 23.1",
		"ok $D/a/libclntsh.so.19.1: also found, by LD_LIBRARY_PATH; the one above wins")

	d = patient(t, nil, "ORACLE_HOME=$D/home")
	put(d, "home/lib/libclntsh.so")
	d.checkClient(t.Context())
	d.expect(t, check, "warn $D/home/lib/libclntsh.so: found by $ORACLE_HOME/lib only; the loader does not look there for the libraries that it needs in turn | type: export LD_LIBRARY_PATH=$D/home/lib")

	// A client that the driver refuses, although its library is found and fits.
	d = patient(t, nil, "LD_LIBRARY_PATH=$D/old")
	put(d, "old/libclntsh.so.12.1")
	must(t, os.Symlink("libclntsh.so.12.1", filepath.Join(d.rt.getenv("D"), "old/libclntsh.so")))
	d.checkClient(context.Background())
	d.expect(t, check, "warn $D/old/libclntsh.so: found by LD_LIBRARY_PATH, release 12.1: too old for godror, which would end with DPI-1050 (it needs 19.1 or later) | put the directory of a newer client first in LD_LIBRARY_PATH\nor go through sqlplus: --via sqlplus")

	d = patient(t, []string{"ld/libclntsh.so"}, "LD_LIBRARY_PATH=$D/ld")
	d.checkClient(t.Context())
	if got := d.seen(check); len(got) != 1 || !strings.HasPrefix(got[0], "warn $D/ld/libclntsh.so: found by LD_LIBRARY_PATH, but it is no shared library") {
		t.Errorf("no ELF file: %q", got)
	}

	foreign := bytes.Clone(elfFile)
	foreign[18], foreign[19] = 0xf3, 0 // e_machine: EM_RISCV
	d = patient(t, nil, "LD_LIBRARY_PATH=$D/ld")
	must(t, os.WriteFile(put(d, "ld/libclntsh.so"), foreign, 0o755))
	d.checkClient(t.Context())
	if got := d.seen(check); len(got) != 1 || !strings.Contains(got[0], "another machine (EM_RISCV") {
		t.Errorf("another machine: %q", got)
	}
}

func TestParseLdconfig(t *testing.T) {
	got := parseLdconfig("3 libs found in cache `/etc/ld.so.cache'\n\tliba.so.1 (libc6,x86-64) => /lib/liba.so.1\n\tlibclntsh.so (libc6,x86-64, OS ABI: Linux 3.2.0) => /opt/a b/libclntsh.so\nCache generated by: ldconfig\n")
	want := []loaderLibrary{{"liba.so.1", "/lib/liba.so.1"}, {"libclntsh.so", "/opt/a b/libclntsh.so"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDoctorOracleVariables(t *testing.T) {
	files := []string{"home/", "tns/tnsnames.ora", "empty/", "sql/login.sql", "lib/"}
	cases := []struct {
		environ     []string
		check, want string
	}{
		{nil, "ORACLE_HOME", "ok not set; only a local connection (/) and a full Oracle home need it"},
		{[]string{"ORACLE_HOME=home"}, "ORACLE_HOME", "fail home: is not an absolute path | set it with . oraenv"},
		{[]string{"ORACLE_HOME=$D/none"}, "ORACLE_HOME", "fail $D/none: is no directory | set it with . oraenv, or type: unset ORACLE_HOME"},
		{[]string{"ORACLE_HOME=$D/home"}, "ORACLE_HOME", "ok $D/home: sqlplus is looked up in its bin, the client library in its lib"},
		{nil, "ORACLE_SID", "ok not set; only a local connection (/) needs it"},
		{[]string{"ORACLE_SID=PROD1"}, "ORACLE_SID", "ok PROD1: the instance of a local connection (/)"},
		{[]string{"ORACLE_SID=PROD1", "TWO_TASK=far"}, "ORACLE_SID", "ok PROD1: loses against TWO_TASK"},
		{[]string{"ORACLE_SID=PROD1", "TWO_TASK=far"}, "TWO_TASK", "warn far: wins over ORACLE_SID: sqlplus takes a connection without @ to this alias, through the listener | type: unset TWO_TASK"},
		{nil, "TWO_TASK", "ok not set"},
		{nil, "TNS_ADMIN", "ok not set; connect without an alias: user@host:port/service"},
		{[]string{"ORACLE_HOME=/oh"}, "TNS_ADMIN", "ok not set; aliases are looked up in /oh/network/admin"},
		{[]string{"TNS_ADMIN=$D/tns"}, "TNS_ADMIN", "ok $D/tns: wins over $ORACLE_HOME/network/admin"},
		{[]string{"TNS_ADMIN=$D/empty"}, "TNS_ADMIN", "warn $D/empty: holds neither tnsnames.ora nor sqlnet.ora, and wins over $ORACLE_HOME/network/admin | give the directory that holds tnsnames.ora, or connect with user@host:port/service"},
		{[]string{"TNS_ADMIN=$D/none"}, "TNS_ADMIN", "fail $D/none: is no directory: no alias would be found (ORA-12154) | type: unset TNS_ADMIN, or give the directory that holds tnsnames.ora"},
		{[]string{"LD_LIBRARY_PATH=$D/lib"}, "LD_LIBRARY_PATH", "ok $D/lib: searched before the loader's cache"},
		{[]string{"LD_LIBRARY_PATH=$D/lib:$D/none:$D/no"}, "LD_LIBRARY_PATH", "warn $D/lib:$D/none:$D/no: names what is no directory: $D/none, $D/no | take it out, or set it with . oraenv"},
		{[]string{"LD_LIBRARY_PATH=$D/lib:"}, "LD_LIBRARY_PATH", "warn $D/lib:: has an empty element, which means the working directory | take the stray colon out"},
		{[]string{"NLS_LANG=GERMAN_GERMANY.UTF8"}, "NLS_LANG", "ok GERMAN_GERMANY.UTF8: heeded by godror; sqlplus is started with AMERICAN_AMERICA.AL32UTF8, because its messages are read"},
		{[]string{"SQLPATH=$D/empty"}, "SQLPATH", "ok $D/empty: taken from the sqlplus that ringtrace starts"},
		{[]string{"ORACLE_PATH=$D/empty:$D/sql"}, "ORACLE_PATH", "warn $D/empty:$D/sql: taken from the sqlplus that ringtrace starts; but a script that you start by hand first runs $D/sql/login.sql | type: unset ORACLE_PATH, before you start a generated script with sqlplus"},
	}
	for _, c := range cases {
		d := patient(t, files, c.environ...)
		d.checkOracleVariables()
		d.expect(t, c.check, c.want)
	}
}

// P15: "/ as sysdba" goes elsewhere, or nowhere, and the message names the
// variables seen.
func TestProblemP15_DoctorNamesTheVariables(t *testing.T) {
	d := patient(t, nil, "ORACLE_SID=PROD1", "TWO_TASK=far")
	d.rt.connect = "/ as sysdba"
	d.checkConnection()
	got := strings.Join(d.seen("connection"), "\n")
	for _, want := range []string{"warn / as sysdba: TWO_TASK=far is set", "type: unset TWO_TASK"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	d = patient(t, nil, "TWO_TASK=", "ORACLE_SID=PROD1")
	d.rt.connect = "/ as sysdba"
	d.checkConnection()
	d.expect(t, "connection", "ok / as sysdba: understood")
	d = patient(t, nil)
	d.rt.connect = "/"
	d.checkConnection()
	if got := d.seen("connection"); len(got) != 1 || !strings.Contains(got[0], "ORACLE_SID unset") || !strings.HasPrefix(got[0], "warn / as sysdba: ORACLE_SID is not set") {
		t.Errorf("without ORACLE_SID: %q", got)
	}
}

func TestDoctorConnection(t *testing.T) {
	d := patient(t, nil)
	d.checkConnection()
	d.expect(t, "connection", "ok none given; -c TARGET has it examined too")
	d = patient(t, nil)
	d.rt.connect = "scott/tiger@db"
	d.checkConnection()
	if got := d.seen("connection"); len(got) != 1 || !strings.HasPrefix(got[0], "fail scott/***@db: ") || strings.Contains(got[0], "tiger") {
		t.Errorf("password: %q", got)
	}
}

func TestDoctorOwnVariables(t *testing.T) {
	d := runDoctor(t, []string{
		"RINGTRACE_PASSWORD=geheim", "RINGTRACE_PASSWORD_2=geheim", "RINGTRACE_OUTPUT=json", "RINGTRACE_DOCTOR_SQLPLUS=/x",
		"RINGTRACE_SQLPLUS=/y", "RINGTRACE_OUTPTU=x", "RINGTRACE_ZZZ=x", "RINGTRACE_MY_TOKEN=geheim", "RINGTRACE_YES=maybe", "RINGTRACE_QUIET=",
		"RINGTRACE_CONNECT=a/geheim@b", "OTHER=x",
	}, "doctor", "-o", "json")
	want := map[string]string{
		"RINGTRACE_PASSWORD":       "ok ***: the password of the main connection; no child process sees it",
		"RINGTRACE_PASSWORD_2":     "ok ***: the password of --instance-connect 2; no child process sees it",
		"RINGTRACE_OUTPUT":         "ok json: sets --output of every verb, but the flag on this command line wins",
		"RINGTRACE_DOCTOR_SQLPLUS": "ok /x: sets --sqlplus of doctor",
		"RINGTRACE_SQLPLUS":        "ok /y: sets --sqlplus of every verb that has it",
		"RINGTRACE_OUTPTU":         "warn x: sets nothing | did you mean RINGTRACE_OUTPUT?",
		"RINGTRACE_ZZZ":            "warn x: sets nothing | take it out; `ringtrace config show --all -o json` lists the names",
		"RINGTRACE_MY_TOKEN":       "warn ***: sets nothing | take it out; `ringtrace config show --all -o json` lists the names",
		"RINGTRACE_YES":            "fail maybe: RINGTRACE_YES: \"maybe\" is not true or false | write true or false",
		"RINGTRACE_CONNECT":        "ok a/***@b: sets --connect of every verb",
	}
	for check, line := range want {
		d.expect(t, check, line)
	}
	for _, absent := range []string{"RINGTRACE_QUIET", "OTHER"} {
		d.expect(t, absent)
	}
}

// runDoctor runs the program and reads its JSON back.
func runDoctor(t *testing.T, environ []string, args ...string) *doctor {
	t.Helper()
	dir := t.TempDir()
	result := runProgram(append(environ, "HOME="+dir), args...)
	if strings.Contains(result.stdout+result.stderr, "geheim") {
		t.Errorf("a secret is shown:\n%s%s", result.stdout, result.stderr)
	}
	var doc struct {
		Lines   []doctorLine
		Summary map[string]int
	}
	if err := json.Unmarshal([]byte(result.stdout), &doc); err != nil {
		t.Fatalf("%v in %q, stderr %q", err, result.stdout, result.stderr)
	}
	count := map[string]int{}
	for _, l := range doc.Lines {
		count[l.Status]++
	}
	if count[statusOK] != doc.Summary["ok"] || count[statusWarn] != doc.Summary["warn"] || count[statusFail] != doc.Summary["fail"] {
		t.Errorf("summary %v, counted %v", doc.Summary, count)
	}
	if (result.code != int(exit.OK)) != (count[statusFail] > 0) {
		t.Errorf("code %d with %d fails", result.code, count[statusFail])
	}
	return &doctor{rt: newRuntime(nil, nil, nil, []string{"D=" + dir}, testNow), lines: doc.Lines}
}

func TestDoctorConfigAndState(t *testing.T) {
	d := runDoctor(t, nil, "doctor", "-o", "json")
	d.expect(t, "config file", "ok $D/.config/ringtrace/config.toml: not there, and need not be")
	d.expect(t, "state directory", "ok $D/.local/state/ringtrace: not there; made with mode 0700 when first needed")

	conf := writeFile(t, "c.toml", "conect = 1\n")
	d = runDoctor(t, nil, "doctor", "-o", "json", "--config", conf)
	d.expect(t, "config file", "fail "+conf+`:1: unknown key "conect" | did you mean connect?`)

	conf = writeFile(t, "c.toml", "quiet = true\n")
	must(t, os.Chmod(conf, 0o666))
	state := t.TempDir()
	must(t, os.Chmod(state, 0o755))
	d = runDoctor(t, nil, "doctor", "-o", "json", "--config", conf, "--state-dir", state)
	d.expect(t, "config file", "warn "+conf+": mode 0666: others can change what ringtrace does here | type: chmod go-w "+conf)
	d.expect(t, "state directory", "warn "+state+": mode 0755: other users can see or change journals | type: chmod 700 "+state)
	if left, _ := os.ReadDir(state); len(left) > 0 {
		t.Errorf("doctor left %v", left)
	}
	must(t, os.Chmod(state, 0o700))
	d = runDoctor(t, nil, "doctor", "-o", "json", "--state-dir", state)
	d.expect(t, "state directory", "ok "+state+": mode 0700, writable")
	d = runDoctor(t, nil, "doctor", "-o", "json", "--state-dir", conf)
	d.expect(t, "state directory", "fail "+conf+": is a file | give --state-dir DIR of a directory")
}

func TestDoctorText(t *testing.T) {
	result := runProgram([]string{"HOME=" + t.TempDir(), "ORACLE_HOME=/n\x1b[31mone"}, "doctor")
	if result.code != 1 || !strings.Contains(result.stdout, "fail  ORACLE_HOME") || strings.Contains(result.stdout, "\x1b") || !strings.Contains(result.stdout, "→ set it with . oraenv") {
		t.Errorf("code %d\n%s", result.code, result.stdout)
	}
	if !strings.Contains(result.stderr, "checks failed") {
		t.Errorf("stderr %q", result.stderr)
	}
}

func TestDoctorDatabase(t *testing.T) {
	d := runDoctor(t, nil, "doctor", "-o", "json", "-c", "sim:?seed=1&sessions=60&release=19c")
	if got := d.seen("database"); len(got) != 1 || !strings.HasPrefix(got[0], "ok ") || !strings.Contains(got[0], "release 19.") {
		t.Errorf("database: %q", got)
	}
	if got := d.seen("sessions"); len(got) != 1 || !strings.HasPrefix(got[0], "ok 60 of ") {
		t.Errorf("sessions: %q", got)
	}
	d = runDoctor(t, nil, "doctor", "-o", "json", "-c", "sim:nowhere")
	if got := d.seen("database"); len(got) != 1 || !strings.HasPrefix(got[0], "fail sim:nowhere: ") {
		t.Errorf("no simulated instance there: %q", got)
	}
	// Without a terminal nobody can type a password: told, not asked.
	d = runDoctor(t, nil, "doctor", "-o", "json", "-c", "scott@db1:1521/sales")
	if got := d.seen("database"); len(got) != 1 || !strings.Contains(got[0], "no terminal to ask for the password") || !strings.Contains(got[0], "RINGTRACE_PASSWORD") {
		t.Errorf("no password: %q", got)
	}
	d.expect(t, "sysdba", "warn not asked for: sessions can be listed and scripts generated, but not armed from here | type: -c 'scott@db1:1521/sales as sysdba', or have a DBA run the generated scripts")
	d = runDoctor(t, []string{"ORACLE_SID=x"}, "doctor", "-o", "json", "-c", "file:s.csv")
	d.expect(t, "database")
	d = runDoctor(t, []string{"ORACLE_SID=x"}, "doctor", "-o", "json", "-c", "/")
	if got := d.seen("database"); len(got) != 1 || !strings.HasPrefix(got[0], "fail / as sysdba: sqlplus was found neither") {
		t.Errorf("a local connection without sqlplus: %q", got)
	}
}

// A password in -c is wrong usage for every verb: doctor explains it, and ends as
// the others do.
func TestDoctorRefusesAPasswordInTheConnection(t *testing.T) {
	for _, c := range []struct {
		connect string
		code    exit.Code
	}{
		{"sys/geheim@db1:1521/sales as sysdba", exit.Usage},
		{"sys/geheim", exit.Usage},
		{"a b c", exit.Failed},
	} {
		o := runProgram([]string{"HOME=" + t.TempDir()}, "doctor", "-c", c.connect)
		if o.code != int(c.code) || !strings.Contains(o.stdout, "\nfail  connection") || strings.Contains(o.stdout+o.stderr, "geheim") {
			t.Errorf("-c %q: code %d, want %d\n%s%s", c.connect, o.code, c.code, o.stdout, o.stderr)
		}
	}
}

// TestDoctorDumpFileSize: a limit cuts a trace off up to 11.2 and where it is
// small; from 12.1 on the middle goes (facts/views-and-sqlplus.md 4.2).
func TestDoctorDumpFileSize(t *testing.T) {
	for _, c := range []struct{ version, value, want string }{
		{"11.2.0.4.0", "1G", "warn 1G: a trace file ends after 1073741824 bytes"},
		{"12.1.0.2.0", "10M", "warn 10M: a trace file ends after 10485760 bytes"},
		{"23.0.0.0.0", "32M", "warn 32M: a process keeps its first segment of 6.4 MiB and the newest ones"},
		{"23.0.0.0.0", "1G", "ok 1G: a process keeps its first segment of 204.8 MiB and the newest ones"},
		{"19.0.0.0.0", "UNLIMITED", "ok UNLIMITED: trace files are not cut off"},
	} {
		release, err := sessions.ParseRelease(c.version)
		must(t, err)
		d := patient(t, nil)
		d.parameter(release, "max_dump_file_size", c.value)
		if got := d.seen("parameter max_dump_file_size"); len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s, %s: %q, want %q", c.version, c.value, got, c.want)
		}
	}
}
