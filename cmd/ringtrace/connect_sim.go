package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
)

// openSim is the door to a simulated instance: in process for `sim:` and
// `sim:?…`.
func (rt *runtime) openSim(c *cli.Context, t connect.Target) (*door, error) {
	if t.Address != "" && !strings.HasPrefix(t.Address, "?") {
		return nil, exit.Errorf(exit.CannotConnect, "start one with: ringtrace sim up --dir "+t.Address, "no simulated instance runs in %s", t.Address)
	}
	spec, err := sim.ParseSpec(t.Address)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "write for example -c 'sim:?seed=1&sessions=60&release=19c'", "%w", err)
	}
	db, _, err := sim.Open(c.Context, spec, rt.now)
	if err != nil {
		return nil, exit.Errorf(exit.CannotConnect, "report this, it is a fault of the simulator", "%w", err)
	}
	return &door{Querier: db, target: t, close: db.Close}, nil
}
