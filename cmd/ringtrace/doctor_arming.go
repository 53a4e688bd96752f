package main

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/drill"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/quantity"
	"ringtrace/sessions"
)

// checkArming asks what enable would ask before it touches anything: ORADEBUG
// in our own process, the parameters that matter, what a drill has proved. No
// target is touched.
func (d *doctor) checkArming(c *cli.Context, inv *sessions.Inventory) {
	st, err := d.rt.openStation(c)
	if err != nil {
		d.fail("oradebug", "", err.Error(), hintOr(err, "see the lines above"))
		return
	}
	defer st.close()
	d.checkORADEBUG(c.Context, st)
	d.checkParameters(c.Context, st)
	pre := &control.Preflight{
		Query: st.q, DiskFree: st.diskFree, InstID: st.finder.InstID, RingBytes: plan.DefaultRing, Version: st.finder.Capability.Release.String(),
	}
	for i := range inv.Rows {
		if r := &inv.Rows[i]; r.Selected && r.InstID == pre.InstID {
			pre.Sessions = append(pre.Sessions, r.Session)
		}
	}
	notes, err := pre.Run(c.Context)
	for _, n := range notes {
		d.warn("arming", "", n, "enable says it again, and goes on")
	}
	if err != nil {
		d.warn("arming", fmt.Sprintf("%d sessions", len(pre.Sessions)), err.Error(), hintOr(err, "choose fewer sessions"))
	}
	d.checkDrill(c.Context, st)
}

// checkORADEBUG runs setmypid and eventdump in our own process, which changes
// nothing.
func (d *doctor) checkORADEBUG(ctx context.Context, st *station) {
	replies, err := st.console(st.finder.InstID).Own(ctx, "eventdump session")
	if err == nil {
		err = control.Allowed(replies)
	}
	if err != nil {
		d.fail("oradebug", "", err.Error(), hintOr(err, "try by hand: oradebug setmypid, oradebug eventdump session"))
		return
	}
	d.ok("oradebug", "", "allowed: setmypid and eventdump session answer in our own process")
}

// parameters are those that decide what tracing can do and where it writes.
const parameters = `select name, value from gv$parameter where inst_id = :1 and name in ('diagnostic_dest', 'diagnostics_control', 'max_dump_file_size',` +
	` 'pga_aggregate_limit', 'sql_trace', 'statistics_level', 'threaded_execution', 'timed_statistics') order by name`

func (d *doctor) checkParameters(ctx context.Context, st *station) {
	rows, err := st.q.QueryContext(ctx, parameters, st.finder.InstID)
	if err != nil {
		d.warn("parameter", "", "GV$PARAMETER cannot be read: "+err.Error(), "grant SELECT_CATALOG_ROLE to this user, or connect as another")
		return
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		var name, value sql.NullString
		if err = rows.Scan(&name, &value); err != nil {
			break
		}
		d.parameter(st.finder.Capability.Release, name.String, value.String)
	}
	if err == nil {
		err = rows.Err()
	}
	if err != nil {
		d.warn("parameter", "", "GV$PARAMETER cannot be read: "+err.Error(), "see the lines above")
	}
}

// From 12.1 on a trace is cut in five segments, unless the limit is small: 15 MB
// says one document, 25 MB a newer one (facts/views-and-sqlplus.md 4.2). Below
// the second size, in bytes, a few flushes with their dumps fill the segments.
const (
	leastSegmented = 25 << 20
	comfortable    = 100 << 20
)

// parameter judges one value (facts/views-and-sqlplus.md 4.2 for the size; the
// others as their names say).
func (d *doctor) parameter(release sessions.Release, name, value string) {
	check := "parameter " + name
	upper := strings.ToUpper(value)
	switch {
	case name == "timed_statistics" && upper == "FALSE":
		d.warn(check, value, "traces will hold no times", "type: alter system set timed_statistics = true")
	case name == "sql_trace" && upper == "TRUE":
		d.warn(check, value, "every session writes SQL trace already; enable skips them as foreign_event", "find out who set it, before anything is armed")
	case name == "max_dump_file_size":
		d.dumpFileSize(release, check, value)
	case name == "pga_aggregate_limit":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n > 0 {
			value = quantity.Bytes(n)
		}
		d.ok(check, value, "enable takes a quarter of what is left of it for rings at most")
	default:
		d.ok(check, value, "seen")
	}
}

func (d *doctor) dumpFileSize(release sessions.Release, check, value string) {
	limit, bounded := control.DumpFileLimit(value)
	if !bounded {
		d.ok(check, value, "trace files are not cut off")
		return
	}
	said := fmt.Sprintf("a trace file ends after %d bytes, in the middle of a flush too", limit)
	if release.AtLeast(12, 1) && limit >= leastSegmented {
		said = fmt.Sprintf("a process keeps its first segment of %s and the newest ones, up to this in all: a longer trace loses its middle", quantity.Bytes(limit/5))
		if limit >= comfortable {
			d.ok(check, value, said)
			return
		}
	}
	d.warn(check, value, said, "ringtrace changes no system setting; for the time of the campaign you can: alter system set max_dump_file_size = unlimited scope = memory, and back: = '"+value+"' scope = memory")
}

// checkDrill tells what a drill has proved for this version.
func (d *doctor) checkDrill(ctx context.Context, st *station) {
	in, _ := st.place.Instance(st.finder.InstID)
	dir := d.rt.stateDirPath()
	if dir == "" {
		return
	}
	r, err := drill.Load(dir, in.Version, st.simulated(ctx))
	switch {
	case err != nil:
		d.warn("drill", in.Version, err.Error(), "run it again: ringtrace drill "+d.rt.way())
	case r == nil:
		d.warn("drill", in.Version, "what this version does with rings was not tried out; --form auto takes the founding form", "on a test system type: ringtrace drill "+d.rt.way())
	default:
		d.ok("drill", in.Version, fmt.Sprintf("%d of %d questions settled on %s; --form auto takes the form %s", r.Settled(), len(r.Answers), r.At.Format("2006-01-02"), r.Form))
	}
}

func hintOr(err error, otherwise string) string {
	if hint := exit.HintOf(err); hint != "" {
		return hint
	}
	return otherwise
}
