package lint

import (
	"strconv"

	"ringtrace/oradebug"
)

// targetKind is how a process was selected.
type targetKind uint8

const (
	targetNone    targetKind = iota
	targetUnknown            // an included script may have selected one
	targetOwn
	targetOrapid
	targetOspid
	targetName
)

// via is where an event is kept: it must be turned off at the same level.
type via uint8

const (
	viaSession via = iota // SESSION_EVENT, ALTER SESSION
	viaProcess            // EVENT
	viaSystem             // ALTER SYSTEM
)

func (v via) String() string { return [...]string{"SESSION_EVENT", "EVENT", "ALTER SYSTEM"}[v] }

// armed is an event that is on.
type armed struct {
	via  via
	fact *eventFact
	at   place
}

// ring is a trace buffer that is on.
type ring struct {
	on bool
	at place
}

// process is what the follower knows of one target.
type process struct {
	kind targetKind
	key  processKey
	name string // of the own process and the system
	at   place  // where it was selected first
	// background is the process's name if it is known to be one of Oracle's
	// own.
	background string
	events     []armed
	ring       ring
	// stray holds the offs of events that were not on, as far as the file
	// shows.
	stray []armed
}

// label is what findings call the process.
func (p *process) label() string {
	if p.name != "" {
		return p.name
	}
	word := [...]string{"", "", "", "orapid ", "ospid ", "process "}[p.kind]
	if p.key.text != "" {
		return word + p.key.text
	}
	return word + strconv.FormatUint(p.key.number, 10)
}

// follower carries the commands out symbolically.
type follower struct {
	byKey map[processKey]*process
	order []*process
	own   *process // the script's own server process
	sys   *process // ALTER SYSTEM
	cur   *process // nil when none is selected
	kind  targetKind

	everTarget  bool
	everConnect bool
	// missing is the first command of a stretch without a target.
	missing []missingTarget
}

// processKey is how a script names a process: the kind of id and the id, as a
// number where it is a plain one.
type processKey struct {
	kind   targetKind
	number uint64
	text   string
}

func keyOf(kind targetKind, arg string) processKey {
	if n, err := strconv.ParseUint(arg, 10, 64); err == nil {
		return processKey{kind: kind, number: n}
	}
	return processKey{kind: kind, text: arg}
}

type missingTarget struct {
	word  string
	at    place
	arms  bool
	count int
}

func newFollower() follower {
	f := follower{byKey: map[processKey]*process{}}
	f.own = &process{kind: targetOwn, name: "the script's own process"}
	f.sys = &process{name: "the whole system"}
	return f
}

// sel makes the process the target.
func (f *follower) sel(kind targetKind, arg string, at place) *process {
	f.everTarget = true
	f.kind = kind
	if kind == targetOwn {
		f.cur = f.own
		return f.cur
	}
	return f.selKey(keyOf(kind, arg), at)
}

// selKey makes a process other than the own one the target.
func (f *follower) selKey(key processKey, at place) *process {
	f.everTarget = true
	f.kind = key.kind
	p := f.byKey[key]
	if p == nil {
		p = &process{kind: key.kind, key: key, at: at}
		f.byKey[key] = p
		f.order = append(f.order, p)
	}
	f.cur = p
	return p
}

// newSession begins the next here-document: another SQL*Plus, another own
// process, no target. What was set in other processes stays set.
func (f *follower) newSession() {
	f.cur, f.kind = nil, targetNone
	f.own = &process{kind: targetOwn, name: "the script's own process"}
}

// disconnect ends the script's own session, and its events with it. As far as
// is known this does not write out a ring that was on, so the ring stays
// reported.
func (f *follower) disconnect(again bool) {
	f.own.events = nil
	f.cur, f.kind = nil, targetNone
	f.everConnect = f.everConnect || again
}

// included says that another script ran: it may have selected a process.
func (f *follower) included() {
	if f.kind == targetNone {
		f.kind = targetUnknown
		f.everTarget = true
	}
}

// processes returns the targets in the order of their first use, the own
// process and the system last.
func (f *follower) processes() []*process {
	return append(append([]*process(nil), f.order...), f.own, f.sys)
}

// eventFact is what is needed of an event again and again, worked out once for
// each text.
type eventFact struct {
	ev        *oradebug.Event
	key, bare string // with and without the scope
	filters   string
	names     []string // what it does, trace_buffer_on apart
	ringSet   bool     // has a trace_buffer_on
	ringFree  bool     // immediate trace_buffer_off
	off       bool
	blank     bool // a lone variable: nothing can be said
}

func factOf(ev *oradebug.Event) *eventFact {
	f := &eventFact{ev: ev, off: ev.Off, key: ev.Key(), ringSet: ev.RingOn(), ringFree: ev.RingOff()}
	bare := *ev
	bare.Scope = nil
	f.bare = bare.Key()
	if len(ev.Filters) > 0 {
		only := oradebug.Event{ID: oradebug.EventID{Kind: oradebug.KindNumber, Number: 1}, Filters: ev.Filters}
		f.filters = only.Normal()
	}
	for i := range ev.Actions {
		if a := &ev.Actions[i]; !anyArg(a, "off") && a.Name != "trace_buffer_on" {
			f.names = append(f.names, a.Name)
		}
	}
	f.blank = ev.ID.Kind == oradebug.KindVariable && len(ev.Actions) == 0 && len(ev.Params) == 0 && ev.Scope == nil
	return f
}
