package control

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/oradebug"
	"ringtrace/sessions"
)

// Want says what has to be proved before a command may go out.
type Want uint8

// What is proved: that the process serves our session and no other, or, to
// take back a ring, that it is the same process incarnation.
const (
	WantSession Want = iota
	WantProcess
)

// Target is the session and process that commands are meant for.
type Target struct {
	Key     journal.Session
	Process journal.Process
	Want    Want
	// Who tells a person whose session it is.
	Username string

	query string
}

// osID is what V$PROCESS.SPID and STID hold.
var osID = regexp.MustCompile(`^[0-9]{0,20}$`)

// NewTarget makes a target of what a listing or a journal says of a session.
func NewTarget(s *sessions.Session) (Target, error) {
	if s.SID < 1 || s.Serial < 1 || s.Orapid < 1 || !osID.MatchString(s.Ospid) || !osID.MatchString(s.Stid) {
		return Target{}, fmt.Errorf("session %s has no usable identity: orapid %d, ospid %q", s.Key(), s.Orapid, s.Ospid)
	}
	proof, own := plan.Identity(s)
	stid := s.Stid
	if stid == "0" {
		stid = "" // facts/views-and-sqlplus.md 2.4
	}
	return Target{
		Key:      journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial, LogonTime: s.LogonTime},
		Process:  journal.Process{Orapid: s.Orapid, ProcessSerial: s.ProcessSerial, Ospid: s.Ospid, Stid: stid},
		Username: s.Username,
		query: "select '" + identityMark + " ' || count(distinct p.addr) || ' ' || count(s.sid) || ' ' || count(case when " + own +
			" then 1 end) from v$process p left join v$session s on s.paddr = p.addr where " + proof,
	}, nil
}

// TargetOf makes a target of a session in a journal.
func TargetOf(s *journal.SessionState) (Target, error) {
	return NewTarget(&sessions.Session{
		InstID: s.Session.InstID, SID: s.Session.SID, Serial: s.Session.Serial, LogonTime: s.Session.LogonTime, Username: s.Username,
		Orapid: s.Process.Orapid, ProcessSerial: s.Process.ProcessSerial, Ospid: s.Process.Ospid, Stid: s.Process.Stid,
	})
}

// Wanting returns the target with another condition.
func (t Target) Wanting(w Want) Target {
	t.Want = w
	return t
}

// IdentityQuery is the one-row, one-column query behind Identity, without a
// terminator.
func (t Target) IdentityQuery() string { return t.query }

func (t Target) String() string { return fmt.Sprintf("session %s, orapid %d", t.Key, t.Process.Orapid) }

// matches checks the reply of setorapid: the pid pair, and that the image is a
// dedicated server's.
func (t Target) matches(a oradebug.Attach) error {
	switch {
	case a.Orapid != t.Process.Orapid:
		return &WrongTargetError{Target: t, Reason: "gone", Detail: fmt.Sprintf("the reply names orapid %d", a.Orapid)}
	case t.Process.Ospid != "" && a.OSPid != t.Process.Ospid && (t.Process.Stid == "" || a.OSPid != t.Process.Stid):
		return &WrongTargetError{Target: t, Reason: "gone", Detail: fmt.Sprintf("orapid %d is process %s now, not %s", a.Orapid, a.OSPid, t.Process.Ospid)}
	case a.Class != oradebug.ClassUser:
		return &WrongTargetError{Target: t, Reason: "refused", Detail: fmt.Sprintf("the image is a %s: %s", a.Class, a)}
	}
	return nil
}

// Identity is what the identity query found.
type Identity struct {
	Process  bool // the process incarnation is there
	Sessions int  // sessions on it
	Own      bool // our session is among them, by a dedicated server
}

const identityMark = "ringtrace identity"

// readIdentity reads a line of the answer to the identity query: the mark and
// three counts.
func readIdentity(line string) (Identity, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), identityMark+" ")
	if !ok {
		return Identity{}, false
	}
	var n [3]int
	for i := range n {
		word, after, more := strings.Cut(rest, " ")
		v, err := strconv.Atoi(word)
		if err != nil || v < 0 || word[0] == '+' || more != (i < len(n)-1) {
			return Identity{}, false
		}
		n[i], rest = v, after
	}
	return Identity{Process: n[0] == 1, Sessions: n[1], Own: n[2] == 1}, true
}

// check says why the identity does not hold, nil if it does.
func (t Target) check(id Identity) error {
	wrong := func(reason, detail string) error {
		return &WrongTargetError{Target: t, Reason: reason, Detail: detail, Identity: id}
	}
	switch {
	case !id.Process:
		return wrong("gone", "the process is not there any more")
	case t.Want == WantProcess:
		return nil
	case !id.Own:
		return wrong("gone", "the process does not serve this session any more")
	case id.Sessions != 1:
		return wrong("shared_process", fmt.Sprintf("the process carries %d sessions", id.Sessions))
	}
	return nil
}
