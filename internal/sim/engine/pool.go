package engine

import (
	"sync"

	"ringtrace/internal/sim/instance"
)

// Pool keeps one dictionary an instance, opened when it is first asked for.
type Pool struct {
	d  *instance.Database
	mu sync.Mutex
	m  map[int]*Engine
}

// NewPool returns the dictionaries of a database.
func NewPool(d *instance.Database) *Pool { return &Pool{d: d, m: map[int]*Engine{}} }

// Get returns the dictionary of an instance.
func (p *Pool) Get(in *instance.Instance) (*Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.m[in.ID]; e != nil {
		return e, nil
	}
	e, err := Open(p.d, in)
	if err != nil {
		return nil, err
	}
	p.m[in.ID] = e
	return e, nil
}

// Close frees them; nothing can be lost, they are in memory.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, e := range p.m {
		_ = e.Close()
		delete(p.m, id)
	}
}
