package watch

import (
	"context"
	"fmt"

	"ringtrace/internal/control"
	"ringtrace/sessions"
)

// Finder is the Source over a sessions.Finder.
type Finder struct {
	Selector *sessions.Selector
	// Open returns a connection that works; it is asked again after a failure.
	Open func(ctx context.Context) (sessions.Querier, error)
	// Warn is told what the listing warns of, each sentence once; nil: nobody.
	Warn func(string)

	finder *sessions.Finder
	warned map[string]bool
	place  control.Place
}

// Fresh implements Source: the next List asks for the instances anew.
func (f *Finder) Fresh() { f.finder = nil }

// List implements Source.
func (f *Finder) List(ctx context.Context) (*Listing, error) {
	l, err := f.list(ctx)
	if err != nil {
		f.finder = nil
		return nil, err
	}
	return l, nil
}

func (f *Finder) list(ctx context.Context) (*Listing, error) {
	l := &Listing{}
	if f.finder == nil {
		q, err := f.Open(ctx)
		if err != nil {
			return nil, err
		}
		if f.finder, err = sessions.Open(ctx, q); err != nil {
			return nil, err
		}
		f.place = placeOf(f.finder)
		l.Now = f.finder.Now
	}
	inv, err := f.finder.Inventory(ctx, f.Selector)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	f.warn(inv.Warnings)
	f.finder.Warnings = nil
	l.Rows, l.Place = inv.Rows, f.place
	return l, nil
}

// maxWarned bounds the sentences that are remembered, in number: they may name
// sessions, and a watch goes on for days.
const maxWarned = 1000

func (f *Finder) warn(list []string) {
	for _, s := range list {
		if f.warned == nil || len(f.warned) >= maxWarned {
			f.warned = map[string]bool{}
		}
		if !f.warned[s] && f.Warn != nil {
			f.Warn(s)
		}
		f.warned[s] = true
	}
}

func placeOf(f *sessions.Finder) control.Place {
	var p control.Place
	for i := range f.Instances {
		in := &f.Instances[i]
		if in.InstID == f.InstID || i == 0 {
			p.Database = control.DatabaseOf(in)
		}
		p.Instances = append(p.Instances, control.InstanceOf(in))
	}
	return p
}
