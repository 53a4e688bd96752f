package watch

import (
	"context"
	"fmt"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
	"ringtrace/sessions"
)

// preflight looks at the sessions that the first step would arm, as enable
// does. Those that an earlier run has armed hold their rings already.
func (w *Watch) preflight(ctx context.Context, list *Listing) error {
	if w.Preflight == nil {
		return nil
	}
	held := map[journal.Session]bool{}
	c, err := w.earlier()
	if err != nil {
		return err
	}
	if c != nil {
		for _, s := range c.OpenSessions() {
			held[key(s.Session)] = true
		}
	}
	byInst, room := map[int][]sessions.Session{}, w.Limits.MaxSessions-len(held)
	for i := range list.Rows {
		if r := &list.Rows[i]; r.Selected && !held[keyOf(&r.Session)] && room > 0 {
			byInst[r.InstID] = append(byInst[r.InstID], r.Session)
			room--
		}
	}
	for _, inst := range w.instIDs() {
		if err := w.Preflight(ctx, inst, byInst[inst]); err != nil {
			return err
		}
	}
	return nil
}

// memory asks, once a step and only if somebody has come, what still fits.
type memory struct {
	w     *Watch
	list  *Listing
	rooms map[int]*control.Room
}

// take takes the room of one ring. A newcomer that does not fit waits; that is
// said once for an instance, until one fits again.
func (m *memory) take(ctx context.Context, r *sessions.Row) bool {
	w := m.w
	if w.Room == nil || w.RingBytes == 0 {
		return true
	}
	room, asked := m.rooms[r.InstID]
	if !asked {
		room = w.Room(ctx, r.InstID, m.armed(r.InstID))
		m.rooms[r.InstID] = room
	}
	if room == nil {
		return true
	}
	limit := room.Take(r.ConName)
	if limit == "" {
		w.full[r.InstID] = false
		return true
	}
	if !w.full[r.InstID] {
		w.full[r.InstID] = true
		w.emit(Line{Kind: LineError, Reason: text("memory"), Detail: text(fmt.Sprintf(
			"another ring of %s would be more than a quarter of what %s leaves: who comes to instance %d is not armed until there is room; a smaller --ring takes less", quantity.Bytes(w.RingBytes), limit, r.InstID))})
	}
	return false
}

// armed counts the rings on an instance, by PDB.
func (m *memory) armed(inst int) map[string]int {
	out := map[string]int{}
	for i := range m.list.Rows {
		r := &m.list.Rows[i]
		if o := m.w.members[keyOf(&r.Session)]; r.InstID == inst && o != nil && o.armed() {
			out[""]++
			if r.ConName != "" {
				out[r.ConName]++
			}
		}
	}
	return out
}
