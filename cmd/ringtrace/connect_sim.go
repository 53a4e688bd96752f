package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
)

// openSim is the door to a simulated instance: in process for `sim:` and
// `sim:?…`, the one that runs in a folder for `sim:DIR`.
func (rt *runtime) openSim(c *cli.Context, t connect.Target) (*door, error) {
	if t.Address != "" && !strings.HasPrefix(t.Address, "?") {
		client, err := dialSim(t.Address)
		if err != nil {
			return nil, err
		}
		db := client.OpenDB(1, rt.simCaller())
		return &door{Querier: db, target: t, close: db.Close}, nil
	}
	spec, err := rt.simSpec(t.Address)
	if err != nil {
		return nil, err
	}
	db, _, err := sim.Open(c.Context, spec, rt.now)
	if err != nil {
		return nil, exit.Errorf(exit.CannotConnect, "report this, it is a fault of the simulator", "%w", err)
	}
	return &door{Querier: db, target: t, close: db.Close}, nil
}

// simSpec reads what stands behind sim: for an instance in process.
func (rt *runtime) simSpec(address string) (sim.Spec, error) {
	spec, err := sim.ParseSpec(address)
	if err != nil {
		return spec, exit.Errorf(exit.Usage, "write for example -c 'sim:?seed=1&sessions=60&release=19c'", "%w", err)
	}
	return spec, nil
}
