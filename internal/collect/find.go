package collect

import (
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"ringtrace/internal/journal"
)

// want is a path that somebody reported, and the sessions that it is of.
type want struct {
	inst     int
	path     string
	ospid    string
	foundBy  []string
	kind     string
	sessions []*journal.SessionState
}

// finder gathers what is wanted, every path once an instance.
type finder struct {
	wants []*want
	byKey map[string]*want
}

func (f *finder) add(inst int, p, kind, by, ospid string, list ...*journal.SessionState) *want {
	k := string(rune(inst)) + p
	w := f.byKey[k]
	if w == nil {
		w = &want{inst: inst, path: p, kind: kind, ospid: ospid}
		f.byKey[k] = w
		f.wants = append(f.wants, w)
	}
	if !slices.Contains(w.foundBy, by) {
		w.foundBy = append(w.foundBy, by)
	}
	for _, s := range list {
		if !slices.Contains(w.sessions, s) {
			w.sessions = append(w.sessions, s)
		}
	}
	return w
}

// ordered returns the sessions of a campaign by instance, sid, serial and
// logon.
func ordered(c *journal.Campaign) []*journal.SessionState {
	list := slices.Clone(c.Sessions)
	slices.SortStableFunc(list, func(a, b *journal.SessionState) int {
		x, y := a.Session, b.Session
		return cmp.Or(cmp.Compare(x.InstID, y.InstID), cmp.Compare(x.SID, y.SID), cmp.Compare(x.Serial, y.Serial), x.LogonTime.Compare(y.LogonTime))
	})
	return list
}

// neverArmed reports that nothing can have been written for us.
func neverArmed(s *journal.SessionState) bool {
	return s.ArmedAt.IsZero() && s.Outcome == journal.Skipped
}

// hasFired reports what the journal knows of fires.
func hasFired(s *journal.SessionState) bool {
	return len(s.Fired) > 0 || s.State == journal.Fired || s.State == journal.Unbuffered
}

// find lists the paths of all sessions. without holds the sessions for which
// no path is known.
func (r *run) find(ctx context.Context) (without []*journal.SessionState, err error) {
	for _, s := range r.sessions {
		if neverArmed(s) {
			continue
		}
		found := false
		inst := s.Session.InstID
		if s.Tracefile != "" {
			r.add(inst, s.Tracefile, kindTrace, "journal", s.Process.Ospid, s)
			found = true
		}
		if d := r.opt.Database; d != nil {
			if p := d.Traces[keyOf(inst, s.Process)]; p != "" {
				r.add(inst, p, kindTrace, "v$process", s.Process.Ospid, s)
				found = true
			}
		}
		if !found {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if !r.listed(ctx, s) {
				without = append(without, s)
			}
		}
	}
	return without, nil
}

// listed looks for files of a session's process in the folders that are known
// for its instance. Only what is there counts; no name is made up.
func (r *run) listed(ctx context.Context, s *journal.SessionState) bool {
	inst, name := s.Session.InstID, r.opt.Campaign.Instances[s.Session.InstID].InstanceName
	if s.Process.Ospid == "" || name == "" {
		return false
	}
	found := false
	for _, dir := range r.folders(inst) {
		for _, src := range r.opt.Sources {
			list, err := src.List(ctx, inst, dir, name+"_")
			if err != nil {
				continue // another source may be able to
			}
			for _, i := range list {
				b := base(i.Path)
				if strings.HasSuffix(b, ".trc") && strings.HasSuffix(stem(b, s.Process.Ospid), "_"+s.Process.Ospid) {
					r.add(inst, i.Path, kindTrace, "adr", s.Process.Ospid, s)
					found = true
				}
			}
			if found {
				return true
			}
		}
	}
	return false
}

// folders are the trace folders known for an instance: of its ADR home, and of
// the files that were reported.
func (r *run) folders(inst int) []string {
	var out []string
	if d := r.opt.Database; d != nil && d.Homes[inst] != "" {
		out = append(out, d.Homes[inst]+"/trace")
	}
	for _, s := range r.sessions {
		if s.Session.InstID == inst && s.Tracefile != "" && !slices.Contains(out, dirOf(s.Tracefile)) {
			out = append(out, dirOf(s.Tracefile))
		}
	}
	return out
}

// alerts adds the incident files that an alert log names beside our traces:
// the text log on disk, and V$DIAG_ALERT_EXT.
func (r *run) alerts(ctx context.Context) error {
	var groups []AlertGroup
	if d := r.opt.Database; d != nil {
		groups = append(groups, d.Alerts...)
	}
	seen := map[string]bool{}
	for _, w := range slices.Clone(r.wants) {
		dir := dirOf(w.path)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		found, err := r.alertLog(ctx, w.inst, dir)
		if err != nil {
			return err
		}
		groups = append(groups, found...)
	}
	for _, g := range groups {
		for _, w := range slices.Clone(r.wants) {
			if w.path != g.File || w.kind != kindTrace {
				continue
			}
			home, _ := adrHome(w.path)
			for _, d := range g.Details {
				if h, _ := adrHome(d); h == home && strings.HasSuffix(d, ".trc") && path.Clean(d) == d {
					r.add(w.inst, d, kindIncident, "alert log", "", w.sessions...)
				}
			}
		}
	}
	return nil
}

// alertTail is how much of the end of an alert log is read.
const alertTail = 16 << 20

// alertLog reads the text alert log that stands beside the traces of an
// instance, where there is a source that can.
func (r *run) alertLog(ctx context.Context, inst int, dir string) ([]AlertGroup, error) {
	for _, src := range r.opt.Sources {
		if !src.Direct() {
			continue // not worth a transfer: -c reads the same over SQL
		}
		list, err := src.List(ctx, inst, dir, "alert_")
		if err != nil {
			continue
		}
		for _, i := range list {
			if !strings.HasSuffix(i.Path, ".log") {
				continue
			}
			f, err := src.Open(ctx, inst, i.Path, max(0, i.Size-alertTail))
			if err != nil {
				continue
			}
			text, err := io.ReadAll(io.LimitReader(f, alertTail))
			_ = f.Close() // it was only read
			if err == nil {
				return ParseAlert(string(text)), ctx.Err()
			}
		}
	}
	return nil, ctx.Err()
}

// follow adds what a trace points to: incident files, and the file that it
// goes on from or in. They must lie in the same ADR home: a trace is text that
// anybody could have written.
func (r *run) follow(it *item) {
	home, _ := adrHome(it.path)
	for _, list := range []struct {
		kind  string
		paths []string
	}{{kindIncident, it.content.incidents}, {kindContinued, it.content.continued}} {
		for _, p := range list.paths {
			h, _ := adrHome(p)
			if h != home || !strings.HasSuffix(p, ".trc") || path.Clean(p) != p {
				it.note("it names %s, which is not in its ADR home: left alone", p)
				continue
			}
			r.add(it.inst, p, list.kind, "named in "+base(it.path), "", it.sessions...)
		}
	}
}
