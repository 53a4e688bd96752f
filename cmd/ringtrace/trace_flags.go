package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
)

// traceFlags say what to trace in every session; generate, enable and estimate
// share them.
func traceFlags() []cli.Flag {
	d := plan.DefaultOptions()
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "ora", Usage: "write the ring when one of these errors is raised: `CODES` 1555,ORA-00942,-60; repeatable"},
		sizeFlag("ring", int64(d.Ring), "bytes of trace each session keeps in memory; k = 1024, m = 1024*1024 (256k is 262144)"),
		&cli.BoolFlag{Name: "no-ring", Usage: "plain trace: write to the file all the time, keep nothing in memory"},
		onOffFlag("waits", d.Waits, "trace waits"),
		onOffFlag("binds", d.Binds, "trace bind values; they reach the disk when the ring is written"),
		choiceFlag("plan-stat", "", plan.PlanStats(), "when row source statistics are traced: "+strings.Join(plan.PlanStats(), ", ")),
		&cli.IntFlag{Name: "errorstack", Value: d.Errorstack, Usage: "`LEVEL` of the dump that an error writes, 0 to 3"},
		&cli.BoolFlag{Name: "no-errorstack", Usage: "write the ring alone, without a dump"},
		&cli.IntFlag{Name: "max-fires", Value: d.MaxFires, Usage: "at most `N` dumps for each error and session (generate --style classic has no such bound)"},
	}
}

// readTraceOptions reads traceFlags and checks them: a mapped number is
// refused. A noisy code asks (--yes answers) and an event number needs --force;
// both are left for the verb to settle, when nothing that outranks them holds.
func (rt *runtime) readTraceOptions(c *cli.Context, force bool) (plan.Options, traceAsks, error) {
	var asks traceAsks
	o := plan.Options{
		Ring: int(sizeOf(c, "ring")), NoRing: c.Bool("no-ring"), Waits: c.Bool("waits"), Binds: c.Bool("binds"),
		PlanStat: c.String("plan-stat"), Errorstack: c.Int("errorstack"), MaxFires: c.Int("max-fires"),
	}
	if o.Errorstack < 0 {
		return o, asks, plan.NoErrorstackLevel(o.Errorstack) // or it would be taken for --no-errorstack
	}
	if c.Bool("no-errorstack") {
		o.Errorstack = plan.NoErrorstack
		o.MaxFires = 0 // there is no dump to bound
	}
	if c.IsSet("max-fires") {
		switch n := c.Int("max-fires"); {
		case n < 1:
			return o, asks, exit.Errorf(exit.Usage, "give --max-fires 1 or more, or --style classic for events without a bound", "--max-fires %d is out of range", n)
		case c.Bool("no-errorstack"):
			return o, asks, exit.Errorf(exit.Usage, "leave out one of the two", "--max-fires bounds errorstack dumps, and --no-errorstack asks for none")
		}
	}
	codes, err := plan.ParseCodes(c.StringSlice("ora"), force)
	if exit.CodeOf(err) == exit.Refused {
		asks.refusal = err
		codes, err = plan.ParseCodes(c.StringSlice("ora"), true)
	}
	if err != nil {
		return o, asks, err
	}
	o.Ora = codes.Numbers
	if err := o.Validate(); err != nil {
		return o, asks, err
	}
	for _, note := range codes.Notes {
		rt.notef("%s", note)
	}
	if len(codes.Noisy) > 0 {
		asks.question = codes.Question()
	}
	return o, asks, nil
}
