package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
)

// outcome is what one run of the program left.
type outcome struct {
	code           int
	stdout, stderr string
}

// testNow is the clock of tests that call the program in process.
func testNow() time.Time { return time.Date(2026, 11, 30, 3, 4, 5, 0, time.UTC) }

// runProgram runs the program in process, with nothing on standard input.
func runProgram(environ []string, args ...string) outcome {
	var out, errOut bytes.Buffer
	code := run(context.Background(), append([]string{"ringtrace"}, args...), strings.NewReader(""), &out, &errOut, environ, testNow)
	return outcome{code, out.String(), errOut.String()}
}

// probe is a made-up verb that shows every kind of flag, and what a verb
// finds when its action runs.
type probe struct {
	rt     *runtime
	stdout bytes.Buffer
	stderr bytes.Buffer
	got    map[string]string // flag → value as the action saw it
	lists  map[string][]string
	args   []string
	ran    string // the command whose action ran
	panics bool
	fail   error
}

// newProbe returns a program whose verbs are: trace, which has every kind of
// flag, and store with the subcommands put and drop.
func newProbe(environ ...string) *probe {
	p := &probe{got: map[string]string{}, lists: map[string][]string{}}
	p.rt = newRuntime(strings.NewReader(""), &p.stdout, &p.stderr, environ, testNow)
	p.rt.verbs = []func(*runtime) *cli.Command{p.newTrace, p.newStore, newConfigCommand}
	return p
}

func (p *probe) run(args ...string) error {
	p.got, p.lists, p.args, p.ran = map[string]string{}, map[string][]string{}, nil, ""
	return p.rt.execute(context.Background(), args)
}

func (p *probe) newTrace(*runtime) *cli.Command {
	return exits(&cli.Command{
		Name: "trace", Aliases: []string{"tr"}, ArgsUsage: "[WORD…]", Usage: "probe flags",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "username", Usage: "match `NAME`"},
			&cli.StringSliceFlag{Name: "ora", Usage: "`CODES`"},
			&cli.StringFlag{Name: "out", Value: "here"},
			&cli.StringFlag{Name: "sqlplus"},
			&cli.IntFlag{Name: "split", Value: 50},
			&cli.Float64Flag{Name: "rate"},
			sizeFlag("ring", 256000, "`SIZE`"),
			&cli.BoolFlag{Name: "no-ring"},
			durationFlag("ttl", 24*time.Hour, "`TIME`"),
			choiceFlag("style", "guarded", []string{"guarded", "classic"}, "`STYLE`"),
			&cli.StringFlag{Name: "template"},
			onOffFlag("waits", true, "waits"),
			onOffFlag("binds", false, "binds"),
			&cli.BoolFlag{Name: "force"},
		},
		Action: func(c *cli.Context) error { return p.record(c, "trace") },
	})
}

func (p *probe) newStore(*runtime) *cli.Command {
	return &cli.Command{
		Name: "store", Usage: "probe subcommands",
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name: "put", ArgsUsage: "FILE…", Usage: "put", Flags: []cli.Flag{&cli.BoolFlag{Name: "force"}},
				Action: func(c *cli.Context) error { return p.record(c, "store put") },
			}),
			exits(&cli.Command{Name: "drop", Usage: "drop", Action: func(c *cli.Context) error { return p.record(c, "store drop") }}),
		},
	}
}

func (p *probe) record(c *cli.Context, name string) error {
	if p.panics {
		panic("on purpose")
	}
	p.ran, p.args = name, c.Args().Slice()
	for _, f := range c.Command.Flags {
		n := f.Names()[0]
		if _, list := f.(*cli.StringSliceFlag); list {
			p.lists[n] = c.StringSlice(n)
			continue
		}
		p.got[n] = c.String(n)
	}
	return p.fail
}

// writeFile puts text into a new file called name and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := t.TempDir() + "/" + name
	writeAt(t, path, text)
	return path
}
