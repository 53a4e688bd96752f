package instance

import (
	"fmt"
	"time"

	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/fault"
)

// Fault makes something go wrong, now or when its moment comes.
func (d *Database) Fault(f fault.Fault) error {
	switch f.Kind {
	case fault.HangTarget, fault.KillSession, fault.EndProcess, fault.ReuseProcess, fault.SwitchUser:
		if f.Off && f.Kind == fault.HangTarget {
			d.mu.Lock()
			for _, in := range d.Instances {
				for _, p := range in.procs {
					if p != nil && p.hung {
						p.wake()
					}
				}
			}
			d.mu.Unlock()
			return nil
		}
		return d.faultSession(f)
	case fault.TraceUnreadable, fault.TraceVanished, fault.TraceRenamed, fault.TraceSegmented:
		return d.faultFile(f)
	case fault.TraceLimit:
		return d.faultLimit(f)
	case fault.SqlplusMissing:
		if d.Outside == nil {
			return fmt.Errorf("fault %s needs an instance in a folder: ringtrace sim up --dir DIR", f.Kind)
		}
		return d.Outside(f)
	case fault.ClockStep:
		by, err := fault.Duration(f.Value)
		if err != nil {
			return err
		}
		d.Advance(by)
		return nil
	}
	d.Faults.Put(f)
	return nil
}

func (d *Database) faultSession(f fault.Fault) error {
	s, err := d.Find(f.Value)
	if err != nil {
		return err
	}
	d.mu.Lock()
	p := s.Proc
	d.mu.Unlock()
	if p == nil {
		return fmt.Errorf("session %s has no process", f.Value)
	}
	switch f.Kind {
	case fault.HangTarget:
		d.Hang(p, true)
	case fault.KillSession:
		d.Kill(s)
	case fault.EndProcess:
		d.Die(p)
	case fault.ReuseProcess:
		d.reuse(p)
	case fault.SwitchUser:
		d.SwitchSession(s, Logon{User: "STRANGER", Service: s.Service, Program: s.Program, Machine: s.Machine, OSUser: s.OSUser})
	}
	return nil
}

// reuse ends a process and lets a stranger's take its slots at once: same
// orapid and sid, other serials and another spid.
func (d *Database) reuse(p *Process) *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	in := p.Inst
	d.die(p)
	n := in.start(&Process{Started: d.clock()})
	return in.attach(d.session(Logon{User: "STRANGER", Program: "stranger.exe", Machine: "elsewhere", OSUser: "nobody"}), n)
}

// Attaching is called when ORADEBUG is about to attach: the faults that wait
// for this moment happen. Not under the lock.
func (d *Database) Attaching(in *Instance, orapid int) {
	for _, k := range []fault.Kind{fault.DelayedGone, fault.DelayedReuse} {
		v, on := d.Faults.Get(k)
		if !on {
			continue
		}
		s, err := d.Find(v)
		if err != nil {
			continue
		}
		d.mu.Lock()
		p := s.Proc
		d.mu.Unlock()
		if p == nil || p.Inst != in || p.Orapid != orapid {
			continue
		}
		d.Faults.Take(k)
		if k == fault.DelayedGone {
			d.Die(p)
		} else {
			d.reuse(p)
		}
	}
}

// Find returns the session that SID[,SERIAL#[,@INST]] names.
func (d *Database) Find(ref string) (*Session, error) {
	sid, serial, inst, err := fault.Session(ref)
	if err != nil {
		return nil, err
	}
	in := d.Instance(inst)
	if in == nil {
		return nil, fmt.Errorf("there is no instance %d", inst)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s := in.Session(sid)
	if s == nil || serial != 0 && s.Serial != serial {
		return nil, fmt.Errorf("there is no session %s on instance %d; `ringtrace sim show` lists them", ref, inst)
	}
	return s, nil
}

// wake makes a hung process well: what was asked of it meanwhile runs now,
// because a request that timed out stays posted (facts/oradebug.md 2.6).
// Under the lock.
func (p *Process) wake() {
	p.hung = false
	todo := p.pending
	p.pending = nil
	for _, f := range todo {
		f()
	}
}

// Suspend makes the process deaf until Hang wakes it. Under the lock.
func (p *Process) Suspend() { p.hung = true }

// Later queues a request on a hung process. Under the lock.
func (p *Process) Later(f func()) { p.pending = append(p.pending, f) }

// faulty is a Store whose writes fail silently while the disk is full.
type faulty struct {
	adr.Store
	faults *fault.Set
}

// Append implements adr.Store.
func (s faulty) Append(path string, p []byte, now time.Time) error {
	if _, full := s.faults.Get(fault.DiskFull); full {
		return fmt.Errorf("%s: no space left on device", path)
	}
	return s.Store.Append(path, p, now)
}
