package control

import (
	"fmt"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// Place is a database as it is seen now.
type Place struct {
	Database  journal.Database
	Instances []journal.Instance
}

// Instance returns the instance with an inst_id.
func (p *Place) Instance(id int) (journal.Instance, bool) {
	for _, in := range p.Instances {
		if in.InstID == id {
			return in, true
		}
	}
	return journal.Instance{}, false
}

// relate compares an instance with what was recorded. The digits of the
// start-up time count: the server's offset, and with it the instant, moves
// when the clocks change, and nothing was restarted then.
func relate(recorded, now journal.Instance) journal.Relation {
	if !recorded.StartupTime.IsZero() && digits(recorded.StartupTime) == digits(now.StartupTime) {
		now.StartupTime = recorded.StartupTime
	}
	return recorded.Relate(now)
}

func digits(t time.Time) string { return t.Format(time.DateTime) }

// holds reports whether a campaign is about the database seen now: its name
// and id where both are known, else the names of an instance.
func (p *Place) holds(c *journal.Campaign) bool {
	same, compared := c.Header.Database.Same(p.Database)
	if !same {
		return false
	}
	if compared {
		return true
	}
	for id, rec := range c.Instances {
		if now, ok := p.Instance(id); ok && rec.InstanceName != "" && rec.InstanceName == now.InstanceName &&
			(rec.HostName == "" || rec.HostName == now.HostName) {
			return true
		}
	}
	return false
}

// check refuses (exit 7) a database or instance other than the recorded one.
func (p *Place) check(c *journal.Campaign) error {
	const hint = "connect to the database that `ringtrace campaigns show` names"
	if same, _ := c.Header.Database.Same(p.Database); !same {
		return exit.Errorf(exit.Refused, hint, "campaign %s is of database %s, this is %s", c.Header.Campaign, name(c.Header.Database), name(p.Database))
	}
	for id, rec := range c.Instances {
		now, ok := p.Instance(id)
		if ok && relate(rec, now) == journal.OtherInstance {
			return exit.Errorf(exit.Refused, hint, "campaign %s is of instance %s on %s, started %s; this is %s on %s, started %s", c.Header.Campaign,
				rec.InstanceName, rec.HostName, digits(rec.StartupTime), now.InstanceName, now.HostName, digits(now.StartupTime))
		}
	}
	return nil
}

func name(d journal.Database) string {
	if d.UniqueName == "" {
		return fmt.Sprintf("with dbid %d", d.DBID)
	}
	if d.DBID != 0 {
		return fmt.Sprintf("%s (dbid %d)", d.UniqueName, d.DBID)
	}
	return d.UniqueName
}
