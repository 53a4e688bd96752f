package main

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

func newSessionsCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), connectionFlags()...)
	return exits(&cli.Command{
		Name:  "sessions",
		Usage: "list the matching sessions, and why each is in or out",
		Description: `Lists the application sessions that the selector matches; without a selector, all of them. --explain lists every
session with the reason why it is in or out. -o csv and -o json write an inventory that every verb reads as -c file:NAME.
Several values of one flag are alternatives, different flags all have to hold, and values are exact.
Never a target, whatever the flags: shared and pooled servers, background and slave processes, killed sessions, sessions
without a process or with a process they share, and ringtrace's own.

Example:

    ringtrace sessions -c 'sys@db1:1521/sales as sysdba' --username APP --module '!REPORT'
    ringtrace sessions -c file:sessions.csv --like --machine 'app%' --explain`,
		Flags: append(flags, &cli.BoolFlag{Name: "explain", Usage: "list every session with the reason why it is in or out"}),
		Action: func(c *cli.Context) error {
			sel, err := selectorOf(c)
			if err != nil {
				return err
			}
			return rt.listSessions(c, sel)
		},
	}, exit.OK, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing)
}

// listing is what is printed: instances first, then the rows one by one.
type listing struct {
	instances []sessions.Instance
	here      int // the instance we are connected to; 0 for a file
	rows      iter.Seq2[*sessions.Row, error]
	notes     func() []string // warnings that are known after the rows
}

func (rt *runtime) listSessions(c *cli.Context, sel *sessions.Selector) error {
	t, err := rt.target()
	if err != nil {
		return err
	}
	if t.Kind == connect.File {
		inv, err := rt.fileInventory(t.Address, sel)
		if err != nil {
			return err
		}
		l := &listing{instances: inv.Instances, rows: rowsOf(inv), notes: func() []string { return nil }}
		sum, err := rt.printListing(l, c.Bool("explain"))
		if err != nil {
			return err
		}
		if err := partialError(inv); err != nil {
			return err
		}
		return foundSome(c, sel, sum)
	}
	d, err := rt.openDoor(c, t)
	if err != nil {
		return err
	}
	defer d.close()
	l, err := liveListing(c.Context, d, sel)
	if err != nil {
		return err
	}
	sum, err := rt.printListing(l, c.Bool("explain"))
	if err != nil {
		return err
	}
	rt.warnAll(l.notes())
	return foundSome(c, sel, sum)
}

func foundSome(c *cli.Context, sel *sessions.Selector, sum sessions.Summary) error {
	if sum.Selected > 0 {
		return nil
	}
	err := nothingMatched(sel, sum)
	if c.Bool("explain") && sum.Seen > 0 {
		return exit.Errorf(exit.NothingMatch, "the list says why each is out; not_matched are those that another selector would find", "%w", err)
	}
	return err
}

func rowsOf(inv *sessions.Inventory) iter.Seq2[*sessions.Row, error] {
	return func(yield func(*sessions.Row, error) bool) {
		for i := range inv.Rows {
			if !yield(&inv.Rows[i], nil) {
				return
			}
		}
	}
}

// liveListing asks a database; rows pass through and are not kept.
func liveListing(ctx context.Context, q sessions.Querier, sel *sessions.Selector) (*listing, error) {
	f, err := sessions.Open(ctx, q)
	if err != nil {
		return nil, err
	}
	notes := sessions.NewNotes(sel)
	return &listing{
		instances: f.Instances, here: f.InstID,
		rows: func(yield func(*sessions.Row, error) bool) {
			for r, err := range f.Sessions(ctx, sel) {
				if err == nil {
					notes.Add(r)
				}
				if !yield(r, err) {
					return
				}
			}
		},
		notes: func() []string { return append(append([]string{}, f.Warnings...), notes.Warnings()...) },
	}, nil
}

// printListing prints the rows in the format of -o; explain prints all of them.
func (rt *runtime) printListing(l *listing, explain bool) (sessions.Summary, error) {
	var sum sessions.Summary
	p, err := rt.sessionPrinter(l, explain)
	if err != nil {
		return sum, err
	}
	for r, err := range l.rows {
		if err != nil {
			return sum, err
		}
		sum.Add(r)
		if r.Selected || explain {
			if err := p.row(r); err != nil {
				return sum, fmt.Errorf("write standard output: %w", err)
			}
		}
	}
	if err := p.end(sum); err != nil {
		return sum, fmt.Errorf("write standard output: %w", err)
	}
	return sum, nil
}

// sessionPrinter is one output format.
type sessionPrinter interface {
	row(*sessions.Row) error
	end(sessions.Summary) error
}

func (rt *runtime) sessionPrinter(l *listing, explain bool) (sessionPrinter, error) {
	switch rt.output {
	case outputCSV:
		return csvSessions{sessions.NewCSVWriter(rt.stdout, explain)}, nil
	case outputJSON:
		w, err := sessions.NewJSONWriter(rt.stdout, l.instances)
		return jsonSessions{w}, err
	}
	return newTextSessions(rt.stdout, l, explain), nil
}

type csvSessions struct{ w *sessions.CSVWriter }

func (p csvSessions) row(r *sessions.Row) error  { return p.w.Write(r) }
func (p csvSessions) end(sessions.Summary) error { return p.w.Flush() }

type jsonSessions struct{ w *sessions.JSONWriter }

func (p jsonSessions) row(r *sessions.Row) error    { return p.w.Write(r) }
func (p jsonSessions) end(s sessions.Summary) error { return p.w.Close(s) }

// excludedText prints the excluded rows by reason: "background 3, killed 1".
func excludedText(s sessions.Summary) string {
	var b []string
	for _, r := range sessions.Reasons() {
		if n := s.Excluded[r]; n > 0 {
			b = append(b, fmt.Sprintf("%s %d", r, n))
		}
	}
	return strings.Join(b, ", ")
}
