package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func writeAt(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPrecedence takes the sources away one by one, the strongest first.
func TestPrecedence(t *testing.T) {
	conf := writeFile(t, "c.toml", "[trace]\nout = \"config\"\nsplit = 3\nring = \"3k\"\nttl = 3\nwaits = false\nusername = [\"C\", \"c c\"]\nrate = 3\nstyle = \"classic\"\n")
	environ := []string{
		"RINGTRACE_TRACE_OUT=env", "RINGTRACE_TRACE_SPLIT=2", "RINGTRACE_TRACE_RING=2k", "RINGTRACE_TRACE_TTL=2",
		"RINGTRACE_TRACE_NO_WAITS=false", "RINGTRACE_TRACE_USERNAME=E1\nE,2\n", "RINGTRACE_TRACE_RATE=2", "RINGTRACE_TRACE_STYLE=guarded",
	}
	flags := []string{"--out=flag", "--split=1", "--ring=1k", "--ttl=1m", "--no-waits", "--username=F,f", "--rate=1", "--style=classic"}
	cases := []struct {
		name    string
		environ []string
		args    []string
		want    string // out split ring ttl waits username rate style
	}{
		{"flag", environ, append([]string{"--config", conf, "trace"}, flags...), "flag 1 1024 1m false F,f 1 classic"},
		{"environment", environ, []string{"--config", conf, "trace"}, "env 2 2048 2s true E1;E,2 2 guarded"},
		{"config", nil, []string{"--config", conf, "trace"}, "config 3 3072 3s false C;c c 3 classic"},
		{"default", nil, []string{"trace"}, "here 50 256000 24h true  0 guarded"},
		{"empty environment is unset", []string{"RINGTRACE_TRACE_OUT=", "RINGTRACE_TRACE_SPLIT="}, []string{"trace"}, "here 50 256000 24h true  0 guarded"},
		{"config file from the environment", []string{"RINGTRACE_CONFIG=" + conf}, []string{"trace"}, "config 3 3072 3s false C;c c 3 classic"},
		{"alias of the verb", environ, []string{"tr"}, "env 2 2048 2s true E1;E,2 2 guarded"},
		{"last of two variables", []string{"RINGTRACE_TRACE_OUT=a", "RINGTRACE_TRACE_OUT=b"}, []string{"trace"}, "b 50 256000 24h true  0 guarded"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := newProbe(c.environ...)
			if err := p.run(c.args...); err != nil {
				t.Fatal(err)
			}
			got := strings.Join([]string{
				p.got["out"], p.got["split"], p.got["ring"], p.got["ttl"], p.got["waits"],
				strings.Join(p.lists["username"], ";"), p.got["rate"], p.got["style"],
			}, " ")
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSourceOf(t *testing.T) {
	conf := writeFile(t, "c.toml", "[trace]\nsplit = 3\n")
	p := newProbe("RINGTRACE_TRACE_OUT=x")
	if err := p.run("--config", conf, "trace", "--ring", "4096"); err != nil {
		t.Fatal(err)
	}
	want := map[string]source{"ring": fromFlag, "out": fromEnv, "split": fromConfig, "ttl": fromDefault, "config": fromFlag}
	for name, source := range want {
		if got := p.rt.sourceOf(name); got != source {
			t.Errorf("sourceOf(%s) = %v, want %v", name, got, source)
		}
	}
}

// TestWeakerSourceYieldsToRival: neither environment nor config beats a flag,
// even if the flag is another one that answers the same question.
func TestWeakerSourceYieldsToRival(t *testing.T) {
	conf := writeFile(t, "c.toml", "[trace]\nno-ring = true\ntemplate = \"t\"\n")
	p := newProbe("RINGTRACE_TRACE_WAITS=true", "RINGTRACE_TRACE_RING=1m")
	if err := p.run("--config", conf, "trace", "--no-waits", "--style=classic"); err != nil {
		t.Fatal(err)
	}
	if p.got["waits"] != "false" || p.got["ring"] != "1048576" || p.got["no-ring"] != "false" || p.got["template"] != "" || p.got["style"] != "classic" {
		t.Errorf("got %v", p.got)
	}
	if err := p.run("trace", "--no-ring"); err != nil {
		t.Fatal(err)
	}
	if p.got["no-ring"] != "true" || p.got["ring"] != "256000" || p.rt.sourceOf("ring") != fromDefault {
		t.Errorf("--no-ring over RINGTRACE_TRACE_RING: got %v", p.got)
	}
}

// TestSharedFlags may be set once for all verbs; the verb's own place wins.
func TestSharedFlags(t *testing.T) {
	conf := writeFile(t, "c.toml", "sqlplus = \"top\"\n")
	both := writeFile(t, "d.toml", "sqlplus = \"top\"\n[trace]\nsqlplus = \"own\"\n")
	cases := []struct {
		environ []string
		config  string
		want    string
	}{
		{nil, conf, "top"},
		{nil, both, "own"},
		{[]string{"RINGTRACE_SQLPLUS=env"}, both, "env"},
		{[]string{"RINGTRACE_SQLPLUS=env", "RINGTRACE_TRACE_SQLPLUS=ownenv"}, both, "ownenv"},
	}
	for _, c := range cases {
		p := newProbe(c.environ...)
		if err := p.run("trace", "--config", c.config); err != nil || p.got["sqlplus"] != c.want {
			t.Errorf("%v, %s: got %q, %v; want %q", c.environ, c.config, p.got["sqlplus"], err, c.want)
		}
	}
}

// TestSettingErrors demands that each wrong value names where it was given.
func TestSettingErrors(t *testing.T) {
	cases := []struct {
		name    string
		environ []string
		config  string
		args    []string
		want    string
		hint    string
	}{
		{"size", nil, "", []string{"trace", "--ring=250KB"}, `--ring: "250KB" is not a size: unknown unit "KB"`, "write 250k for"},
		{"size in the environment", []string{"RINGTRACE_TRACE_RING=x"}, "", []string{"trace"}, `RINGTRACE_TRACE_RING: "x" is not a size`, "write a number of bytes"},
		{"duration", nil, "", []string{"trace", "--ttl", "-5s"}, `--ttl: "-5s" is not a duration: it is negative`, "write 90s"},
		{"whole number", nil, "", []string{"trace", "--split", "x"}, `--split: "x" is not a whole number`, "digits"},
		{"whole number in the environment", []string{"RINGTRACE_TRACE_SPLIT=1.5"}, "", []string{"trace"}, `RINGTRACE_TRACE_SPLIT: "1.5" is not a whole number`, "digits"},
		{"number", nil, "", []string{"trace", "--rate", "x"}, `--rate: "x" is not a number`, ""},
		{"choice", nil, "", []string{"trace", "--style", "Classic"}, `--style: "Classic" is not one of its words`, "choose from guarded, classic"},
		{"switch in the environment", []string{"RINGTRACE_TRACE_FORCE=maybe"}, "", []string{"trace"}, `RINGTRACE_TRACE_FORCE: "maybe" is not true or false`, "write true or false"},
		{"twin in the environment", []string{"RINGTRACE_TRACE_NO_WAITS=maybe"}, "", []string{"trace"}, `RINGTRACE_TRACE_NO_WAITS: "maybe" is neither true nor false`, "RINGTRACE_TRACE_NO_WAITS=true"},
		{"twins in the environment", []string{"RINGTRACE_TRACE_WAITS=1", "RINGTRACE_TRACE_NO_WAITS=1"}, "", []string{"trace"}, "RINGTRACE_TRACE_WAITS=1 and RINGTRACE_TRACE_NO_WAITS=1 contradict", "unset one"},
		{"opposites in the environment", []string{"RINGTRACE_TRACE_RING=4096", "RINGTRACE_TRACE_NO_RING=1"}, "", []string{"trace"}, "RINGTRACE_TRACE_RING and RINGTRACE_TRACE_NO_RING contradict", "leave one"},
		{"global in the environment", []string{"RINGTRACE_OUTPUT=xml"}, "", []string{"trace"}, `RINGTRACE_OUTPUT: "xml" is not one of its words`, "text, json, csv"},
		{"unknown key", nil, "[trace]\n\nrnig = 1\n", []string{"trace"}, `c.toml:3: unknown key "trace.rnig"`, "did you mean trace.ring?"},
		{"unknown global key", nil, "conect = \"/\"\n", []string{"trace"}, `c.toml:1: unknown key "conect"`, "did you mean connect?"},
		{"unknown table", nil, "yes = true\n[trcae]\n", []string{"trace"}, `c.toml:2: unknown table [trcae]`, "did you mean trace?"},
		{"table by an alias", nil, "[tr]\nring = 1\n", []string{"trace"}, `c.toml:1: unknown table [tr]`, "config show"},
		{"verb as a key", nil, "trace = 1\n", []string{"trace"}, `c.toml:1: unknown key "trace"`, ""},
		{"text for a switch", nil, "yes = \"true\"\n", []string{"trace"}, "c.toml:1: yes takes true or false", "write yes ="},
		{"number for a text", nil, "connect = 5\n", []string{"trace"}, "c.toml:1: connect takes a text", "write connect ="},
		{"text for a number", nil, "[trace]\nsplit = \"5\"\n", []string{"trace"}, "c.toml:2: trace.split takes a whole number", "write split ="},
		{"switch for a size", nil, "[trace]\nring = true\n", []string{"trace"}, "c.toml:2: trace.ring takes a text or a number", ""},
		{"list of lists", nil, "[trace]\nora = [[60]]\n", []string{"trace"}, "c.toml:2: trace.ora takes a list of texts", "[\"first\", \"second\"]"},
		{"list for a text", nil, "[trace]\nout = [\"a\"]\n", []string{"trace"}, "c.toml:2: trace.out takes a text", ""},
		{"bad value in the file", nil, "\n[trace]\nring = \"1g\"\n", []string{"trace"}, `c.toml:3: "1g" is not a size`, "units are k"},
		{"opposites in the file", nil, "[trace]\nring = 4096\nno-ring = true\n", []string{"trace"}, "c.toml:2 and ", "leave one"},
		{"other verb's table", nil, "[store.put]\nforce = 1\n", []string{"trace"}, "c.toml:2: store.put.force takes true or false", ""},
		{"syntax", nil, "connect = /\n", []string{"trace"}, "c.toml:1:", "a value is written"},
		{"password in connect", nil, "connect = \"scott/tiger@db\"\n", []string{"trace"}, "c.toml:1: connect holds a password", "--password-file"},
		{"password as a key", nil, "password = \"tiger\"\n", []string{"trace"}, `c.toml:1: unknown key "password"`, "the config file holds no passwords"},
		{"shared flag by itself in a strange table", nil, "[config]\nsqlplus = \"x\"\n", []string{"trace"}, `c.toml:2: unknown key "config.sqlplus"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			args := c.args
			if c.config != "" {
				args = append([]string{"--config", writeFile(t, "c.toml", c.config)}, args...)
			}
			p := newProbe(c.environ...)
			err := p.run(args...)
			if err == nil {
				t.Fatalf("accepted, saw %v %v", p.got, p.lists)
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(exit.HintOf(err), c.hint) || exit.CodeOf(err) != exit.Usage {
				t.Errorf("got  %q, hint %q, code %d\nwant %q, hint %q, code 2", err, exit.HintOf(err), exit.CodeOf(err), c.want, c.hint)
			}
			if strings.Contains(err.Error()+exit.HintOf(err), "tiger") {
				t.Errorf("the error shows the password: %q", err)
			}
			if p.ran != "" {
				t.Errorf("the verb ran all the same")
			}
		})
	}
}

func TestSettingsOfSubcommands(t *testing.T) {
	conf := writeFile(t, "c.toml", "[store.put]\nforce = true\n")
	p := newProbe()
	if err := p.run("store", "put", "a", "--config", conf, "b"); err != nil {
		t.Fatal(err)
	}
	if p.ran != "store put" || p.got["force"] != "true" || !slices.Equal(p.args, []string{"a", "b"}) {
		t.Errorf("ran %q with %v %q", p.ran, p.got, p.args)
	}
	p = newProbe("RINGTRACE_STORE_PUT_FORCE=0")
	if err := p.run("store", "--config="+conf, "put", "a"); err != nil || p.got["force"] != "false" {
		t.Errorf("environment: %v, %v", p.got, err)
	}
}

// TestAnotherVerbsEnvironment is no business of this verb, but config check's.
func TestAnotherVerbsEnvironment(t *testing.T) {
	p := newProbe("RINGTRACE_STORE_PUT_FORCE=maybe")
	if err := p.run("trace"); err != nil {
		t.Errorf("trace: %v", err)
	}
	err := p.run("config", "check")
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(p.stdout.String(), "RINGTRACE_STORE_PUT_FORCE") {
		t.Errorf("config check: %v, printed %q", err, p.stdout.String())
	}
}

func TestConfigFileMissing(t *testing.T) {
	missing := t.TempDir() + "/none.toml"
	p := newProbe()
	if err := p.run("trace", "--config", missing); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("named but missing: %v", err)
	}
	p = newProbe("XDG_CONFIG_HOME=" + t.TempDir())
	if err := p.run("trace"); err != nil {
		t.Errorf("default but missing: %v", err)
	}
}

func TestXDGPlaces(t *testing.T) {
	cases := []struct {
		environ       []string
		config, state string
	}{
		{[]string{"XDG_CONFIG_HOME=/c", "XDG_STATE_HOME=/s", "HOME=/h"}, "/c/ringtrace/config.toml", "/s/ringtrace"},
		{[]string{"HOME=/h"}, "/h/.config/ringtrace/config.toml", "/h/.local/state/ringtrace"},
		{[]string{"XDG_CONFIG_HOME=c", "XDG_STATE_HOME=./s", "HOME=/h"}, "/h/.config/ringtrace/config.toml", "/h/.local/state/ringtrace"},
		{nil, "", ""},
	}
	for _, c := range cases {
		rt := newRuntime(nil, nil, nil, c.environ, testNow)
		if got := rt.defaultConfigPath(); got != c.config {
			t.Errorf("%v: config %q, want %q", c.environ, got, c.config)
		}
		if got := rt.stateDirPath(); got != c.state {
			t.Errorf("%v: state %q, want %q", c.environ, got, c.state)
		}
	}
}

func TestEnsureStateDir(t *testing.T) {
	rt := newRuntime(nil, nil, nil, nil, testNow)
	if _, err := rt.ensureStateDir(); exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "" {
		t.Errorf("no place: %v", err)
	}
	rt.stateDir = t.TempDir() + "/a/b"
	dir, err := rt.ensureStateDir()
	if err != nil || dir != rt.stateDir {
		t.Fatalf("got %q, %v", dir, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	rt.stateDir = writeFile(t, "file", "")
	if _, err := rt.ensureStateDir(); err == nil || exit.HintOf(err) == "" {
		t.Errorf("a file: %v", err)
	}
}

func TestPasswordsInConnectStrings(t *testing.T) {
	cases := map[string]string{
		"scott/tiger@db":                 "scott/***@db",
		"scott/ti@ger@//h:1521/s":        "scott/***@//h:1521/s",
		"scott/tiger":                    "scott/***",
		"sys/secret as sysdba":           "sys/*** as sysdba",
		"sys/secret@h:1521/s as sysdba":  "sys/***@h:1521/s as sysdba",
		`"Scott/X"/tiger@db`:             `"Scott/X"/***@db`,
		"postgres://joe:secret@h/db":     "postgres://joe:***@h/db",
		"postgres://joe:se:c@ret@h/db":   "postgres://joe:***@h/db",
		"/":                              "",
		"/ as sysdba":                    "",
		"/@alias":                        "",
		"scott@h:1521/service":           "",
		"scott@//h:1521/service":         "",
		"alias":                          "",
		"postgres://joe@h:5432/db":       "",
		"file:/tmp/a@b/c.csv":            "",
		"sim:dir/with@sign":              "",
		"//h:1521/service":               "",
		"scott/":                         "",
		"/@h:1521/service as sysdba":     "",
		"scott@h:1521/service as sysdba": "",
	}
	for connect, masked := range cases {
		want := masked
		if want == "" {
			want = connect
		}
		if got := maskConnect(connect); got != want {
			t.Errorf("maskConnect(%q) = %q, want %q", connect, got, want)
		}
		if got := holdsPassword(connect); got != (masked != "") {
			t.Errorf("holdsPassword(%q) = %v", connect, got)
		}
	}
}
