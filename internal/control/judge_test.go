package control_test

import (
	"fmt"
	"slices"

	"ringtrace/internal/control"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/instance"
)

// judge knows by the simulator's truth who may have what. It looks after every
// command of a run, and at the end.
type judge struct {
	w       *world
	planned map[*instance.Session]bool
	procs   map[*instance.Process]bool
	foreign map[*instance.Session][]string // must stay as long as the session lives
	loose   map[*instance.Session][]string // may stay
	handed  map[*instance.Session][]string // events of ours that the database handed on to the session

	force bool // of enable
	wrong []string
	gaps  int // looks that saw our events in a session that had just come to a planned process
}

// judgeOf makes the judge of a plan.
func (w *world) judgeOf(p *control.PlanFile) *judge {
	j := &judge{
		w: w, planned: map[*instance.Session]bool{}, procs: map[*instance.Process]bool{}, foreign: map[*instance.Session][]string{},
		loose: map[*instance.Session][]string{}, handed: map[*instance.Session][]string{},
	}
	for i := range p.Sessions {
		s := w.find(p, i)
		j.planned[s], j.procs[s.Proc] = true, true
	}
	return j
}

// find returns the i-th session of a plan.
func (w *world) find(p *control.PlanFile, i int) *instance.Session {
	ps := p.Sessions[i]
	s, err := w.db.Find(fmt.Sprintf("%d,%d,@%d", ps.SID, ps.Serial, ps.InstID))
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// keep says that somebody else's event must be there at the end.
func (j *judge) keep(s *instance.Session, text string) { j.foreign[s] = append(j.foreign[s], text) }

// tolerate says that somebody else's event came while we worked.
func (j *judge) tolerate(s *instance.Session, text string) { j.loose[s] = append(j.loose[s], text) }

// handOn follows the events of a session to the one that came after it in its
// process.
func (j *judge) handOn(s *instance.Session, p *instance.Process) {
	var n *instance.Session
	j.w.db.Locked(func() { n = p.Session() })
	if n == nil || n == s {
		return
	}
	// What --force replaces is not handed on: it is lost with its session.
	for _, l := range j.foreign[s] {
		if !j.force && slices.Contains(n.Events.Lines(), l) {
			j.keep(n, l)
		} else {
			j.tolerate(n, l)
		}
	}
	j.loose[n] = append(j.loose[n], j.loose[s]...)
	delete(j.foreign, s)
	j.handed[n] = j.ours(n)
}

// ours are the events of a session that are not somebody else's.
func (j *judge) ours(s *instance.Session) (out []string) {
	for _, l := range s.Events.Lines() {
		if !slices.Contains(j.foreign[s], l) && !slices.Contains(j.loose[s], l) {
			out = append(out, l)
		}
	}
	return out
}

// look says what is where it must never be. Between the proof and an event a
// session can leave its process to another one (DESIGN.md 4): that one may have
// our events for a moment, which the next proof sees. Any other may not, nor may
// another process have a ring.
func (j *judge) look(when string) {
	j.w.db.Locked(func() {
		for _, in := range j.w.db.Instances {
			for _, s := range in.Sessions() {
				if j.planned[s] || s.Events.Empty() {
					continue
				}
				switch ours := j.ours(s); {
				case len(ours) == 0:
				case s.Proc != nil && j.procs[s.Proc]:
					j.gaps++
				default:
					j.wrong = append(j.wrong, fmt.Sprintf("%s: session %s was not in the plan and has %s", when, ref(s), ours[0]))
				}
			}
			for _, p := range in.Processes() {
				if _, _, _, ok := p.Ring(); ok && !j.procs[p] {
					j.wrong = append(j.wrong, fmt.Sprintf("%s: process %d was not in the plan and has a ring", when, p.Orapid))
				}
			}
		}
	})
}

// end says what is left, and what of somebody else's is gone.
func (j *judge) end() []string {
	j.look("at the end")
	j.w.db.Locked(func() {
		for _, in := range j.w.db.Instances {
			for _, s := range in.Sessions() {
				for _, l := range j.ours(s) {
					if !slices.Contains(j.handed[s], l) {
						j.wrong = append(j.wrong, fmt.Sprintf("session %s has left %s", ref(s), l))
					}
				}
			}
			for _, p := range in.Processes() {
				// Where nothing frees a ring, it stays until its process ends.
				if _, _, _, ok := p.Ring(); ok && j.w.db.Assume.On(assume.RingOffFrees) {
					j.wrong = append(j.wrong, fmt.Sprintf("process %d has a ring left", p.Orapid))
				}
			}
		}
		for s, texts := range j.foreign {
			for _, l := range texts {
				if s.Alive() && s.Proc != nil && !slices.Contains(s.Events.Lines(), l) {
					j.wrong = append(j.wrong, fmt.Sprintf("somebody else's event is gone from session %s: %s", ref(s), l))
				}
			}
		}
	})
	slices.Sort(j.wrong)
	return slices.Compact(j.wrong)
}
