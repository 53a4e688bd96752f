package instance

import "fmt"

// Armament is what is set in one process and the session it serves.
type Armament struct {
	InstID, SID, Serial, Orapid int
	Session, Process            []string // eventdump lines
	Ring                        int      // bytes, 0 for none
}

// Armed lists every process in which anything is set, by a key that no other
// incarnation has.
func (d *Database) Armed() map[string]Armament {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]Armament{}
	for _, in := range d.Instances {
		for _, p := range in.Processes() {
			a := Armament{InstID: in.ID, Orapid: p.Orapid, Process: p.Events.Lines()}
			if s := p.Session(); s != nil {
				a.SID, a.Serial, a.Session = s.SID, s.Serial, s.Events.Lines()
			}
			a.Ring, _, _, _ = p.Ring()
			if len(a.Session)+len(a.Process)+a.Ring > 0 {
				out[fmt.Sprintf("%d %06d %d", in.ID, p.Orapid, p.Serial)] = a
			}
		}
	}
	return out
}
