package sessions

import "strings"

// Rules is what the verdict on a row depends on besides the row.
type Rules struct {
	// Match is the selector's verdict: Selector.Match, or what the database
	// answered.
	Match func(*Row) bool
	// Maintained reports whether a user is Oracle-maintained: from
	// DBA_USERS.ORACLE_MAINTAINED (12.1+), else MaintainedUser.
	Maintained func(username string) bool
	// OwnAudSID is the auditing id of our own sessions; 0 unknown. The slaves
	// of our own GV$ queries share it.
	OwnAudSID int64
	// UsernameUnknown is set when the source has no user name column, so that
	// an empty name says nothing.
	UsernameUnknown bool
}

// Judge sets Selected and Reason of one row. Evidence.OnProcess must be known
// (Classify counts it) for shared processes to be found.
func (ru *Rules) Judge(r *Row) {
	r.Reason = ru.reason(r)
	r.Selected = r.Reason == Matched
}

func (ru *Rules) reason(r *Row) Reason {
	kind := r.imageKind()
	switch {
	case ru.own(r):
		return OwnSession
	case isBackground(r, kind):
		return Background
	case kind == kindJob:
		return JobSlave
	case kind == kindPX:
		return PXSlave
	case r.Username == "" && !ru.UsernameUnknown:
		return Background // no user at all: the server's own
	case ru.Maintained(r.Username):
		return OracleMaintained
	case strings.EqualFold(r.Status, "KILLED"):
		return Killed
	case r.Orapid == 0:
		return NoProcess
	case r.Server != "" && !strings.EqualFold(r.Server, "DEDICATED"), kind == kindShared:
		return NotDedicated
	case r.Evidence.OnProcess > 1:
		return SharedProcess
	case !ru.Match(r):
		return NotMatched
	}
	return Matched
}

// own recognises this run's session, the query slaves that work for it, and
// every session that carries our module (other runs, the sqlplus child).
func (ru *Rules) own(r *Row) bool {
	if r.Evidence.Own || r.Module == OwnModule {
		return true
	}
	// SYSDBA sessions all have AUDSID 0 or 2^32-1, which names nobody.
	id := ru.OwnAudSID
	return id > 0 && id < 1<<32-1 && r.Evidence.AudSID == id
}

// OwnModule is the V$SESSION.MODULE that ringtrace sets in its own sessions.
const OwnModule = "ringtrace"

func isBackground(r *Row, kind imageKind) bool {
	if r.Evidence.Background || strings.EqualFold(r.Type, "BACKGROUND") {
		return true
	}
	if r.Type == "" {
		return kind == kindBackground
	}
	// Slaves such as Ennn and Mnnn may run as a user; a dedicated server has no PNAME.
	return !strings.EqualFold(r.Type, "USER") || kind == kindBackground && r.Evidence.PName != ""
}

// Classify judges the rows of a list that is complete in itself, such as a
// file inventory: sessions on one process are counted first.
func Classify(rows []Row, ru *Rules) {
	type proc struct {
		inst int
		id   string
	}
	byPaddr, byPid := map[proc]int{}, map[proc]int{}
	for i := range rows {
		r := &rows[i]
		if r.Evidence.Paddr != "" {
			byPaddr[proc{r.InstID, r.Evidence.Paddr}]++
		}
		if r.Orapid != 0 {
			byPid[proc{r.InstID, itoa(r.Orapid)}]++
		}
	}
	for i := range rows {
		r := &rows[i]
		n := r.Evidence.OnProcess
		if r.Evidence.Paddr != "" {
			n = max(n, byPaddr[proc{r.InstID, r.Evidence.Paddr}])
		}
		if r.Orapid != 0 {
			n = max(n, byPid[proc{r.InstID, itoa(r.Orapid)}])
		}
		r.Evidence.OnProcess = n
		ru.Judge(r)
	}
}
