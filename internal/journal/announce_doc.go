package journal

import "time"

// PreparingDoc is a run that is about to arm sessions, in JSON.
type PreparingDoc struct {
	Verb     *string    `json:"verb"`
	PID      int        `json:"pid"`
	Host     *string    `json:"host"`
	User     *string    `json:"user"`
	Since    *time.Time `json:"since"`
	Database *string    `json:"database"` // null: not reached yet
	Way      *string    `json:"way"`      // flags by which it reaches its database

	Who string `json:"-"` // for a person
}

// NewPreparingDoc makes one.
func NewPreparingDoc(p *Preparing) PreparingDoc {
	d := PreparingDoc{
		Verb: known(p.Verb), PID: p.By.PID, Host: known(p.By.Host), User: known(p.By.User), Database: known(p.Database.UniqueName), Way: known(p.Way), Who: p.String(),
	}
	if !p.By.Start.IsZero() {
		at := p.By.Start.UTC()
		d.Since = &at
	}
	return d
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
