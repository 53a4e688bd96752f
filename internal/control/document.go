package control

import (
	"encoding/json"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// Document is what enable, disable, flush and status print under -o json. The
// field names are part of the contract.
type Document struct {
	Campaign *string      `json:"campaign"`
	Journal  *string      `json:"journal"`
	Sessions []SessionDoc `json:"sessions"`
	Summary  Summary      `json:"summary"`
	Undo     *string      `json:"undo"`

	Campaigns []string    `json:"campaigns,omitempty"` // when there are several
	DryRun    bool        `json:"dry_run,omitempty"`
	PlanHash  string      `json:"plan_hash,omitempty"`
	Plan      *PlanFile   `json:"plan,omitempty"`
	HandOver  []*HandOver `json:"hand_over,omitempty"`
	// Collected is the document of the collection that followed disable.
	Collected json.RawMessage `json:"collected,omitempty"`
	Sources   []Source        `json:"sources,omitempty"`
	// Preparing are the runs that are about to arm sessions of this database.
	Preparing []journal.PreparingDoc `json:"preparing,omitempty"`
}

// SessionDoc is one session; null is unknown.
type SessionDoc struct {
	InstID    int       `json:"inst_id"`
	SID       int       `json:"sid"`
	Serial    int       `json:"serial"`
	Orapid    int       `json:"orapid"`
	Ospid     *string   `json:"ospid"`
	State     string    `json:"state"`
	Outcome   string    `json:"outcome"`
	Reason    *string   `json:"reason"`
	Events    []string  `json:"events"`
	Ring      string    `json:"ring"`
	Tracefile *string   `json:"tracefile"`
	Fired     []FireDoc `json:"fired"`

	Username *string `json:"username"`
	Detail   *string `json:"detail"`
	Campaign string  `json:"campaign,omitempty"` // when there are several
}

// FireDoc is one error that was seen to fire.
type FireDoc struct {
	Ora int        `json:"ora"`
	At  *time.Time `json:"at"`
}

// Summary counts sessions by outcome.
type Summary struct {
	Selected int `json:"selected"`
	Done     int `json:"done"`
	Skipped  int `json:"skipped"`
	Failed   int `json:"failed"`
	Unknown  int `json:"unknown"`

	notGone int // skipped for another reason than gone
}

// mayHold reports whether something of ours may be left in the session.
func (d SessionDoc) mayHold() bool {
	return d.State != string(journal.Clean) && d.State != string(journal.Lost)
}

// Name is the campaign's id, if there is one.
func (d *Document) Name() []string {
	if d == nil || d.Campaign == nil {
		return nil
	}
	return []string{*d.Campaign}
}

// NewDocument returns an empty document.
func NewDocument() *Document { return &Document{Sessions: []SessionDoc{}} }

// Add adds the outcome of one session.
func (d *Document) Add(r *Result) {
	doc := SessionDoc{
		InstID: r.Key.InstID, SID: r.Key.SID, Serial: r.Key.Serial, Orapid: r.Process.Orapid, Ospid: text(r.Process.Ospid),
		State: string(r.State), Outcome: string(r.Result), Reason: text(r.Reason), Events: r.Events, Ring: string(r.Ring),
		Tracefile: text(r.Tracefile), Fired: []FireDoc{}, Username: text(r.Username), Detail: text(r.Detail),
	}
	if doc.Events == nil {
		doc.Events = []string{}
	}
	if doc.Ring == "" {
		doc.Ring = string(journal.RingNone)
	}
	d.add(doc, r.Result, r.Reason)
}

func (d *Document) add(doc SessionDoc, res journal.Result, reason string) {
	d.Sessions = append(d.Sessions, doc)
	d.Summary.Selected++
	switch res {
	case journal.Done:
		d.Summary.Done++
	case journal.Skipped:
		d.Summary.Skipped++
		if reason != "gone" && reason != "restarted" {
			d.Summary.notGone++
		}
	case journal.Failed:
		d.Summary.Failed++
	default:
		d.Summary.Unknown++
	}
}

// Exit is the code that the outcomes alone ask for: sessions skipped only
// because they are gone are no failure; all failed is 1, some is 3.
func (s *Summary) Exit() exit.Code {
	bad := s.Failed + s.Unknown
	switch {
	case s.Selected > 0 && s.Failed == s.Selected:
		return exit.Failed
	case bad+s.notGone > 0:
		return exit.Partial
	}
	return exit.OK
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
