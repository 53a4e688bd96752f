package plan

import (
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// checkSessions holds every value that stands outside comments to a form in
// which it cannot be anything but itself.
func checkSessions(list []sessions.Session, source string) error {
	for i := range list {
		s := &list[i]
		bad := func(what, value string) error {
			return exit.Errorf(exit.Failed, "correct the inventory (columns: sid, serial, orapid, process_serial, ospid …)",
				"%s: %s %q cannot be right", where(s, source), what, value)
		}
		switch {
		case s.InstID < 1 || s.SID < 1 || s.Serial < 0 || s.Orapid < 1 || s.ProcessSerial < 0:
			return exit.Errorf(exit.Failed, "inst_id, sid, serial and orapid are positive whole numbers",
				"%s: a number is missing or negative", where(s, source))
		case !token(s.Ospid, hexDigits, 24):
			return bad("ospid", s.Ospid)
		case !token(s.Stid, hexDigits, 24):
			return bad("stid", s.Stid)
		}
		if i > 0 && list[i-1].Key() == s.Key() {
			return exit.Errorf(exit.Failed, "leave one of the two rows", "%s: the session is listed twice", where(s, source))
		}
	}
	return nil
}

const (
	hexDigits = "0123456789abcdefABCDEF"
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// nameChars may stand in database, instance and host names.
	nameChars = "0123456789" + letters + "_.$#-+"
)

// token reports whether text is at most max of the characters in set; the
// empty text is one.
func token(text, set string, max int) bool {
	if len(text) > max {
		return false
	}
	for i := range len(text) {
		if strings.IndexByte(set, text[i]) < 0 {
			return false
		}
	}
	return true
}

// instanceFacts returns what is known of the instance, checked.
func instanceFacts(known []sessions.Instance, id int) (sessions.Instance, error) {
	inst := sessions.Instance{InstID: id}
	for i := range known {
		if known[i].InstID == id {
			inst = known[i]
		}
	}
	for _, f := range []struct{ flag, value string }{
		{"--db-name", inst.DBUniqueName}, {"--instance-name", inst.InstanceName}, {"--host", inst.HostName},
	} {
		if !token(f.value, nameChars, 128) || strings.HasSuffix(f.value, "-") {
			return inst, exit.Errorf(exit.Usage, f.flag+" takes letters, digits and _ . $ # - +", "%q is not a name that a script can check (%s)", f.value, f.flag)
		}
	}
	if r, err := sessions.ParseRelease(inst.Version); err == nil { // unknown is not old
		if err := sessions.TooOld(r); err != nil {
			return inst, err
		}
	}
	return inst, nil
}
