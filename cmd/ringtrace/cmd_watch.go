package main

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/watch"
	"ringtrace/templates"
)

func newWatchCommand(rt *runtime) *cli.Command {
	d := watch.DefaultLimits()
	flags := append(selectorFlags(), traceFlags()...)
	flags = append(flags, stationFlags()...)
	flags = append(flags, formFlag(),
		choiceFlag("on-fire", string(watch.Disarm), watch.Policies(), "what becomes of a session in which an error has fired: `WORD` disarm, rearm or leave"),
		&cli.IntFlag{Name: "until-hits", Usage: "disarm all and end after `N` fires"},
		durationFlag("for", 0, "disarm all and end after `DURATION`"),
		durationFlag("ttl", 0, "disarm each session `DURATION` after it was armed"),
		durationFlag("interval", watch.DefaultInterval, "look every `DURATION`"),
		&cli.IntFlag{Name: "max-sessions", Value: d.MaxSessions, Usage: "keep at most `N` sessions armed"},
		&cli.IntFlag{Name: "rate", Value: d.PerMinute, Usage: "arm at most `N` newcomers a minute"},
		&cli.IntFlag{Name: "storm", Value: d.StormCode, Usage: "stop arming, and re-arming, when one error fires `N` times within a minute"},
		&cli.IntFlag{Name: "storm-session", Value: d.StormSession, Usage: "disarm a session that fires `N` times within ten minutes"},
		&cli.IntFlag{Name: "max-failures", Value: control.DefaultMaxFailures, Usage: "end when more than `N` sessions fail at the start; -1: never"},
		durationFlag("pace", control.DefaultPace, "pause for `DURATION` between two sessions"),
		&cli.StringFlag{Name: "exec", Usage: "run `COMMAND` with sh at every fire; RINGTRACE_FIRE_ORA, _SID, _SERIAL, _INST, _TRACEFILE … tell of it"},
		&cli.BoolFlag{Name: "resume", Usage: "go on with the open campaign of an earlier watch with the same selector and events, also after a crash; begin one if there is none"},
		&cli.StringFlag{Name: "purpose", Usage: "say in the journal what it is for"},
		&cli.StringFlag{Name: "ticket", Usage: "name the ticket in the journal"},
		&cli.BoolFlag{Name: "force", Usage: "arm although somebody else's event is there (it is set again by disable); take event numbers as --ora"},
	)
	return exits(&cli.Command{
		Name:  "watch",
		Usage: "follow the pool: arm newcomers, notice fires, act on them",
		Description: `Arms the matching sessions as enable does, and stays: it arms those that come, drops those that go, notices errors that
fired by the trace files, and then disarms the session (--on-fire disarm), sets its ring again (rearm) or leaves it.
At a fire it keeps the session's open cursors, and writes the ring of the other party of a deadlock if that is armed.

--until-hits and --for take everything back at their end. Ctrl-C, or a stop by ringtrace disable, ends the watching
and leaves the sessions armed: the last line says how to take them back.

On a terminal a table changes in place; otherwise every event is one line of JSON.

Example:

    ringtrace watch -c '/ as sysdba' --username APP --ora 1555 --for 4h
    ringtrace watch -c '/ as sysdba' --service SALES --ora 60 --on-fire rearm --until-hits 3 --exec 'mail -s fired dba'
    ringtrace watch -c '/ as sysdba' --all-app --ora 4031 --resume --yes >> /var/log/ringtrace.jsonl`,
		Flags:  flags,
		Action: rt.watch,
	}, exit.OK, exit.Partial, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing, exit.Journal)
}

func (rt *runtime) watch(c *cli.Context) error {
	if err := rt.wantOutput("watch", outputText, outputJSON); err != nil {
		return err
	}
	if rt.dryRun {
		return exit.Errorf(exit.Usage, "see what it would arm now with: ringtrace enable … --dry-run", "watch has no dry run")
	}
	sel, err := requiredSelectorOf(c)
	if err != nil {
		return err
	}
	o, asks, err := rt.readTraceOptions(c, c.Bool("force"))
	if err != nil {
		return err
	}
	defer rt.unannounce()
	d, err := rt.openWatchDoor(c, sel)
	if err != nil {
		return rt.outranked(c.Context, asks, err)
	}
	defer d.close()
	rt.noteSimulated(d.station.target, d.station.simulated(c.Context))
	if err := rt.formOf(c, d.station, &o); err != nil {
		return rt.outranked(c.Context, asks, err)
	}
	if err := rt.settle(c.Context, asks); err != nil {
		return err
	}
	question := fmt.Sprintf("watch %s and arm at most %s, rings of %s", sel, count(c.Int("max-sessions"), "session"), templates.Bytes(int64(o.Ring)))
	if err := rt.confirm(c.Context, question); err != nil {
		return err
	}
	cfg, err := rt.watchConfig(c, d, o)
	if err != nil {
		return err
	}
	hook := rt.newHook(c.String("exec"))
	defer hook.close()
	cfg.Hook = hook.fire
	return rt.runWatch(c, cfg)
}

func (rt *runtime) watchConfig(c *cli.Context, d *watchDoor, o plan.Options) (watch.Config, error) {
	state, err := rt.controlState()
	if err != nil {
		return watch.Config{}, err
	}
	id, err := plan.NewCampaignID(rt.now(), rand.Reader)
	if err != nil {
		return watch.Config{}, err
	}
	cfg := watch.Config{
		State: state, Source: d.source, Sight: d, Ends: d.station.localSight(), Runner: d.runner, Snapshot: d.cursors, SaveCursors: rt.saveCursors(c.Context),
		Campaign: id, Selector: d.source.Selector.String(), Purpose: c.String("purpose"), Ticket: c.String("ticket"),
		Events: control.EventsOf(plan.Events(o)), Force: c.Bool("force"), Resume: c.Bool("resume"), Vanishes: d.station.vanishes,
		OnFire: watch.OnFire(c.String("on-fire")), Errorstack: o.Errorstack, Interval: durationOf(c, "interval"), For: durationOf(c, "for"),
		TTL: durationOf(c, "ttl"), UntilHits: c.Int("until-hits"),
		Limits: watch.Limits{
			MaxSessions: c.Int("max-sessions"), PerMinute: c.Int("rate"), StormCode: c.Int("storm"), StormSession: c.Int("storm-session"),
		},
		Waves:     control.Waves{MaxFailures: c.Int("max-failures"), Pace: durationOf(c, "pace"), Sleep: sleep, Check: d.betweenWaves},
		Preflight: d.preflight(int64(o.Ring), o.NoRing), Room: d.room(int64(o.Ring)),
		Further: func(list []*journal.Campaign) string { return d.station.wayTo(list) },
		Now:     rt.now, Sleep: sleep, Say: func(s string) { rt.notef("%s", s) },
	}
	if !o.NoRing {
		cfg.RingBytes = int64(o.Ring)
	}
	if cfg.Vanishes {
		rt.warnf("%s is an instance in this process: nothing but this run happens in it; ringtrace sim up --dir DIR makes one that stays", rt.connect)
	}
	return cfg, nil
}

// runWatch watches, with the output that fits where it goes.
func (rt *runtime) runWatch(c *cli.Context, cfg watch.Config) error {
	var w *watch.Watch
	screen := rt.newScreen()
	if screen == nil {
		var log *logFile
		if p, ok := rt.stdout.(*productWriter); ok {
			log = openLogFile(p, rt.warnf)
			defer log.close(p.w)
		}
		cfg.Emit = func(l watch.Line) error {
			log.ready()
			rt.completeDetail(l.Detail)
			if l.Session != nil {
				rt.completeDetail(l.Session.Detail)
			}
			return rt.printJSONLine(l)
		}
		w = watch.New(cfg)
		return rt.watchEnded(w, w.Run(c.Context))
	}
	table := &watch.Table{}
	if cfg.For > 0 {
		table.Until = ", until " + rt.now().Add(cfg.For).UTC().Format(time.RFC3339)
	}
	defer screen.capture()()
	draw := func() {
		width, height := screen.size()
		table.Rows = max(1, min(watch.DefaultRecent, height-watch.TableHead-1))
		screen.draw(table.Render(w.Campaign, rt.now(), width))
	}
	cfg.Emit = func(l watch.Line) error {
		table.Stop = cfg.State.Undo(w.Campaign)
		table.Add(l, w.Totals())
		draw()
		if l.Kind == watch.LineSummary {
			rt.printSummary(l)
		}
		return nil
	}
	w = watch.New(cfg)
	return rt.watchEnded(w, w.Run(c.Context))
}

// watchEnded is the error of a watch as a person reads it.
func (rt *runtime) watchEnded(w *watch.Watch, err error) error {
	var ids []string
	if w.Begun() {
		ids = append(ids, w.Campaign)
	}
	err = rt.noRoom(connectError(err), ids...)
	if undo := w.State.Undo(w.Campaign); err != nil && !strings.Contains(exit.HintOf(err), undo) && w.LeftOn() {
		// Whatever becomes of the error: the summary may not have been written.
		rt.warnf("the watch has ended and leaves %s armed; take them back with: %s", count(w.Totals().Watched, "session"), undo)
	}
	return err
}

// printSummary is the end of a watch on a terminal. What interrupted it, how much
// is on and the way back stand in the error that follows then.
func (rt *runtime) printSummary(l watch.Line) {
	fmt.Fprintln(rt.stdout)
	if l.Summary.Ended != "interrupted" {
		fmt.Fprintf(rt.stdout, "ended (%s): %s\n", l.Summary.Ended, l.Summary.Sentence())
		if l.Undo != nil {
			fmt.Fprintf(rt.stdout, "undo: %s\n", *l.Undo)
		}
	}
	if l.Summary.Hits > 0 {
		fmt.Fprintf(rt.stdout, "collect the traces: %s\n", rt.collectFrom(l.Campaign, ""))
	}
}
