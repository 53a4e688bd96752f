package instance

import (
	"math/rand/v2"

	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/fault"
)

// Clone copies the database as it is, for a rehearsal: nothing that happens
// to the copy reaches the original. Trace files are read from the original's
// store and written to memory. Faults on order are not copied.
func (d *Database) Clone() *Database {
	d.mu.Lock()
	defer d.mu.Unlock()
	faults := &fault.Set{}
	n := &Database{
		Name: d.Name, UniqueName: d.UniqueName, DBID: d.DBID, Created: d.Created, Release: d.Release, CDB: d.CDB, Threaded: d.Threaded,
		Windows: d.Windows, PDBs: d.PDBs, Users: d.Users, DiagBase: d.DiagBase, Assume: d.Assume, Password: d.Password, Faults: faults,
		Store: faulty{&adr.Overlay{Base: d.Store}, faults},
		now:   d.now, offset: d.offset, rng: rand.New(rand.NewPCG(d.version, uint64(d.DBID))), version: d.version, audsid: d.audsid,
		errorText: d.errorText, carryTrace: d.carryTrace, incident: d.incident,
	}
	n.fileLimit.Store(d.fileLimit.Load())
	for _, in := range d.Instances {
		n.Instances = append(n.Instances, in.clone(n))
	}
	// A parallel slave's coordinator may be on another instance.
	for i, in := range d.Instances {
		for sid, s := range in.sessions {
			if s != nil && s.QC != nil {
				if other := n.Instance(s.QC.Inst.ID); other != nil {
					n.Instances[i].sessions[sid].QC = other.sessions[s.QC.SID]
				}
			}
		}
	}
	return n
}

func (in *Instance) clone(d *Database) *Instance {
	c := *in
	c.db = d
	c.procs = make([]*Process, len(in.procs))
	c.sessions = make([]*Session, len(in.sessions))
	c.procSer = append([]int(nil), in.procSer...)
	c.sessSer = append([]int(nil), in.sessSer...)
	c.freedSids = append([]int(nil), in.freedSids...)
	for i, p := range in.procs {
		if p == nil {
			continue
		}
		q := *p
		q.Inst, q.sessions, q.pending = &c, nil, nil
		q.Events = p.Events.Clone()
		if p.ring != nil {
			q.ring = p.ring.Clone()
		}
		c.procs[i] = &q
	}
	for i, s := range in.sessions {
		if s == nil {
			continue
		}
		t := *s
		t.Inst, t.Proc, t.QC = &c, nil, nil
		t.Events = s.Events.Clone()
		if s.Proc != nil {
			t.Proc = c.procs[s.Proc.Orapid]
		}
		c.sessions[i] = &t
	}
	for i, p := range in.procs {
		if p == nil {
			continue
		}
		for _, s := range p.sessions { // in the order in which they came
			c.procs[i].sessions = append(c.procs[i].sessions, c.sessions[s.SID])
		}
	}
	return &c
}
