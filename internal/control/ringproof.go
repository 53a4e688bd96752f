package control

import (
	"context"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
)

// Proof looks into trace files for the text of rings. A ring is no event, so
// eventdump shows neither that it is there nor that it is gone (DESIGN.md 4):
// only its text can. This file is the one place that says what the words of
// journal.Ring take:
//
//   - off_proven: the ring was told to be written and freed, marker lines that it
//     had held reached the file then, and later ones are not held back any more.
//     Where markers pass the ring by, nothing shows that it is gone.
//   - on_proven: its text has reached the file, and nothing of ours has turned it
//     off, or it was asked for again since.
//   - off_sent, on_assumed: nobody sees the file, or it shows nothing of that.
//
// What text a ring has held is decided by sight.ReadRing, which names what that
// rests on. No file flushed from a ring has been seen by anybody (facts/oradebug.md
// 4); should it look otherwise, the words stay off_sent and on_assumed. A proof
// never stops or delays an undo for long: one look that fails is the last.
type Proof struct {
	// Sight looks at files before and after a ring is told to go; nil: nobody.
	Sight sight.Sight
	// Ends tells where files end when a session has been armed. It has to be
	// exact, as that of this host's files is; nil: nobody knows.
	Ends sight.Sight
	// Place names the hosts of the instances; nil: not checked.
	Place *Place
	// Say tells once why files are not looked at any more.
	Say func(string)

	ended bool
}

// proofTime bounds one look.
const proofTime = 5 * time.Second

// tailBytes is how much of a file's end is read for its last markers.
const tailBytes = 32 << 10

// ringMark is a file as it was before its ring was told to be written.
type ringMark struct {
	proof *Proof
	file  sight.File
	size  int64
	// carried: marker lines went through the ring of this process since it was
	// armed, and it has been written.
	carried bool
	last    sight.Mark // in the file; only if carried
}

func (p *Proof) fileOf(t Target, path string) sight.File {
	f := sight.File{InstID: t.Key.InstID, Path: path, Ospid: t.Process.Ospid}
	if p.Place != nil {
		if in, ok := p.Place.Instance(t.Key.InstID); ok {
			f.Host = in.HostName
		}
	}
	return f
}

// size is where a file ends now, 0 when nobody sees it.
func (p *Proof) size(ctx context.Context, t Target, path string) int64 {
	if p == nil || p.Ends == nil {
		return 0
	}
	n, ok := sight.Size(ctx, p.Ends, p.fileOf(t, path))
	if !ok {
		return 0
	}
	return n
}

// begin notes where the file ends; nil when nobody sees it.
func (p *Proof) begin(ctx context.Context, t Target, s *journal.SessionState, events []journal.Event) *ringMark {
	if p == nil || p.Sight == nil || p.ended || s == nil || s.Tracefile == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	if err := p.Sight.Refresh(ctx); err != nil {
		p.end(err)
		return nil
	}
	m := &ringMark{proof: p, file: p.fileOf(t, s.Tracefile)}
	var ok bool
	if m.size, ok = sight.Size(ctx, p.Sight, m.file); !ok {
		return nil
	}
	if s.TraceFrom == 0 || m.size <= s.TraceFrom {
		return m // nothing has been written since
	}
	first, seen, err := sight.Part(ctx, p.Sight, m.file, s.TraceFrom)
	if err != nil || !seen || !heldMarkers(&first, s.TraceFrom, events) {
		return m
	}
	tail, _, err := sight.Whole(ctx, p.Sight, m.file, max(m.size-tailBytes, s.TraceFrom), nil)
	if n := len(tail.Marks); err == nil && n > 0 {
		m.carried, m.last = true, tail.Marks[n-1]
	}
	return m
}

// end gives up looking.
func (p *Proof) end(err error) {
	p.ended = true
	if p.Say != nil {
		p.Say("trace files are not looked at any more, so rings are off_sent and not proved: " + err.Error())
	}
}

// ringWas says what became of a ring.
type ringWas struct {
	written bool
	holds   bool // it is still there
	freed   bool // it is not
	gone    bool // it was before it was told to go
}

// read judges the file behind the mark: off and last are commands, as
// sight.ReadRing takes them.
func (m *ringMark) read(ctx context.Context, off, last string) ringWas {
	if m == nil {
		return ringWas{}
	}
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	err := m.proof.Sight.Refresh(ctx)
	var f sight.Found
	seen := false
	if err == nil {
		f, seen, err = sight.Whole(ctx, m.proof.Sight, m.file, m.size, nil)
	}
	if err != nil {
		m.proof.end(err)
	}
	if err != nil || !seen {
		return ringWas{}
	}
	text := sight.ReadRing(&f, off, last)
	w := ringWas{written: text.Written, holds: text.Holds, freed: text.Freed}
	if m.carried && m.last.Kind == sight.Finished && len(f.Marks) > 0 {
		next := &f.Marks[0]
		w.gone = next.Kind == sight.Received && string(next.Command) == off && next.Number == m.last.Number+1
	}
	return w
}

// off is the word for a ring that was told to be written and freed.
func (w ringWas) off() journal.Ring {
	if !w.holds && (w.gone || w.freed) {
		return journal.RingOffProven
	}
	return journal.RingOffSent
}

// stillThere is what to tell of a ring that was written and holds lines back.
const stillThere = "its ring was written, and still holds lines back: trace_buffer_off does not free it here; it ends with its process"

// heldMarkers reports whether marker lines of the commands that armed a session
// stand behind the point where its file ended when they had been answered: the
// ring has held them.
func heldMarkers(f *sight.Found, from int64, events []journal.Event) bool {
	return from > 0 && slices.ContainsFunc(f.Marks, func(m sight.Mark) bool {
		return m.Kind == sight.Finished && m.Offset >= from && slices.ContainsFunc(events, func(e journal.Event) bool {
			return string(m.Command) == "session_event "+e.Spec
		})
	})
}

// askedAt is where in a whole file the last command stands that asked for what
// these events trace, 0 if none does. There was no ring then that could have
// held the line back.
func askedAt(f *sight.Found, events []journal.Event) (at int64) {
	return lastReceived(f, events, func(e journal.Event) []string { return []string{e.Spec} })
}

// endedAt is the same of the last command that turned the trace off.
func endedAt(f *sight.Found, events []journal.Event) (at int64) {
	return lastReceived(f, events, func(e journal.Event) []string {
		if e.Kind == string(plan.KindRing) {
			return nil // flush sends that too
		}
		return e.Off
	})
}

func lastReceived(f *sight.Found, events []journal.Event, specs func(journal.Event) []string) (at int64) {
	for _, m := range f.Marks {
		if m.Kind == sight.Received && slices.ContainsFunc(events, func(e journal.Event) bool {
			return e.Kind != string(plan.KindError) && slices.ContainsFunc(specs(e), func(s string) bool { return string(m.Command) == "session_event "+s })
		}) {
			at = m.Offset
		}
	}
	return at
}

// ringSeen reports whether a whole file shows text that the ring of an armed
// session has held.
func ringSeen(f *sight.Found, s *journal.SessionState, events []journal.Event) bool {
	from := s.TraceFrom
	if from == 0 {
		from = askedAt(f, events)
	}
	return from > 0 && slices.ContainsFunc(f.Marks, func(m sight.Mark) bool { return m.Kind == sight.Wrapped && m.Offset >= from }) ||
		heldMarkers(f, s.TraceFrom, events)
}

// ringWord is the word for the ring of a session whose text was seen.
func ringWord(s *journal.SessionState, events []journal.Event) journal.Ring {
	switch {
	case s.Ring == journal.RingOffSent:
		return journal.RingOffProven
	case s.Ring != journal.RingOnAssumed:
		return s.Ring
	case s.State == journal.Fired && firedFrees(s.Fired, events):
		return journal.RingOffProven
	}
	return journal.RingOnProven
}

// firedFrees reports whether an error has fired whose event turns the ring off
// (inferred: trace_buffer_off frees it, facts/oradebug.md 3.4).
func firedFrees(fired []journal.Fire, events []journal.Event) bool {
	return slices.ContainsFunc(fired, func(f journal.Fire) bool {
		return slices.ContainsFunc(events, func(e journal.Event) bool {
			return e.Kind == string(plan.KindError) && e.Ora == f.Ora && strings.Contains(e.Spec, "trace_buffer_off")
		})
	})
}
