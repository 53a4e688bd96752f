package control

import (
	"context"
	"io"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
)

// look reads a whole trace file. zone is that of stamps without one.
func look(r io.Reader, zone *time.Location) (sight.Found, error) {
	var all sight.Found
	scan := &sight.Scan{Zone: zone}
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			add(&all, scan.Feed(buf[:n]))
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

func add(all *sight.Found, f sight.Found) {
	all.Dumps = append(all.Dumps, f.Dumps...)
	all.Records += f.Records
	all.Finished += f.Finished
	if f.Finished > 0 {
		all.Fresh = 0
	}
	all.Fresh += f.Fresh
	all.Wrapped = all.Wrapped || f.Wrapped
}

// look reads the whole trace file of a session; seen is false when nobody sees
// it. One that is not there yet is seen, and empty.
func (st *Status) look(ctx context.Context, s *journal.SessionState) (all sight.Found, seen bool, err error) {
	if st.Sight == nil || s.Tracefile == "" {
		return all, false, nil
	}
	f := sight.File{InstID: s.Session.InstID, Path: s.Tracefile, Ospid: s.Process.Ospid}
	if in, ok := st.Place.Instance(s.Session.InstID); ok {
		f.Host = in.HostName
	}
	scan := &sight.Scan{Zone: sight.Zone(s.Session.LogonTime)}
	for from := int64(0); ; {
		p, err := st.Sight.Look(ctx, f, from)
		if !p.Seen || err != nil {
			return all, false, err
		}
		add(&all, scan.Feed(p.Data))
		if from = p.Next; !p.More {
			return all, true, nil
		}
	}
}
