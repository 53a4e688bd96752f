package main

import (
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/clock"
	"ringtrace/internal/exit"
)

// newTimingCommand is the verb timing: what reading the clock costs here.
func newTimingCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:  "timing",
		Usage: "measure what reading the clock costs on this host",
		Description: `Does the job of PostgreSQL's pg_test_timing: reads the clock as fast as it can and shows how long a reading takes. Every
timed wait and call of a database reads the clock twice. The median counts; the average also holds the time other
processes ran. Readings go through the kernel's vDSO as a C program's do (Linux on amd64); elsewhere the bias is printed.
Run it on the database host: it tells nothing about another one. The clock source is never changed; advice names the
commands and their risk. Time that ran backwards is exit 1. The result is kept below the state directory in timing/.

Example:

    ringtrace timing
    ringtrace timing -d 10 --clock realtime -o json
    ringtrace timing --compat pg
    ringtrace timing explain pg_test_timing.txt`,
		Flags: []cli.Flag{
			durationFlag("duration", 3*time.Second, "read the clock for `DURATION`", "d"),
			&cli.Float64Flag{Name: "cutoff", Value: 99.99, Usage: "list exact durations until `PERCENT` of all are covered"},
			&cli.IntFlag{Name: "cpu", Value: -1, Usage: "bind the loop to CPU `N`; -1 leaves it to the system", DefaultText: "-1"},
			choiceFlag("clock", "monotonic", clock.Names(), "read `CLOCK`"),
			choiceFlag("method", "auto", []string{"auto", "vdso", "nanotime", "syscall"}, "read it by `METHOD` auto, vdso, nanotime or syscall"),
			choiceFlag("compat", "none", []string{"none", "pg"}, "also print the `LAYOUT` pg, of pg_test_timing 9.2 to 18 (measures twice as long)"),
		},
		Action: rt.timing,
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:      "explain",
				ArgsUsage: "FILE",
				Usage:     "tell what a pasted output of pg_test_timing means",
				Description: `Reads the output of any version, also with decimal commas and Windows line ends; - is standard input. Versions 9.2 to 18
count crossed microseconds, which tells the typical reading below 500 ns although the average was spoilt by a busy host.

Example:

    pg_test_timing | ringtrace timing explain -`,
				Action: rt.timingExplain,
			}, exit.OK),
		},
	}, exit.OK)
}

func (rt *runtime) timing(c *cli.Context) error {
	if err := rt.wantOutput("timing", outputText, outputJSON); err != nil {
		return err
	}
	source, err := clock.Open(c.String("clock"), c.String("method"))
	if err != nil {
		return err
	}
	files := clock.Linux{Root: os.DirFS("/")}
	host, _ := os.Hostname() // an unknown host is an empty one
	cfg := clock.Config{
		Source: source, Duration: durationOf(c, "duration"), Cutoff: c.Float64("cutoff"), CPU: c.Int("cpu"),
		Compare: true, Micros: c.String("compat") == "pg",
		Files: files, Prober: clock.ThisHost(files), Host: host, At: rt.now(),
	}
	if err := cfg.Check(); err != nil {
		return err
	}
	if rt.dryRun {
		rt.notef("would read %s for %v", source.Title(), cfg.Duration)
		return nil
	}
	rt.notef("testing timing overhead for %v on %s: it must be the database host to tell of the database", cfg.Duration, host)
	r, err := clock.Measure(c.Context, cfg)
	if err != nil {
		return err
	}
	rt.keepTiming(c, r)
	if err := rt.printTiming(r); err != nil {
		return err
	}
	if r.Failed() {
		largest := r.Backwards.Largest
		if r.CrossCPU != nil {
			largest = max(largest, r.CrossCPU.Largest)
		}
		return exit.Errorf(exit.Failed, "dmesg | grep -i clocksource", "detected clock going backwards in time; time warp: %d ns", largest)
	}
	return nil
}

func (rt *runtime) printTiming(r *clock.Result) error {
	if rt.output == outputJSON {
		return rt.printJSON(r)
	}
	if err := r.WriteText(rt.stdout); err != nil || r.Micros == nil {
		return err
	}
	fmt.Fprintln(rt.stdout)
	return r.WritePG(rt.stdout)
}

// keepTiming records the result for overhead, estimate and collect. A
// measurement that cannot be kept is still valid.
func (rt *runtime) keepTiming(c *cli.Context, r *clock.Result) {
	if r.Clock != "CLOCK_MONOTONIC" {
		return // the record is of the clock that databases read
	}
	rt.keepRecord(c.Context, "timing", "last", r)
}

// lastTiming returns the last recorded result of this host, or nil.
func (rt *runtime) lastTiming() *clock.Result {
	var r clock.Result
	host, _ := os.Hostname()
	if !rt.readRecord("timing", "last", &r) || r.Host != host || r.MedianNS == nil {
		return nil
	}
	return &r
}

func (rt *runtime) timingExplain(c *cli.Context) error {
	if err := rt.wantOutput("timing explain", outputText, outputJSON); err != nil {
		return err
	}
	if c.NArg() != 1 {
		return exit.Errorf(exit.Usage, "write: ringtrace timing explain FILE, or - for standard input", "timing explain takes one file")
	}
	name, in := c.Args().First(), rt.input
	if name == "-" {
		name = "standard input"
	} else {
		f, err := openWithin(c.Context, name)
		if err != nil {
			return exit.Errorf(exit.Failed, "check the name", "%w", err)
		}
		defer f.Close()
		in = &interruptible{ctx: c.Context, stream: f}
	}
	p, err := clock.ReadPasted(name, in)
	if err != nil {
		return err
	}
	if rt.output == outputJSON {
		return rt.printJSON(p)
	}
	return p.WriteText(rt.stdout)
}
