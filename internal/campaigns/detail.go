package campaigns

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// Detail is the document of `campaigns show`: the summary, and everything the
// journal holds of sessions, runs and damage.
type Detail struct {
	Summary
	Selector  *string          `json:"selector"`
	Events    []EventDoc       `json:"events"`
	RingBytes int64            `json:"ring_bytes"`
	By        journal.Actor    `json:"by"`
	Instances []InstanceDoc    `json:"instances"`
	Sessions  []SessionDoc     `json:"sessions"`
	Totals    Totals           `json:"summary"`
	Runs      []RunDoc         `json:"runs"`
	Dirty     []DirtDoc        `json:"dirty"`
	Damage    []DamageDoc      `json:"damage"`
	Repairs   int              `json:"repairs"`
	Notes     []string         `json:"notes"`
	Imports   []journal.Import `json:"imports"`
	Unknown   map[string]int   `json:"unknown_kinds"`
	Undo      *string          `json:"undo"`
}

// Totals counts sessions by the outcome of their last intent.
type Totals struct {
	Selected int `json:"selected"`
	Done     int `json:"done"`
	Skipped  int `json:"skipped"`
	Failed   int `json:"failed"`
	Unknown  int `json:"unknown"`
}

// EventDoc is an event as in a manifest.
type EventDoc struct {
	Kind string   `json:"kind"`
	Ora  *int     `json:"ora"`
	Spec string   `json:"spec"`
	Off  []string `json:"off"`
}

// InstanceDoc is the latest known incarnation of an instance.
type InstanceDoc struct {
	InstID       int        `json:"inst_id"`
	InstanceName *string    `json:"instance_name"`
	HostName     *string    `json:"host_name"`
	Version      *string    `json:"version"`
	StartupTime  *time.Time `json:"startup_time"`
}

// DamageDoc is damage in the journal; accepted says that a person accepted it.
type DamageDoc struct {
	journal.Damage
	Accepted bool `json:"accepted"`
}

// SessionDoc is a session as in `enable -o json`, with what the journal adds.
type SessionDoc struct {
	InstID        int        `json:"inst_id"`
	SID           int        `json:"sid"`
	Serial        int        `json:"serial"`
	Orapid        int        `json:"orapid"`
	ProcessSerial *int       `json:"process_serial"`
	Ospid         *string    `json:"ospid"`
	Stid          *string    `json:"stid"`
	LogonTime     *time.Time `json:"logon_time"`
	Username      *string    `json:"username"`
	State         string     `json:"state"`
	Outcome       *string    `json:"outcome"`
	Reason        *string    `json:"reason"`
	Events        []string   `json:"events"`
	Ring          string     `json:"ring"`
	Tracefile     *string    `json:"tracefile"`
	ArmedAt       *time.Time `json:"armed_at"`
	Fired         []FireDoc  `json:"fired"`
	Overrode      []string   `json:"overrode"`
	ToDisarm      bool       `json:"to_disarm"`
	Detail        *string    `json:"detail"`
}

// FireDoc is one fire.
type FireDoc struct {
	Ora int        `json:"ora"`
	At  *time.Time `json:"at"` // null: not known
}

// RunDoc is one run.
type RunDoc struct {
	Record journal.Seq   `json:"record"`
	Verb   string        `json:"verb"`
	At     time.Time     `json:"at"`
	EndAt  *time.Time    `json:"end_at"`
	Exit   *int          `json:"exit"`
	By     journal.Actor `json:"by"`
	Note   *string       `json:"note"`
}

// DirtDoc is one thing that a crash left open.
type DirtDoc struct {
	Record  journal.Seq `json:"record"`
	Kind    string      `json:"kind"` // intent or run
	At      time.Time   `json:"at"`
	Text    string      `json:"text"`
	Session *string     `json:"session"`
}

// Show reads one campaign. id may be a unique beginning of the campaign's id,
// and may be empty if there is exactly one.
func (s Store) Show(id string) (*Detail, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	path, err := s.Dir.File(id)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, listHint, "%w", err)
	}
	c, err := journal.Load(path)
	if err != nil {
		return nil, unreadable(err, path)
	}
	return s.detail(id, path, c), nil
}

// ShowFile reads a journal from wherever it is, such as an exported one.
func (s Store) ShowFile(path string) (*Detail, error) {
	c, err := journal.Load(path)
	if err != nil {
		return nil, unreadable(err, path)
	}
	d := s.detail(c.Header.Campaign, path, c)
	if d.Undo != nil {
		d.Undo = s.undo("", "--journal", path)
	}
	return d, nil
}

const listHint = "see `ringtrace campaigns list`"

// Resolve turns what a person typed into the id of one campaign.
func (s Store) Resolve(typed string) (string, error) {
	ids, err := s.Dir.IDs()
	if err != nil {
		return "", err
	}
	if slices.Contains(ids, typed) {
		return typed, nil
	}
	var hits []string
	for _, id := range ids {
		if strings.HasPrefix(id, typed) {
			hits = append(hits, id)
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(ids) == 0:
		return "", exit.Errorf(exit.NothingMatch, "state is kept per OS user; give --state-dir DIR if another one was used", "there are no campaigns in %s", s.Dir.Path)
	case len(hits) == 0:
		return "", exit.Errorf(exit.NothingMatch, listHint, "there is no campaign %q in %s", typed, s.Dir.Path)
	}
	if typed == "" {
		if id := s.onlyOpen(ids); id != "" {
			return id, nil
		}
		return "", exit.Errorf(exit.Usage, "name one of them: "+strings.Join(hits, " "), "there are %d campaigns, and not exactly one is open", len(hits))
	}
	return "", exit.Errorf(exit.Usage, "give more of the id: "+strings.Join(hits, " "), "the ids of %d campaigns begin with %s", len(hits), typed)
}

// onlyOpen is the one campaign that is open; empty if there is none or several,
// or a journal that cannot be read and may be open.
func (s Store) onlyOpen(ids []string) string {
	open := ""
	for _, id := range ids {
		c, err := s.Dir.Load(id)
		switch {
		case err != nil:
			return ""
		case c.Closed:
		case open != "":
			return ""
		default:
			open = id
		}
	}
	return open
}

// unreadable turns a journal error into what a person needs to know.
func unreadable(err error, path string) error {
	var ce *journal.CorruptError
	var ve *journal.VersionError
	switch {
	case notThere(err):
		return exit.Errorf(exit.NothingMatch, listHint, "%w", err)
	case errors.As(err, &ce):
		return exit.Errorf(exit.Journal, "look at it with `ringtrace campaigns show`; to go on behind the damage: `ringtrace campaigns resolve --accept-damage --state unknown --note damaged`", "%w", err)
	case errors.As(err, &ve):
		return exit.Errorf(exit.Journal, "use the ringtrace that wrote it, or a newer one", "%w", err)
	case errors.Is(err, journal.ErrNoHeader):
		return exit.Errorf(exit.Journal, "it is no journal, or nothing is left of it; docs/journal-format.md says how one looks", "%w", err)
	}
	return fmt.Errorf("journal %s: %w", path, err)
}

func (s Store) detail(id, path string, c *journal.Campaign) *Detail {
	h := &c.Header
	d := &Detail{
		Summary: s.summarize(id, path, c), Selector: text(h.Selector), Events: []EventDoc{}, RingBytes: h.RingBytes, By: h.By,
		Instances: []InstanceDoc{}, Sessions: []SessionDoc{}, Runs: []RunDoc{}, Dirty: []DirtDoc{}, Damage: []DamageDoc{}, Repairs: len(c.Repairs),
		Notes: append([]string{}, c.Notes...), Imports: append([]journal.Import{}, c.Imports...), Unknown: map[string]int{},
	}
	for _, e := range h.Events {
		d.Events = append(d.Events, eventDoc(e))
	}
	for _, inst := range d.Summary.Instances {
		i := c.Instances[inst]
		d.Instances = append(d.Instances, InstanceDoc{inst, text(i.InstanceName), text(i.HostName), text(i.Version), moment(i.StartupTime)})
	}
	for _, st := range c.Sessions {
		doc := SessionDocument(st)
		doc.ToDisarm = doc.ToDisarm && d.Open
		d.Sessions = append(d.Sessions, doc)
		d.Totals.count(st.Outcome)
	}
	for _, r := range c.Runs {
		doc := RunDoc{Record: r.Seq, Verb: r.Run.Verb, At: r.At, By: r.Run.By, Note: text(r.Run.Note)}
		if r.Ended {
			doc.EndAt, doc.Exit = moment(r.EndedAt), &r.Exit
		}
		d.Runs = append(d.Runs, doc)
	}
	for _, x := range c.Dirty() {
		doc := DirtDoc{Record: x.Seq, Kind: string(x.Kind), At: x.At, Text: x.String()}
		if x.Session != nil {
			doc.Session = text(x.Session.String())
		}
		d.Dirty = append(d.Dirty, doc)
	}
	for _, x := range c.Damage {
		d.Damage = append(d.Damage, DamageDoc{x, false})
	}
	for _, x := range c.Accepted {
		d.Damage = append(d.Damage, DamageDoc{x, true})
	}
	for k, n := range c.UnknownKinds {
		d.Unknown[string(k)] = n
	}
	switch left := len(c.OpenSessions()); {
	case d.Open:
		d.Undo = s.undo("", "--campaign", id)
	case left > 0:
		d.Notes = append(d.Notes, fmt.Sprintf("closed with %d of its sessions armed: %s", left, c.CloseReason))
	}
	return d
}

func (t *Totals) count(r journal.Result) {
	t.Selected++
	switch r {
	case journal.Done:
		t.Done++
	case journal.Skipped:
		t.Skipped++
	case journal.Failed:
		t.Failed++
	default: // unknown, or an intent without outcome
		t.Unknown++
	}
}

func eventDoc(e journal.Event) EventDoc {
	doc := EventDoc{Kind: e.Kind, Spec: e.Spec, Off: append([]string{}, e.Off...)}
	if e.Ora != 0 {
		doc.Ora = &e.Ora
	}
	return doc
}

// SessionDocument is a session's state in the contract's words.
func SessionDocument(st *journal.SessionState) SessionDoc {
	doc := SessionDoc{
		InstID: st.Session.InstID, SID: st.Session.SID, Serial: st.Session.Serial, Orapid: st.Process.Orapid,
		Ospid: text(st.Process.Ospid), Stid: text(st.Process.Stid), LogonTime: moment(st.Session.LogonTime), Username: text(st.Username),
		State: string(st.State), Outcome: text(string(st.Outcome)), Reason: text(st.Reason), Events: append([]string{}, st.Events...),
		Ring: string(st.Ring), Tracefile: text(st.Tracefile), ArmedAt: moment(st.ArmedAt), Fired: []FireDoc{},
		Overrode: append([]string{}, st.Overrode...), ToDisarm: st.Open(), Detail: text(st.Detail),
	}
	if st.Process.ProcessSerial != 0 {
		doc.ProcessSerial = &st.Process.ProcessSerial
	}
	for _, f := range st.Fired {
		doc.Fired = append(doc.Fired, FireDoc{f.Ora, moment(f.At)})
	}
	return doc
}
