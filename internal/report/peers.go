package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringtrace/tracefile"
)

// peerTrace says why the trace of a deadlock's other session, which alone has its
// bind values, is not here, and what to type for it; "" if it was read.
func (b *builder) peerTrace(p tracefile.Party, e *tracefile.ErrorInfo) (why string, commands []string) {
	sid := strconv.FormatInt(p.Session, 10)
	of := func(name string) bool { s, _, _ := strings.Cut(name, "."); return s == sid }
	if slices.ContainsFunc(b.p.Sessions, func(s *tracefile.Session) bool {
		return of(s.SID) && (e.Session == nil || sameInstance(s, e.Session))
	}) {
		return "", nil
	}
	for _, l := range b.p.LeftOut {
		if of(l.SID) {
			return "its own trace, which has its bind values, is left out by " + b.leftOutBy(sid), nil
		}
	}
	if e.File != nil {
		for i := range b.opt.Bundles {
			if rest, ok := strings.CutPrefix(e.File.Path, b.opt.Bundles[i].Path); ok {
				return b.opt.Bundles[i].peerTrace(p, rest, e.Session)
			}
		}
	}
	return "its own trace, which has its bind values, is not here; while it is armed, get it with", fetch("", "--sid "+sid)
}

// leftOutBy says which flag refused a session, and what to type for it.
func (b *builder) leftOutBy(sid string) string {
	if slices.ContainsFunc(b.opt.Read, func(s string) bool { return strings.HasPrefix(s, "session ") }) {
		return "--session: add --session " + sid
	}
	return "--module: leave it out, and add --session " + sid
}

// peerTrace says it of a session whose peer's trace is in this bundle, at name.
func (d *Bundle) peerTrace(p tracefile.Party, name string, peer *tracefile.Session) (why string, commands []string) {
	own, ok := sessionKey(name, peer)
	var found [][3]int
	for key := range d.armed {
		if int64(key[1]) == p.Session && (p.Serial == 0 || int64(key[2]) == p.Serial) && (!ok || p.Instance != 0 || key[0] == own[0]) && (p.Instance == 0 || int64(key[0]) == p.Instance) {
			found = append(found, key)
		}
	}
	if len(found) == 0 {
		return fmt.Sprintf("campaign %s had not armed it, so it kept no trace", d.Campaign), nil
	}
	sid := strconv.FormatInt(p.Session, 10)
	if len(found) == 1 { // the serial# and the instance are known then
		sid = fmt.Sprintf("%d,%d,@%d", found[0][1], found[0][2], found[0][0])
	}
	return "its own trace, which has its bind values, is not in this bundle; while it is armed, get it with", fetch(d.Campaign, "--sid "+sid)
}

// campaignID is what ringtrace names campaigns. What else a bundle's manifest says
// does not get into a line that somebody will paste into a shell.
var campaignID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z-]*$`)

// fetch is what to type for the rings of armed sessions.
func fetch(campaign, which string) []string {
	if !campaignID.MatchString(campaign) {
		campaign = ""
	}
	if campaign != "" {
		campaign = " --campaign " + campaign
	}
	return []string{"ringtrace flush -c /" + campaign + " " + which, "ringtrace collect -c /" + campaign}
}
