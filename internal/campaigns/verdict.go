package campaigns

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/internal/spool"
)

// verdict is what a log proves about one session.
type verdict struct {
	op journal.Op
	journal.Outcome
	evidence *journal.Evidence
}

// unknown is the verdict where a log cannot tell: disable has to visit.
func unknown(op journal.Op, reason, format string, args ...any) verdict {
	return verdict{op: op, Outcome: journal.Outcome{
		Result: journal.Unknown, State: journal.Uncertain, Reason: reason, Detail: fmt.Sprintf(format, args...),
	}}
}

// enableVerdict judges a block of an enable log. A session counts as armed only
// if the log holds the attach reply with our orapid and ospid, and ARMED; one
// without ospid needs orapid and the identity line instead.
func enableVerdict(m *manifest, s *spool.SessionItem, b *block) verdict {
	v := verdict{op: journal.OpArm, evidence: &journal.Evidence{
		BeforeSession: events(b.dumps["before session"]), BeforeProcess: events(b.dumps["before process"]),
	}}
	v.Tracefile = tracePath(b.trace)
	if notConnected(b) {
		v.Result, v.Reason, v.evidence = journal.Skipped, "not_connected", nil
		return v
	}
	switch b.outcome {
	case "":
		return unknown(v.op, "log_ends", "the log ends in this block, begun at line %d", b.line)
	case "MOVED":
		return unknown(v.op, "moved", "it was this session when the events were sent and was not afterwards")
	case "SKIPPED":
		if b.proof == "session_event" {
			return unknown(v.op, "contradiction", "SKIPPED, but the identity query had said session_event")
		}
		// Nothing was sent: the state stays what it was.
		v.Result, v.Reason, v.evidence = journal.Skipped, "gone", nil
		return v
	}
	if bad, why := attachFault(s, b); bad != "" {
		if bad == "refused" {
			// The lines went to the script's own session, which it cleans.
			v.Result, v.State, v.Reason, v.Detail, v.evidence = journal.Failed, journal.Clean, bad, why, nil
			return v
		}
		return unknown(v.op, bad, "%s", why)
	}
	if e := setError(b); e != nil {
		v.Result, v.State, v.Reason, v.Detail = journal.Failed, journal.Uncertain, "event_error", fmt.Sprintf("line %d: %s", e.line, e.text)
		return v
	}
	v.Result, v.State, v.Ring = journal.Done, journal.Armed, journal.RingNone
	v.Events = events(b.dumps["after session"])
	v.After = v.Events
	if missing := notShown(m, v.Events); len(missing) > 0 {
		v.Detail = "eventdump does not show " + strings.Join(missing, ", ")
	}
	return v
}

// disableVerdict judges a block of a disable log.
func disableVerdict(s *spool.SessionItem, b *block) verdict {
	v := verdict{op: journal.OpDisarm}
	v.After = events(b.dumps["after session"])
	if notConnected(b) {
		v.Result, v.Reason, v.After = journal.Skipped, "not_connected", nil
		return v
	}
	switch b.outcome {
	case "":
		return unknown(v.op, "log_ends", "the log of the disable script ends in this block, begun at line %d", b.line)
	case "MOVED":
		return unknown(v.op, "moved", "the proof had no answer, changed while the events were turned off, or the session is not alone on its process")
	case "GONE":
		v.Result, v.State, v.Ring, v.Reason = journal.Done, journal.Lost, journal.RingNone, "gone"
		return v
	}
	if bad, why := attachFault(s, b); bad != "" {
		return unknown(v.op, bad, "%s", why)
	}
	ringOnly := b.outcome == "RING_ONLY"
	if !ringOnly && b.proof == "help" {
		return unknown(v.op, "contradiction", "DISARMED, but the identity query had said help")
	}
	for e := range setErrors(b) {
		// Without our session the lines for events were `oradebug help …`.
		if !ringOnly || e.code != "ORA-00070" {
			return unknown(v.op, "event_error", "line %d: %s", e.line, e.text)
		}
	}
	v.Result, v.State, v.Ring = journal.Done, journal.Clean, journal.RingOffSent
	if ringOnly {
		v.State, v.Reason = journal.Lost, "gone"
	}
	return v
}

// attachFault says why the block does not prove that our process was attached;
// empty if it does.
func attachFault(s *spool.SessionItem, b *block) (reason, detail string) {
	if b.attach == nil {
		for _, e := range b.errors {
			if e.where == "attach" {
				return "refused", fmt.Sprintf("attach failed, line %d: %s", e.line, e.text)
			}
		}
		return "no_attach_reply", fmt.Sprintf("the block at line %d holds no reply to setorapid", b.line)
	}
	if b.attach.orapid != fmt.Sprint(s.Orapid) {
		return "wrong_process", fmt.Sprintf("the attach reply names orapid %s, not %d", b.attach.orapid, s.Orapid)
	}
	ospid, stid := deref(s.Ospid), deref(s.Stid)
	switch {
	case ospid == "":
		if b.proof != "session_event" {
			return "not_proved", "the inventory has no ospid, and the log no answer session_event of the identity query"
		}
	case b.attach.pid == ospid, stid != "" && stid != "0" && b.attach.pid == stid:
	default:
		return "wrong_process", fmt.Sprintf("the attach reply names process %s, not ospid %s", b.attach.pid, ospid)
	}
	return "", ""
}

// notConnected: SQL*Plus itself refused setorapid and the query, so nothing
// reached the server.
func notConnected(b *block) bool {
	refused := false
	for _, e := range b.errors {
		refused = refused || e.where == "attach" && (e.code == "SP2-0640" || e.code == "SP2-00640")
	}
	return refused && b.attach == nil && b.proof == ""
}

// setError returns the first error of the lines that set or clear events.
func setError(b *block) *answer {
	for e := range setErrors(b) {
		return e
	}
	return nil
}

// setErrors yields the errors of the lines that set or clear events; they stand
// behind the second dump, which has no end mark of its own.
func setErrors(b *block) iter.Seq[*answer] {
	return func(yield func(*answer) bool) {
		for i := range b.errors {
			if e := &b.errors[i]; (e.where == "before process" || e.where == "before session") && !yield(e) {
				return
			}
		}
	}
}

// status matches answers such as `Statement processed.` in any language: words
// without digits, ending in a full stop.
var status = regexp.MustCompile(`^[^\d=\[({]*[.。]$`)

// events drops the status lines from a dump, which mean no event
// (facts/oradebug.md 2.1).
func events(dump []string) []string {
	out := []string{}
	for _, l := range dump {
		if !status.MatchString(l) {
			out = append(out, strings.TrimSpace(l))
		}
	}
	return out
}

// notShown names the events of the manifest whose id no line of the dump
// begins with.
func notShown(m *manifest, dump []string) []string {
	var out []string
	for _, e := range m.Events {
		if e.Kind == "ring" {
			continue // the ring is no event
		}
		id, _, _ := strings.Cut(e.Spec, " ")
		found := false
		for _, l := range dump {
			first, _, _ := strings.Cut(l, " ")
			found = found || strings.EqualFold(first, id)
		}
		if !found {
			out = append(out, id)
		}
	}
	return out
}

// absolute matches the path of a trace file on Unix, Windows or in ASM.
var absolute = regexp.MustCompile(`^(/|[A-Za-z]:[\\/]|\\\\|\+)`)

func tracePath(s string) string {
	if s = strings.TrimSpace(s); absolute.MatchString(s) {
		return s
	}
	return ""
}
