package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/sessions"
)

// checkDatabase opens the given connection and asks the database what a run
// would ask. A file has no database.
func (d *doctor) checkDatabase(c *cli.Context) {
	target, err := connect.Parse(d.rt.connect)
	if err != nil {
		return // checkConnection has told
	}
	switch target.Kind {
	case connect.Local, connect.Remote, connect.Wallet:
		d.checkSYSDBA(target)
	case connect.Sim:
	default:
		return
	}
	opened, err := d.rt.openDoor(c, target)
	if err != nil {
		d.fail("database", target.String(), err.Error(), hintOr(err, "see the lines above"))
		return
	}
	defer func() { _ = opened.close() }() // nothing was written
	finder, err := sessions.Open(c.Context, opened)
	if err != nil {
		d.fail("database", target.String(), err.Error(), hintOr(err, "grant SELECT_CATALOG_ROLE to this user, or connect as another"))
		return
	}
	for _, in := range finder.Instances {
		d.ok("database", in.InstanceName, fmt.Sprintf("instance %d on %s, release %s", in.InstID, in.HostName, in.Version))
	}
	d.checkSimulated(target, isSimulated(c.Context, target, opened))
	inv, err := finder.Inventory(c.Context, &sessions.Selector{AllApp: true})
	if err != nil {
		d.fail("sessions", "", err.Error(), hintOr(err, "grant SELECT_CATALOG_ROLE to this user, or connect as another"))
		return
	}
	for _, w := range inv.Warnings {
		message, hint, ok := strings.Cut(w, ": ")
		if !ok {
			message, hint = w, "grant SELECT_CATALOG_ROLE to this user, or connect as another"
		}
		d.warn("database", "", message, hint)
	}
	sum := inv.Summary()
	d.ok("sessions", fmt.Sprintf("%d of %d", sum.Selected, sum.Seen), "application sessions that could be armed; ringtrace sessions --explain tells of the others")
	if target.Kind == connect.Sim || target.SYSDBA() {
		d.checkArming(c, inv)
	}
}

// checkSYSDBA: listing needs a few grants only, ORADEBUG needs SYSDBA
// (facts/views-and-sqlplus.md 3.1).
func (d *doctor) checkSYSDBA(target connect.Target) {
	if target.SYSDBA() {
		d.ok("sysdba", "", "asked for; enough for ORADEBUG")
		return
	}
	d.warn("sysdba", "", "not asked for: sessions can be listed and scripts generated, but not armed from here",
		"type: -c '"+target.String()+" as sysdba', or have a DBA run the generated scripts")
}

// checkSimulated tells of a simulated instance; who connected to it like to a
// database may not know.
func (d *doctor) checkSimulated(target connect.Target, simulated bool) {
	switch {
	case !simulated:
	case target.Kind == connect.Sim:
		d.ok("simulated", "", simulatedText)
	default:
		d.warn("simulated", target.String(), simulatedText+"; what is measured and drilled here is kept apart", "for a database use a shell that has not read the env.sh of ringtrace sim up")
	}
}
