package instance

import (
	"errors"
	"fmt"
	"io/fs"

	"ringtrace/internal/sim/fault"
)

// faultFile does something to the trace file of a session's process. What was
// done to a file cannot be taken back.
func (d *Database) faultFile(f fault.Fault) error {
	if f.Off {
		return fmt.Errorf("fault %s cannot be taken back; the process goes on in a new file", f.Kind)
	}
	s, err := d.Find(f.Value)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	p := s.Proc
	if p == nil {
		return fmt.Errorf("session %s has no process", f.Value)
	}
	file := p.TracePath()
	switch f.Kind {
	case fault.TraceUnreadable:
		err = d.Store.Forbid(file)
	case fault.TraceVanished:
		err = d.Store.Remove(file)
	case fault.TraceRenamed:
		err = d.Store.Rename(file, file+".old")
	case fault.TraceSegmented:
		if p.file.path != file {
			return fmt.Errorf("session %s has written no trace file yet; arm it and let an error come first", f.Value)
		}
		if err = p.nextSegment(); err == nil {
			p.toFile(p.header())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("session %s has written no trace file yet; arm it and let an error come first", f.Value)
	}
	return err
}

// faultLimit sets MAX_DUMP_FILE_SIZE for every process, also for those that
// had reached the old one; off is the release's own.
func (d *Database) faultLimit(f fault.Fault) error {
	n := d.Release.FileLimit
	if !f.Off {
		var err error
		if n, err = fault.Size(f.Value); err != nil {
			return err
		}
	}
	d.fileLimit.Store(n)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, in := range d.Instances {
		for _, p := range in.procs {
			if p != nil {
				p.file.full = false
			}
		}
	}
	d.version++
	return nil
}
