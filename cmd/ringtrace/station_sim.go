package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
)

// openSimulated makes the instance in process for `sim:`, which ends with this
// run.
func (st *station) openSimulated(c *cli.Context, t connect.Target) error {
	spec, err := st.rt.simSpec(t.Address)
	if err != nil {
		return err
	}
	bug := func(err error) error {
		return exit.Errorf(exit.CannotConnect, "report this, it is a fault of the simulator", "%w", err)
	}
	d, err := sim.New(spec, st.rt.now, nil, "")
	if err != nil {
		return bug(err)
	}
	db, err := sim.Connect(d, d.Instances[0])
	if err != nil {
		return bug(err)
	}
	st.closers = append(st.closers, db.Close)
	conn, err := db.Conn(c.Context) // one session, so that it knows itself
	if err != nil {
		return bug(err)
	}
	st.closers = append(st.closers, conn.Close)
	pool := engine.NewPool(d)
	st.closers = append(st.closers, func() error {
		pool.Close()
		return nil
	})
	st.q, st.vanishes = conn, true
	st.dial = func(_ context.Context, inst int) (control.Conversation, error) {
		e, err := pool.Get(d.Instance(inst))
		if err != nil {
			return nil, bug(err)
		}
		return sim.Converse(e)
	}
	st.drill = simulatedDrill(d, pool)
	st.read = func(path string) (io.ReadCloser, error) {
		b, err := d.Store.ReadFile(path)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return io.NopCloser(bytes.NewReader(b)), nil
	}
	return nil
}
