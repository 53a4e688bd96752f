package control

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
)

// PlanFormat is the version of plan files that this package writes.
const PlanFormat = 1

// PlanFile is a plan as `enable --dry-run -o json` prints it and `enable
// --plan` takes it. Hash is the SHA-256, in hex, of the same document with an
// empty hash, encoded without white space: exactly this plan runs, or none.
type PlanFile struct {
	Format    int                `json:"format"`
	Hash      string             `json:"hash"`
	Database  journal.Database   `json:"database"`
	Instances []journal.Instance `json:"instances"`
	Selector  string             `json:"selector"`
	Purpose   string             `json:"purpose,omitempty"`
	Ticket    string             `json:"ticket,omitempty"`
	Events    []journal.Event    `json:"events"`
	RingBytes int64              `json:"ring_bytes"`
	Sessions  []PlanSession      `json:"sessions"`
}

// PlanSession is one session with everything that proves it.
type PlanSession struct {
	InstID        int       `json:"inst_id"`
	SID           int       `json:"sid"`
	Serial        int       `json:"serial"`
	LogonTime     time.Time `json:"logon_time"`
	Orapid        int       `json:"orapid"`
	ProcessSerial int       `json:"process_serial"`
	Ospid         string    `json:"ospid"`
	Stid          string    `json:"stid,omitempty"`
	Username      string    `json:"username,omitempty"`
}

// NewPlanFile makes the file of a plan, with its hash.
func NewPlanFile(p *plan.Plan) *PlanFile {
	f := &PlanFile{
		Format: PlanFormat, Selector: p.Selector, Purpose: p.Purpose, Ticket: p.Ticket,
		Events: EventsOf(p.Events), RingBytes: p.RingBytes(), Instances: []journal.Instance{}, Sessions: []PlanSession{},
	}
	for i := range p.Request.Instances {
		f.Database = DatabaseOf(&p.Request.Instances[i])
		break
	}
	for i := range p.Instances {
		f.Instances = append(f.Instances, InstanceOf(&p.Instances[i].Instance))
	}
	for i := range p.Sessions {
		s := &p.Sessions[i]
		f.Sessions = append(f.Sessions, PlanSession{
			InstID: s.InstID, SID: s.SID, Serial: s.Serial, LogonTime: s.LogonTime, Orapid: s.Orapid,
			ProcessSerial: s.ProcessSerial, Ospid: s.Ospid, Stid: s.Stid, Username: s.Username,
		})
	}
	f.Hash = f.hash()
	return f
}

func (f *PlanFile) hash() string {
	c := *f
	c.Hash = ""
	b, err := json.Marshal(&c)
	if err != nil {
		panic(err) // strings, numbers and times alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// ReadPlanFile reads a plan, or the document of `enable --dry-run -o json`
// that holds one, and checks its hash.
func ReadPlanFile(name string, r io.Reader) (*PlanFile, error) {
	const hint = "make one with: ringtrace enable … --dry-run -o json > plan.json"
	b, err := io.ReadAll(io.LimitReader(r, 256<<20))
	if err != nil {
		return nil, exit.Errorf(exit.Failed, "check the file", "read plan %s: %w", name, err)
	}
	var doc struct {
		Plan json.RawMessage `json:"plan"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, exit.Errorf(exit.Usage, hint, "%s is no plan: %w", name, err)
	}
	if len(doc.Plan) > 0 {
		b = doc.Plan
	}
	var f PlanFile
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, exit.Errorf(exit.Usage, hint, "%s is no plan: %w", name, err)
	}
	switch {
	case f.Format != PlanFormat:
		return nil, exit.Errorf(exit.Usage, hint+", with this version", "%s has plan format %d, this ringtrace runs format %d", name, f.Format, PlanFormat)
	case f.Hash != f.hash():
		return nil, exit.Errorf(exit.Refused, hint, "%s was changed after it was made: its hash does not match", name)
	case len(f.Sessions) == 0 || len(f.Events) == 0:
		return nil, exit.Errorf(exit.Usage, hint, "%s names no session or no event", name)
	}
	if err := f.check(); err != nil {
		return nil, exit.Errorf(exit.Refused, hint, "%s: %w", name, err)
	}
	return &f, nil
}

// check refuses what no plan of ours holds: the hash finds a change, but
// whoever writes a plan can also compute it.
func (f *PlanFile) check() error {
	if f.Database == (journal.Database{}) || len(f.Instances) == 0 {
		return errors.New("it does not say which database and instance it is for")
	}
	for _, e := range f.Events {
		if err := plan.CheckEvent(plan.Kind(e.Kind), e.Ora, e.Spec, e.Off); err != nil {
			return err
		}
	}
	ring := slices.ContainsFunc(f.Events, func(e journal.Event) bool { return e.Kind == string(plan.KindRing) })
	if f.RingBytes < 0 || ring != (f.RingBytes > 0) {
		return fmt.Errorf("a ring of %d bytes does not go with its events", f.RingBytes)
	}
	sids, procs := map[[2]int]bool{}, map[[2]int]bool{}
	for i := range f.Sessions {
		s := &f.Sessions[i]
		sid, proc := [2]int{s.InstID, s.SID}, [2]int{s.InstID, s.Orapid}
		if sids[sid] || procs[proc] {
			return fmt.Errorf("session %d of the list (sid %d, orapid %d) or its process stands there twice", i+1, s.SID, s.Orapid)
		}
		sids[sid], procs[proc] = true, true
	}
	return nil
}

// Targets returns the plan's sessions as targets, in order.
func (f *PlanFile) Targets() ([]Target, error) {
	out := make([]Target, 0, len(f.Sessions))
	for i := range f.Sessions {
		s := &f.Sessions[i]
		t, err := NewTarget(&sessions.Session{
			InstID: s.InstID, SID: s.SID, Serial: s.Serial, LogonTime: s.LogonTime, Orapid: s.Orapid,
			ProcessSerial: s.ProcessSerial, Ospid: s.Ospid, Stid: s.Stid, Username: s.Username,
		})
		if err != nil {
			return nil, exit.Errorf(exit.Failed, "list them with: ringtrace sessions --explain", "%w", err)
		}
		out = append(out, t)
	}
	return out, nil
}

// Insts lists the inst_ids of the plan's sessions, in order.
func (f *PlanFile) Insts() []int {
	var out []int
	seen := map[int]bool{}
	for i := range f.Sessions {
		if id := f.Sessions[i].InstID; !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// EventsOf turns a plan's events into the journal's.
func EventsOf(list []plan.Event) []journal.Event {
	out := make([]journal.Event, 0, len(list))
	for _, e := range list {
		j := journal.Event{Kind: string(e.Kind), Spec: e.Spec, Off: e.Off}
		if e.Ora != nil {
			j.Ora = *e.Ora
		}
		out = append(out, j)
	}
	return out
}

// DatabaseOf names the database of an instance.
func DatabaseOf(in *sessions.Instance) journal.Database {
	return journal.Database{UniqueName: in.DBUniqueName, DBID: in.DBID}
}

// InstanceOf is an instance as journals name it.
func InstanceOf(in *sessions.Instance) journal.Instance {
	return journal.Instance{
		InstID: in.InstID, InstanceName: in.InstanceName, HostName: in.HostName, StartupTime: in.StartupTime, Version: in.Version,
	}
}

// Print writes the plan's identity for a person.
func (f *PlanFile) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "plan hash %s\n", f.Hash)
	return err
}
