package daemon

import (
	"context"
	"encoding/json"

	"ringtrace/internal/sim"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/scenario"
)

// Raised is the answer to `sim raise`.
type Raised struct {
	InstID int      `json:"inst_id"`
	SID    int      `json:"sid"`
	Serial int      `json:"serial"`
	Ora    int      `json:"ora"`
	Fired  []string `json:"fired"` // actions that ran, in order
}

// workBefore is how much a session does before `sim raise` lets it fail.
const workBefore = 20

// operate carries out the requests that are one answer.
func (s *Server) operate(ctx context.Context, q Request) Answer {
	var out any
	var err error
	switch q.Op {
	case "ping":
		out = s.places()
	case "show":
		out = scenario.Show(s.db)
	case "raise":
		out, err = s.raise(q)
	case "run":
		err = s.run(ctx, q.Arg)
	case "rehearse":
		in := s.db.Instance(max(q.Inst, 1))
		if in == nil {
			return Answer{Error: "there is no such instance"}
		}
		copied := s.db.Clone()
		out, err = sim.Rehearse(ctx, copied, copied.Instance(in.ID), q.Args...)
	case "fault":
		var f fault.Fault
		if f, err = fault.Parse(q.Arg); err == nil {
			err = s.db.Fault(f)
		}
	default:
		return Answer{Error: "unknown request " + q.Op}
	}
	if err != nil {
		return Answer{Error: err.Error()}
	}
	data, err := json.Marshal(out)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	return Answer{Data: data}
}

// Place is one instance as `sim up` prints it.
type Place struct {
	InstID  int    `json:"inst_id"`
	SID     string `json:"sid"`
	Connect string `json:"connect"`
}

// Places is what a client needs to connect.
type Places struct {
	Instances []Place `json:"instances"`
	Connect   string  `json:"connect"`
	SID       string  `json:"oracle_sid"`
	User      string  `json:"user"`
	Password  string  `json:"password"`
}

func (s *Server) places() Places { return PlacesOf(s.db) }

// PlacesOf lists how to connect to a simulated database.
func PlacesOf(d *instance.Database) Places {
	p := Places{SID: d.Instances[0].Name, User: "sys", Password: d.Password, Instances: []Place{}}
	for _, in := range d.Instances {
		p.Instances = append(p.Instances, Place{in.ID, in.Name, "sys@localhost:1521/" + in.Name + " as sysdba"})
	}
	p.Connect = p.Instances[0].Connect
	return p
}

func (s *Server) raise(q Request) (Raised, error) {
	sess, err := s.db.Find(q.Arg)
	if err != nil {
		return Raised{}, err
	}
	s.gen.Work(sess, workBefore)
	r := Raised{InstID: sess.Inst.ID, SID: sess.SID, Serial: sess.Serial, Ora: q.Ora, Fired: s.gen.Fail(sess, q.Ora)}
	if r.Fired == nil {
		r.Fired = []string{}
	}
	return r, nil
}

func (s *Server) run(ctx context.Context, name string) error {
	sc, err := scenario.Load(name)
	if err != nil {
		return err
	}
	return scenario.Run(ctx, s.db, s.gen, sc)
}
