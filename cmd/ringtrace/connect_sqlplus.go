package main

import (
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/sqlplus"
	"ringtrace/sessions"
)

// openThroughSqlplus asks a database through a sqlplus child: a host with
// nothing but sqlplus is enough.
func (rt *runtime) openThroughSqlplus(c *cli.Context, t connect.Target) (*door, error) {
	o := sqlplus.Options{
		Target: t, Environ: rt.environ, Module: sessions.OwnModule, Action: c.Command.Name,
		ConnectTimeout: durationOf(c, "connect-timeout"), Timeout: commandTimeout(c), Now: rt.now,
	}
	var err error
	if o.Program, _, err = rt.findSqlplus(c.String("sqlplus")); err != nil {
		return nil, err
	}
	if o.Password, err = rt.password(c, t); err != nil {
		return nil, err
	}
	dialogue, closeDialogue, err := openDialogue(c.String("dialogue"))
	if err != nil {
		return nil, err
	}
	o.Dialogue = dialogue
	conv, err := sqlplus.Start(c.Context, o)
	if err != nil {
		return nil, errors.Join(err, closeDialogue())
	}
	db := conv.OpenDB()
	return &door{Querier: db, target: t, close: func() error {
		return errors.Join(db.Close(), conv.Close(), closeDialogue())
	}}, nil
}

// openDialogue opens --dialogue for writing at its end, so that the
// conversations of a run and of later ones stand one after the other; a nil
// writer when it is not given.
func openDialogue(path string) (w io.Writer, closeFile func() error, err error) {
	if path == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, exit.Errorf(exit.Failed, "give --dialogue FILE where you can write", "%w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = exit.Errorf(exit.Refused, "type chmod 600 "+quoteArg(path)+", or name a new file", "%s can be read by others, and a dialogue holds what the database says", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, f.Close, nil
}
