package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/internal/watch"
	"ringtrace/sessions"
)

// watchDoor is a station that is opened again when it was lost.
type watchDoor struct {
	rt      *runtime
	c       *cli.Context
	station *station
	used    bool // the station at hand was given to the source already
	source  *watch.Finder
	files   sight.Chain
}

func (rt *runtime) openWatchDoor(c *cli.Context, sel *sessions.Selector) (*watchDoor, error) {
	st, err := rt.armingStation(c, "watch")
	if err != nil {
		if st != nil {
			st.close()
		}
		return nil, err
	}
	d := &watchDoor{rt: rt, c: c, station: st}
	d.source = &watch.Finder{Selector: sel, Open: d.open, Warn: func(s string) { rt.warnf("%s", s) }}
	d.see()
	return d, nil
}

func (d *watchDoor) close() { d.station.close() }

// open returns a connection that works: the one at hand if it answers, else a
// new one.
func (d *watchDoor) open(ctx context.Context) (sessions.Querier, error) {
	if !d.used {
		d.used = true
		return d.station.q, nil
	}
	if _, err := sessions.Open(ctx, d.station.q); err == nil {
		return d.station.q, nil
	}
	st, err := d.rt.openStation(d.c)
	if err != nil {
		return nil, err
	}
	d.station.close()
	d.station = st
	d.see()
	return st.q, nil
}

// see arranges where trace files are looked at.
func (d *watchDoor) see() { d.files = d.station.sight() }

// Refresh implements sight.Sight.
func (d *watchDoor) Refresh(ctx context.Context) error { return d.files.Refresh(ctx) }

// Look implements sight.Sight.
func (d *watchDoor) Look(ctx context.Context, f sight.File, from int64) (sight.Piece, error) {
	return d.files.Look(ctx, f, from)
}

func (d *watchDoor) runner(_ context.Context, inst int) (control.Runner, error) {
	return again{d, inst}, nil
}

// again holds targets through the station at hand, which may be another one by
// now.
type again struct {
	d    *watchDoor
	inst int
}

// Hold implements control.Runner.
func (a again) Hold(ctx context.Context, t control.Target, work func(control.Held) error) error {
	return a.d.station.console(a.inst).Hold(ctx, t, work)
}

func (d *watchDoor) cursors(ctx context.Context, inst, sid int) ([]watch.Cursor, error) {
	return watch.Cursors(ctx, d.station.q, inst, sid)
}

func (d *watchDoor) betweenWaves(ctx context.Context, armed []control.Result) error {
	return d.station.betweenWaves(ctx, armed)
}

// preflight is that of enable, for the sessions that are there at the start.
func (d *watchDoor) preflight(ring int64, noRing bool) func(context.Context, int, []sessions.Session) error {
	if noRing {
		ring = 0
	}
	return func(ctx context.Context, inst int, list []sessions.Session) error {
		pre := d.station.preflightOf(inst, ring)
		pre.Sessions = list
		notes, err := pre.Run(ctx)
		d.rt.warnAll(notes)
		var dial *control.DialError
		if errors.As(err, &dial) && inst != d.station.finder.InstID && ctx.Err() == nil {
			return nil // watching tells of it, and tries again
		}
		return connectError(err)
	}
}

// room asks for the memory that is left for rings.
func (d *watchDoor) room(ring int64) func(context.Context, int, map[string]int) *control.Room {
	return func(ctx context.Context, inst int, armed map[string]int) *control.Room {
		return d.station.preflightOf(inst, ring).Room(ctx, armed)
	}
}

// saveCursors keeps snapshots in cursors/CAMPAIGN of the state directory, in
// the form of cursors.json of a bundle.
func (rt *runtime) saveCursors(ctx context.Context) func(string, journal.Session, time.Time, []watch.Cursor) error {
	return func(campaign string, s journal.Session, at time.Time, list []watch.Cursor) error {
		dir, err := rt.ensureStateDir()
		if err != nil {
			return err
		}
		data, err := json.MarshalIndent(map[string]any{"cursors": list}, "", "  ")
		if err != nil {
			return exit.Errorf(exit.Failed, "report it", "encode cursors: %w", err)
		}
		name := fmt.Sprintf("%d_%d_%d_%s.json", s.InstID, s.SID, s.Serial, at.UTC().Format("20060102T150405Z"))
		return atomicfile.WriteFile(context.WithoutCancel(ctx), filepath.Join(dir, "cursors", campaign, name), append(data, '\n'), atomicfile.Options{Force: true})
	}
}
