package report

import (
	"cmp"
	"fmt"
	"slices"
)

// ClientSum is what was done for one client identifier, module and action, in
// whatever sessions: users of a connection pool hop between them.
type ClientSum struct {
	ClientID   string `json:"client_id"`
	Module     string `json:"module"`
	Action     string `json:"action"`
	Sessions   int    `json:"sessions"`
	Executions int64  `json:"executions"`
	ElapsedUS  int64  `json:"elapsed_us"` // of calls at depth 0
}

// clients sums the sessions' clients, the longest first.
func (b *builder) clients() {
	type key struct{ id, module, action string }
	at := map[key]int{}
	out := []ClientSum{}
	for i := range b.m.Sessions {
		for _, c := range b.m.Sessions[i].Clients {
			k := key{c.ClientID, c.Module, c.Action}
			n, ok := at[k]
			if !ok {
				n = len(out)
				at[k] = n
				out = append(out, ClientSum{ClientID: c.ClientID, Module: c.Module, Action: c.Action})
			}
			o := &out[n]
			o.Sessions, o.Executions, o.ElapsedUS = o.Sessions+1, o.Executions+c.Executions, o.ElapsedUS+c.ElapsedUS
		}
	}
	slices.SortStableFunc(out, func(x, y ClientSum) int { return cmp.Compare(y.ElapsedUS, x.ElapsedUS) })
	b.m.Clients = out
}

// sessionTimes says what the times of a session are.
const sessionTimes = "elapsed: from its first record to its last; calls and CPU: of its calls at depth 0, with what they called; idle: idle waits between them, mostly for the client"

// sessions lists the sessions, where there are several.
func (p *printer) sessions() {
	list := p.m.Sessions
	if p.m.sessionCount() < 2 {
		return
	}
	p.title("SESSIONS")
	p.block("", sessionTimes+"; in which file each is, COVERAGE says", 3)
	p.f("%-22s %13s %13s %12s %13s\n", "session", "elapsed s", "calls s", "CPU s", "idle s")
	for i := range list {
		s := &list[i]
		if i >= p.m.Top {
			p.f("  … %d more; see them with --top %d\n", len(list)-i, len(list))
			break
		}
		p.f("%-22s %13s %13s %12s %13s\n", cut(s.Name, 22), sec(s.ElapsedUS), sec(s.CallsUS), sec(s.CPUUS), sec(s.IdleUS))
	}
}

// clients lists for whom the sessions worked, where that changed.
func (p *printer) clients() {
	list := p.m.Clients
	if len(list) < 2 {
		return
	}
	p.title("CLIENTS (client identifier / module / action, over all sessions)")
	p.f("%12s %9s %9s\n", "elapsed s", "execs", "sessions")
	for i := range list {
		c := &list[i]
		if i >= p.m.Top {
			p.f("  … %d more; see them with --top %d\n", len(list)-i, len(list))
			break
		}
		p.f("%12s %9d %9d  %s\n", sec(c.ElapsedUS), c.Executions, c.Sessions, cut(c.Who(), p.width-34))
	}
}

// Who names the client.
func (c ClientSum) Who() string {
	or := func(s string) string { return cmp.Or(s, "-") }
	return fmt.Sprintf("%s / %s / %s", or(c.ClientID), or(c.Module), or(c.Action))
}
