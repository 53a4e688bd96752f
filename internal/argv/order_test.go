package argv

import (
	"slices"
	"strings"
	"testing"
)

// tree is a small program with the shapes that ringtrace has: global flags, a
// verb with switches and repeatable flags, a group, a verb that acts and has
// subcommands, and one letter that is a switch here and takes a value there.
func tree() *Command {
	value := func(names ...string) *Flag { return &Flag{Names: names} }
	sw := func(names ...string) *Flag { return &Flag{Names: names, Bool: true} }
	many := func(names ...string) *Flag { return &Flag{Names: names, Repeat: true} }
	onOff := func(name string) *Flag { return &Flag{Names: []string{name}, Bool: true, OnOff: true} }
	return &Command{
		Name:  "prog",
		Flags: []*Flag{value("connect", "c"), value("output", "o"), sw("quiet", "q"), sw("verbose", "v"), sw("yes")},
		Commands: []*Command{
			{Name: "generate", Aliases: []string{"spool"}, Flags: []*Flag{
				many("username"), {Names: []string{"ora"}, Repeat: true, Meant: []string{"event", "at"}}, value("ring"), sw("no-ring"), value("out"), onOff("waits"), onOff("binds"), sw("deep"),
			}},
			{Name: "lint", Args: true, Flags: []*Flag{value("fail-on"), sw("fix"), value("deep")}},
			{Name: "campaigns", Group: true, Flags: []*Flag{value("at")}, Commands: []*Command{
				{Name: "list"},
				{Name: "listen", Hidden: true},
				{Name: "import", Aliases: []string{"load"}, Args: true, Flags: []*Flag{sw("force")}},
			}},
			{Name: "collect", Flags: []*Flag{value("out")}, Commands: []*Command{{Name: "verify", Args: true, Flags: []*Flag{sw("all")}}}},
			{Name: "version"},
		},
	}
}

func TestOrder(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"nothing to do", "version", "version"},
		{"global before the verb", "-o json version", "--output=json version"},
		{"global after the verb", "version -o json", "--output=json version"},
		{"global after positionals", "lint a.sql --output json b.sql", "--output=json lint -- a.sql b.sql"},
		{"verb flag before the verb", "--ring 1m generate", "generate --ring=1m"},
		{"verb flag before the verb, value a verb's name", "--username lint generate", "generate --username=lint"},
		{"switch before the verb", "--fix lint a", "lint --fix=true -- a"},
		{"one dash, long name", "-output json version", "--output=json version"},
		{"one dash, equals", "-o=json version", "--output=json version"},
		{"two dashes, one letter", "--o json version", "--output=json version"},
		{"two dashes, equals", "--output=json version", "--output=json version"},
		{"value with equals", "generate --username=a=b", "generate --username=a=b"},
		{"empty value", "generate --out=", "generate --out="},
		{"cluster of switches", "-qv version", "--quiet=true --verbose=true version"},
		{"cluster ending in a value", "version -qo json", "--quiet=true --output=json version"},
		{"cluster with equals", "version -qo=json", "--quiet=true --output=json version"},
		{"value glued to its letter", "version -ojson", "--output=json version"},
		{"cluster switched off", "version -qv=false", "--quiet=true --verbose=false version"},
		{"negative number as a value", "generate --ora -60", "generate --ora=-60"},
		{"value that begins with a dash", "generate --username -x", "generate --username=-x"},
		{"value that begins with two dashes", "generate --username --java--", "generate --username=--java--"},
		{"known flag as a value, by equals", "generate --username=--yes", "generate --username=--yes"},
		{"lone dash is a value", "generate --out -", "generate --out=-"},
		{"lone dash is a positional", "lint -", "lint -- -"},
		{"switch with a value", "generate --yes=false", "--yes=false generate"},
		{"switch with another word for it", "generate --yes=T", "--yes=true generate"},
		{"negative twin", "generate --no-waits", "generate --waits=false"},
		{"negative twin denied", "generate --no-waits=false", "generate --waits=true"},
		{"negative twin, one dash, before the verb", "-no-binds generate", "generate --binds=false"},
		{"repeatable flag", "generate --ora 60 --out x --ora=942", "generate --ora=60 --out=x --ora=942"},
		{"repeatable flag keeps its doubles", "generate --ora 60 --ora 60", "generate --ora=60 --ora=60"},
		{"same value twice", "-o json version --output=json", "--output=json version"},
		{"same switch twice", "--yes generate --yes=true", "--yes=true generate"},
		{"alias of a verb", "spool --ring=1m", "generate --ring=1m"},
		{"alias of a subcommand", "campaigns load x", "campaigns import -- x"},
		{"subcommand flags anywhere", "--force campaigns m.json", "!unknown subcommand \"m.json\" of campaigns"},
		{"flags of both levels", "--force --at x campaigns -q import m.json --at=x", "--quiet=true campaigns --at=x import --force=true -- m.json"},
		{"subcommand of a verb that acts", "collect --out a verify b --all", "collect --out=a verify --all=true -- b"},
		{"verb that acts", "collect --out a", "collect --out=a"},
		{"double dash ends flags", "lint -- -q --fix", "lint -- -q --fix"},
		{"double dash before the verb", "-q -- lint -v", "--quiet=true lint -- -v"},
		{"second double dash is a positional", "lint -- --", "lint -- --"},
		{"arity depends on the verb: value", "lint --deep x y", "lint --deep=x -- y"},
		{"arity depends on the verb: switch", "--deep generate", "generate --deep=true"},
		{"help of the program", "--help", "--help=true"},
		{"help of a verb", "generate -h", "generate --help=true"},
		{"help before the verb", "--help generate", "generate --help=true"},
		{"help as a word", "help generate", "generate --help=true"},
		{"help as a word, subcommand", "help campaigns import", "campaigns import --help=true"},
		{"help as a word, alone", "help", "--help=true"},
		{"help of a group", "campaigns --help", "campaigns --help=true"},
		{"help beats mistakes", "generate --nonsense --help", "generate --help=true"},
		{"help denied", "version --help=false", "version"},
		{"help is a positional elsewhere", "lint help", "lint -- help"},

		{"no verb", "", "!no verb given"},
		{"no verb but flags", "-q", "!no verb given"},
		{"no verb but its flags", "--ring 1m -q", "!no verb given | --ring belongs to generate"},
		{"unknown verb", "genrate --ring 1m", "!unknown verb \"genrate\" | did you mean generate?"},
		{"unknown verb behind a flag with a value", "--ring 1m genrate", "!unknown verb \"genrate\" | did you mean generate?"},
		{"unknown verb, nothing like it", "xyzzy", "!unknown verb \"xyzzy\" | `prog --help` lists what there is"},
		{"help of an unknown verb", "help xyzzy", "!unknown verb \"xyzzy\""},
		{"missing subcommand", "campaigns", "!campaigns needs a subcommand: list, import"},
		{"hidden subcommand", "campaigns listen", "campaigns listen"},
		{"hidden subcommand is not suggested", "campaigns listn", "!unknown subcommand \"listn\" of campaigns | did you mean campaigns list?"},
		{"unknown subcommand", "campaigns lst", "!unknown subcommand \"lst\" of campaigns | did you mean campaigns list?"},
		{"unknown subcommand of a verb that acts", "collect verfy b", "!unknown subcommand \"verfy\" of collect | did you mean collect verify?"},
		{"unknown flag", "generate --usrname x", "!unknown flag \"--usrname\" | did you mean --username?"},
		{"unknown flag, one dash", "generate -usrname x", "!unknown flag \"-usrname\" | did you mean --username?"},
		{"unknown flag begun only", "generate --user x", "!unknown flag \"--user\" | did you mean --username?"},
		{"unknown flag begun rather than mistyped", "generate --user=x", "!unknown flag \"--user\" | did you mean --username?"},
		{"unknown flag, nothing like it", "generate --zzz", "!unknown flag \"--zzz\" of generate | `prog generate --help`"},
		{"unknown twin", "generate --no-wait", "!unknown flag \"--no-wait\" | did you mean --no-waits?"},
		{"flag by another word", "generate --event 942", "!unknown flag \"--event\" | did you mean --ora?"},
		{"flag by another word, one dash, equals", "generate -event=942", "!unknown flag \"-event\" | did you mean --ora?"},
		{"foreign flag that is another word", "generate --at x", "!--at is not a flag of generate; it belongs to campaigns | did you mean --ora?"},
		{"unknown global", "--outptu json version", "!unknown flag \"--outptu\" | did you mean --output?"},
		{"unknown letter", "version -x", "!unknown flag \"-x\" of version"},
		{"negative number alone", "lint -60", "!unknown flag \"-60\" of lint"},
		{"foreign flag", "lint --ring 1m a", "!--ring is not a flag of lint; it belongs to generate | `prog lint --help`"},
		{"foreign flag of two", "version --out x", "!--out is not a flag of version; it belongs to generate, collect"},
		{"foreign twin", "lint --no-waits a", "!--no-waits is not a flag of lint; it belongs to generate"},
		{"subcommand flag without it", "campaigns list --force", "!--force is not a flag of campaigns list; it belongs to campaigns import"},
		{"missing value at the end", "generate --out", "!--out needs a value"},
		{"missing value before a flag", "generate --out --yes", "!--out needs a value | write --out VALUE; if \"--yes\" is the value, write --out=--yes"},
		{"missing value before a slip of a flag", "generate --out --usrname x", "!--out needs a value"},
		{"missing value before a letter", "generate --out -q", "!--out needs a value"},
		{"missing value before a cluster", "generate --out -qv", "!--out needs a value"},
		{"missing value before the double dash", "lint --fail-on -- x", "!--fail-on needs a value"},
		{"two values", "-o json version -o csv", "!--output is given twice, as \"json\" and as \"csv\""},
		{"two values by two names", "-c a version --connect=b", "!--connect is given twice"},
		{"switch on and off", "--yes version --yes=false", "!--yes is given twice"},
		{"twins", "generate --waits --no-waits", "!--waits and --no-waits contradict each other"},
		{"twins around the verb", "--no-waits generate --waits", "!--no-waits and --waits contradict each other"},
		{"twins that agree", "generate --waits=false --no-waits", "generate --waits=false"},
		{"opposite flags", "generate --ring 1m --no-ring", "!--ring and --no-ring contradict each other"},
		{"opposite flag denied", "generate --ring 1m --no-ring=false", "generate --ring=1m --no-ring=false"},
		{"switch with a wrong value", "generate --yes=maybe", "!--yes takes true or false, not \"maybe\""},
		{"switch with an empty value", "generate --waits=", "!--waits takes true or false, not \"\""},
		{"switch with a separate value", "generate --yes false", "!generate takes no arguments, but got \"false\" | a switch takes its value behind an equals sign"},
		{"argument to a verb without", "version x", "!version takes no arguments, but got \"x\""},
		{"bad syntax: three dashes", "version ---o", "!bad flag syntax: \"---o\""},
		{"bad syntax: no name", "version --=x", "!bad flag syntax: \"--=x\""},
		{"slip with one dash is no glued value", "version -conect x", "!unknown flag \"-conect\" | did you mean --connect?"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			line, err := Order(tree(), strings.Fields(c.in))
			wantMessage, isError := strings.CutPrefix(c.want, "!")
			if !isError {
				if err != nil {
					t.Fatalf("Order(%q) refused: %v", c.in, err)
				}
				if got := strings.Join(line.Args(), " "); got != c.want {
					t.Errorf("Order(%q)\n got %q\nwant %q", c.in, got, c.want)
				}
				return
			}
			e, ok := err.(*Error)
			if !ok {
				t.Fatalf("Order(%q) = %q, want the error %q", c.in, line.Args(), wantMessage)
			}
			wantMessage, wantHint, _ := strings.Cut(wantMessage, " | ")
			if !strings.HasPrefix(e.Message, wantMessage) || !strings.HasPrefix(e.Hint, wantHint) {
				t.Errorf("Order(%q)\n got %q, hint %q\nwant %q, hint %q", c.in, e.Message, e.Hint, wantMessage, wantHint)
			}
			if e.Hint == "" {
				t.Errorf("Order(%q): error %q has no hint", c.in, e.Message)
			}
		})
	}
}

func TestOrderKeepsValuesAsTheyAre(t *testing.T) {
	args := []string{"lint", "--fail-on", " a\nb=c,\x00 ", "", "ü y"}
	line, err := Order(tree(), args)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"lint", "--fail-on= a\nb=c,\x00 ", "--", "", "ü y"}
	if got := line.Args(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheck(t *testing.T) {
	if err := Check(tree()); err != nil {
		t.Errorf("sound tree refused: %v", err)
	}
	sw := &Flag{Names: []string{"x"}, Bool: true}
	value := &Flag{Names: []string{"x"}}
	cases := map[string]*Command{
		"verb help":       {Commands: []*Command{{Name: "help"}}},
		"flag help":       {Commands: []*Command{{Name: "v", Flags: []*Flag{{Names: []string{"help"}}}}}},
		"shadowed global": {Flags: []*Flag{sw}, Commands: []*Command{{Name: "v", Flags: []*Flag{{Names: []string{"x"}, Bool: true}}}}},
		"twin hides flag": {Commands: []*Command{{Name: "v", Flags: []*Flag{{Names: []string{"no-w"}}, {Names: []string{"w"}, Bool: true, OnOff: true}}}}},
		"two arities": {Commands: []*Command{{Name: "v", Commands: []*Command{
			{Name: "a", Flags: []*Flag{sw}}, {Name: "b", Flags: []*Flag{value}},
		}}}},
	}
	for name, root := range cases {
		if err := Check(root); err == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestClosest(t *testing.T) {
	flags := []string{"--connect", "--config", "--output", "--yes", "-o", "--osuser", "--username"}
	cases := map[string]string{
		"--user": "--username", "--ouser": "--osuser",
		"--conect": "--connect", "--cofnig": "--config", "--yse": "--yes", "--out": "--output",
		"--con": "", "--zzz": "", "--o": "", "": "", "--" + strings.Repeat("x", 100): "",
	}
	for typed, want := range cases {
		if got := Closest(typed, flags); got != want {
			t.Errorf("Closest(%q) = %q, want %q", typed, got, want)
		}
	}
}

// FuzzOrder holds that no words make Order panic, that its order is stable,
// and that an ordered line can be read without any knowledge of arity.
func FuzzOrder(f *testing.F) {
	for _, seed := range []string{
		"generate\x00--ora\x00-60", "-qo\x00json\x00lint\x00a\x00--\x00-x", "help\x00campaigns\x00import",
		"--deep\x00lint\x00generate", "--force\x00--at\x00x\x00campaigns\x00import\x00m", "---\x00--=\x00-=\x00-",
		"collect\x00--\x00verify", "-\xff=\x00lint", "--no-no-waits\x00generate", "--\x00help\x00lint",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		line, err := Order(tree(), args)
		if line == nil || len(line.Path) == 0 {
			t.Fatalf("Order(%q): no line", args)
		}
		if err != nil {
			if e := err.(*Error); e.Message == "" || e.Hint == "" {
				t.Fatalf("Order(%q): error without message or hint: %+v", args, e)
			}
			return
		}
		once := line.Args()
		again, err := Order(tree(), once)
		if err != nil {
			t.Fatalf("Order(%q) = %q, which is then refused: %v", args, once, err)
		}
		if twice := again.Args(); !slices.Equal(once, twice) {
			t.Fatalf("Order(%q) = %q, then %q", args, once, twice)
		}
		for _, arg := range once {
			if arg == "--" {
				break
			}
			if strings.HasPrefix(arg, "-") && (!strings.HasPrefix(arg, "--") || !strings.Contains(arg, "=")) {
				t.Fatalf("Order(%q) = %q: %q is not --name=value", args, once, arg)
			}
		}
	})
}
