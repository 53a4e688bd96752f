package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/estimate"
	"ringtrace/internal/exit"
	"ringtrace/internal/overhead"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
)

// newEstimateCommand is the verb estimate: what tracing would write and cost.
func newEstimateCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), connectionFlags()...)
	flags = append(
		flags,
		durationFlag("window", 10*time.Second, "watch the counters for `DURATION` a window"),
		&cli.IntFlag{Name: "windows", Value: 3, Usage: "watch `N` windows: their median and the busiest are printed"},
		sizeFlag("ring", 256000, "tell how much history a ring of `BYTES` holds"),
		durationFlag("history", 30*time.Second, "advise the ring that holds the last `DURATION`"),
		&cli.Float64Flag{Name: "share", Value: 95, Usage: "… for `PERCENT` of the sessions"},
		onOffFlag("waits", true, "as if waits were traced"),
		onOffFlag("binds", true, "as if bind values were traced"),
		choiceFlag("format", "", []string{outputText, outputJSON, formatHTML}, "write `FORMAT` text, json or html (default what --output says)"),
		&cli.StringFlag{Name: "out", Usage: "write to `FILE` instead of standard output"},
		choiceFlag("plan-stat", "first_execution", []string{"never", "first_execution", "all_executions"}, "as if plan_stat were `WHEN` never, first_execution or all_executions"),
	)
	return exits(&cli.Command{
		Name:  "estimate",
		Usage: "tell what tracing would write, what a ring holds, and what it costs",
		Description: `Reads V$SESSTAT, V$SESSION_EVENT and V$SQL before and after each window and changes nothing. Prints trace lines and bytes
a second per session, how many seconds the ring holds at the median and at the busiest window, memory for all rings,
GB an hour without rings, and CPU as a range: published figures until ringtrace overhead has measured this database.
Fetches, closes, plans and binds are derived from other counters; the figures are right to some ten percent at best.
--format html makes one self-contained page with the chart. What enable prints in one line is kept with its campaign:
the chart of it is in the bundle's report.html.

Example:

    ringtrace estimate -c / --username APP
    ringtrace estimate -c / --all-app --windows 6 --window 60s --ring 1m -o json
    ringtrace estimate -c / --all-app --format html --out estimate.html`,
		Flags:  flags,
		Action: rt.estimate,
	}, exit.OK, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.ToolMissing)
}

func (rt *runtime) estimate(c *cli.Context) error {
	if err := rt.wantOutput("estimate", outputText, outputJSON); err != nil {
		return err
	}
	sel, err := selectorOf(c)
	if err != nil {
		return err
	}
	format, err := rt.formatOf(c.String("format"))
	if err != nil {
		return err
	}
	if err := checkEstimate(c); err != nil {
		return err
	}
	t, err := rt.target()
	if err != nil {
		return err
	}
	if t.Kind == connect.File {
		return exit.Errorf(exit.Usage, "give -c / or -c user@host:port/service", "an inventory has no counters")
	}
	d, err := rt.openDoor(c, t)
	if err != nil {
		return err
	}
	defer d.close()
	in, simulated, err := rt.estimateInput(c, d, sel)
	if err != nil {
		return err
	}
	reader := estimate.NewReader(d, in.Rows)
	if in.Snapshots, err = rt.snapshots(c, reader); err != nil {
		return err
	}
	var warnings []string
	if in.Cursors, err = reader.Cursors(c.Context, in.Snapshots[len(in.Snapshots)-1]); err != nil {
		warnings = append(warnings, fmt.Sprintf("statements are taken as typical: %v", err))
	} else {
		in.Statements, warnings = reader.Statements(c.Context, in.Cursors)
	}
	r, err := estimate.Compute(*in)
	if err != nil {
		return err
	}
	r.Warnings = append(r.Warnings, warnings...)
	for i := range r.Advice {
		r.Advice[i] = rt.complete(r.Advice[i])
	}
	if simulated {
		r.Warnings = append(r.Warnings, simulatedCounters)
	}
	return rt.writeReport(c, func(w io.Writer) error {
		switch format {
		case outputJSON:
			return writeJSON(w, r)
		case formatHTML:
			return r.WriteHTML(w, "ringtrace "+version())
		}
		return r.WriteText(w, printable)
	})
}

// checkEstimate refuses figures that no estimate can be made with.
func checkEstimate(c *cli.Context) error {
	windows, window := c.Int("windows"), durationOf(c, "window")
	switch {
	case windows < 1 || windows > 1000:
		return exit.Errorf(exit.Usage, "give --windows 3", "--windows %d is not from 1 to 1000", windows)
	case window < 100*time.Millisecond || window > 24*time.Hour:
		return exit.Errorf(exit.Usage, "give --window 10s", "--window %v is not from 100ms to 24h", window)
	case !(c.Float64("share") > 0 && c.Float64("share") <= 100):
		return exit.Errorf(exit.Usage, "give --share 95", "--share %g is no percentage of sessions", c.Float64("share"))
	}
	if ring := sizeOf(c, "ring"); ring < 4096 || ring > 1<<31-1 {
		return exit.Errorf(exit.Usage, "give --ring 256000", "--ring %d is not from 4096 to 2147483647", ring)
	}
	return nil
}

// snapshots reads the counters before the first window and after each.
func (rt *runtime) snapshots(c *cli.Context, reader *estimate.Reader) ([]estimate.Snapshot, error) {
	windows, window := c.Int("windows"), durationOf(c, "window")
	var out []estimate.Snapshot
	for i := range windows + 1 {
		if i > 0 {
			rt.notef("window %d of %d: %v", i, windows, window)
			if err := sleep(c.Context, window); err != nil {
				return nil, err
			}
		}
		snap, err := reader.Snapshot(c.Context)
		if err != nil {
			return nil, err
		}
		snap.At = time.Now()
		out = append(out, snap)
	}
	return out, nil
}

// simulatedCounters marks an estimate that is not of a database.
const simulatedCounters = "these are the counters of a simulated instance"

// estimateInput finds the sessions and what their tracing would be, and whether
// they are simulated.
func (rt *runtime) estimateInput(c *cli.Context, d *door, sel *sessions.Selector) (in *estimate.Input, simulated bool, err error) {
	f, err := sessions.Open(c.Context, d)
	if err != nil {
		return nil, false, err
	}
	inv, err := f.Inventory(c.Context, sel)
	if err != nil {
		return nil, false, err
	}
	simulated = isSimulated(c.Context, d.target, d)
	rt.warnAll(inv.Warnings)
	in = &estimate.Input{
		Cost: rt.lineCost(c.Context, d, simulated), History: durationOf(c, "history").Seconds(), Share: c.Float64("share") / 100,
		Options: estimate.Options{Waits: c.Bool("waits"), Binds: c.Bool("binds"), PlanStat: c.String("plan-stat"), Ring: sizeOf(c, "ring")},
	}
	in.Options.Release = releaseOf(inv.Instances)
	for _, r := range inv.Selected() {
		in.Rows = append(in.Rows, r.Session)
	}
	if len(in.Rows) == 0 {
		return nil, false, nothingMatched(sel, inv.Summary())
	}
	return in, simulated, nil
}

// lineCost is what overhead measured on this database, else what is published.
// A simulated instance has records of its own.
func (rt *runtime) lineCost(ctx context.Context, q sessions.Querier, simulated bool) estimate.Cost {
	cost := estimate.PublishedCost()
	var name string
	rows, err := q.QueryContext(ctx, "select name from v$database")
	if err != nil {
		return cost
	}
	defer rows.Close()
	if !rows.Next() || rows.Scan(&name) != nil {
		return cost
	}
	var doc struct {
		Tests []overhead.Test `json:"tests"`
	}
	if !rt.readRecord("overhead", oracleRecord(name, simulated), &doc) {
		return cost
	}
	var measured []float64
	for _, t := range doc.Tests {
		if t.Simulate != simulated {
			continue // a file that was put there
		}
		for _, s := range t.States {
			per := s.CPUUSPerLine
			if per == nil {
				per = s.USPerLine
			}
			if per != nil && *per > 0 && (s.State == overhead.File || s.State == overhead.Buffered) {
				measured = append(measured, *per)
			}
		}
	}
	if len(measured) == 0 {
		return cost
	}
	source := "measured by ringtrace overhead on " + name
	if simulated {
		source += ", a simulated instance"
	}
	cost = estimate.Cost{LowUS: measured[0], HighUS: measured[0], Measured: true, Source: source}
	for _, m := range measured {
		cost.LowUS, cost.HighUS = min(cost.LowUS, m), max(cost.HighUS, m)
	}
	return cost
}

// shortEstimate says in one line what the rings of the selected sessions will
// hold. It is a courtesy: a failure shows with -v, stops nothing and makes the
// result nil.
func (rt *runtime) shortEstimate(ctx context.Context, q sessions.Querier, simulated bool, inv *sessions.Inventory, sel *sessions.Selector, o plan.Options) *estimate.Result {
	var rows []sessions.Session
	for _, r := range inv.Selected() {
		rows = append(rows, r.Session)
	}
	if len(rows) == 0 || inv.Now.IsZero() {
		return nil
	}
	snap, err := estimate.NewReader(q, rows).Snapshot(ctx)
	if err != nil {
		rt.debugf("no estimate: %v", err)
		return nil
	}
	snap.At = inv.Now
	options := estimate.Options{Release: releaseOf(inv.Instances), Waits: o.Waits, Binds: o.Binds, PlanStat: o.PlanStat}
	if !o.NoRing {
		options.Ring = int64(o.Ring)
	}
	r := estimate.SinceLogon(snap, rows, options, rt.lineCost(ctx, q, simulated))
	if simulated {
		r.Warnings = append(r.Warnings, simulatedCounters)
	}
	if line := r.Short(); line != "" {
		rt.notef("%s %s", rt.complete(line), sel)
	}
	return r
}

// releaseOf is the first number of the version; 0 if it is not known.
func releaseOf(instances []sessions.Instance) int {
	for _, i := range instances {
		first, _, _ := strings.Cut(i.Version, ".")
		if n, err := strconv.Atoi(first); err == nil {
			return n
		}
	}
	return 0
}
