package watch

import (
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
)

// Kind is the kind of a Line. The words are part of the contract.
type Kind string

// The kinds.
const (
	LineArmed    Kind = "armed"
	LineSkipped  Kind = "skipped"
	LineLeft     Kind = "left"
	LineFired    Kind = "fired"
	LineDisarmed Kind = "disarmed"
	LineRearmed  Kind = "rearmed"
	LineFlushed  Kind = "flushed"
	LineError    Kind = "error"
	LineSummary  Kind = "summary"
)

// Line is one line of the output, a JSON object (contract: watch lines).
type Line struct {
	At       time.Time           `json:"at"`
	Kind     Kind                `json:"kind"`
	Session  *control.SessionDoc `json:"session"` // null: the line is about the run
	Campaign string              `json:"campaign"`
	Ora      *int                `json:"ora,omitempty"`    // of fired
	Reason   *string             `json:"reason,omitempty"` // in one word
	Detail   *string             `json:"detail,omitempty"`
	Summary  *Totals             `json:"summary,omitempty"`
	Undo     *string             `json:"undo,omitempty"` // null or missing: nothing is left on
}

// Totals counts what a watch has done.
type Totals struct {
	Watched  int         `json:"watched"` // sessions that are armed now
	Armed    int         `json:"armed"`
	Skipped  int         `json:"skipped"`
	Left     int         `json:"left"`
	Hits     int         `json:"hits"` // fires
	ByOra    map[int]int `json:"by_ora"`
	Disarmed int         `json:"disarmed"`
	Rearmed  int         `json:"rearmed"`
	Flushed  int         `json:"flushed"`
	Pending  int         `json:"pending"`
	Errors   int         `json:"errors"`
	// Ended says why the run ended: interrupted, for, until-hits.
	Ended string `json:"ended,omitempty"`
}

func (t Totals) clone() *Totals {
	by := make(map[int]int, len(t.ByOra))
	for k, v := range t.ByOra {
		by[k] = v
	}
	t.ByOra = by
	return &t
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// docOf is a session as documents print it.
func docOf(r *control.Result, fired []journal.Fire) *control.SessionDoc {
	d := control.NewDocument()
	d.Add(r)
	doc := d.Sessions[0]
	for _, f := range fired {
		at := f.At
		fd := control.FireDoc{Ora: f.Ora}
		if !at.IsZero() {
			fd.At = &at
		}
		doc.Fired = append(doc.Fired, fd)
	}
	return &doc
}

// emit counts a line and prints it. An output that cannot be written ends the
// run: nobody would learn of a fire.
func (w *Watch) emit(l Line) {
	l.At, l.Campaign = w.Now().UTC(), w.Campaign
	t := &w.totals
	switch l.Kind {
	case LineArmed:
		t.Armed++
	case LineSkipped:
		t.Skipped++
	case LineLeft:
		t.Left++
	case LineDisarmed:
		t.Disarmed++
	case LineRearmed:
		t.Rearmed++
	case LineFlushed:
		t.Flushed++
	case LineError:
		t.Errors++
	}
	if err := w.Emit(l); err != nil && w.fatal == nil {
		w.fatal = err
	}
}

// trouble is an error line about the run.
func (w *Watch) trouble(reason string, err error) {
	w.emit(Line{Kind: LineError, Reason: text(reason), Detail: text(err.Error())})
}
