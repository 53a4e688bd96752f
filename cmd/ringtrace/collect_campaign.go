package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/sessions"
)

// pickCampaign is --campaign, or the newest of the database that is asked, or
// the newest there is if all are of one database.
func (rt *runtime) pickCampaign(c *cli.Context, db *door, dbErr error) (*journal.Campaign, error) {
	s, err := rt.campaignStore()
	if err != nil {
		return nil, err
	}
	if name := c.String("campaign"); name != "" {
		if strings.HasSuffix(name, ".jsonl") {
			return journal.Load(name)
		}
		id, err := s.Resolve(name)
		if err != nil {
			return nil, err
		}
		return s.Dir.Load(id)
	}
	if dbErr != nil {
		return nil, dbErr
	}
	var which journal.Database
	if db != nil {
		f, err := sessions.Open(c.Context, db)
		if err != nil {
			return nil, err
		}
		which = journal.Database{UniqueName: f.Instances[0].DBUniqueName, DBID: f.Instances[0].DBID}
	}
	found, failed, err := s.Dir.OfDatabase(which)
	if err != nil {
		return nil, err
	}
	for id, err := range failed {
		rt.warnf("campaign %s cannot be read: %v", id, err)
	}
	slices.SortStableFunc(found, func(x, y *journal.Campaign) int { return y.Header.Created.Compare(x.Header.Created) })
	for _, x := range found {
		if same, _ := found[0].Header.Database.Same(x.Header.Database); !same {
			return nil, exit.Errorf(exit.Usage, "give --campaign ID (ringtrace campaigns list shows them), or -c for the database", "there are campaigns of several databases")
		}
	}
	if len(found) == 0 {
		return nil, exit.Errorf(exit.NothingMatch, "ringtrace campaigns list shows all; a script's log becomes one with: ringtrace campaigns import manifest.json LOG", "there is no campaign to collect")
	}
	rt.tellPick(c, found)
	return found[0], nil
}

// tellPick says which campaign is collected, the first of the list, and names
// the others that may have been meant: the open ones and, if this one armed
// nothing, all that did.
func (rt *runtime) tellPick(c *cli.Context, found []*journal.Campaign) {
	of := ""
	if len(found) > 1 {
		of = fmt.Sprintf(", the newest of %d", len(found))
	}
	rt.notef("collecting campaign %s%s", campaignWords(found[0]), of)
	empty := armedEver(found[0]) == 0
	var others []*journal.Campaign
	for _, x := range found[1:] {
		if !x.Closed || empty && armedEver(x) > 0 {
			others = append(others, x)
		}
	}
	switch {
	case len(others) == 0:
		return
	case empty:
		rt.warnf("campaign %s armed no session; was another one meant?", found[0].Header.Campaign)
	default:
		rt.warnf("of this database %s open, too:", count(len(others), "other campaign")+map[bool]string{true: " is", false: " are"}[len(others) == 1])
	}
	for i, x := range others {
		if i == maxRows {
			rt.warnf("and %d more; see them with: %s", len(others)-i, rt.complete("ringtrace campaigns list"))
			break
		}
		rt.warnf("%s: %s", campaignWords(x), rt.collectFrom(x.Header.Campaign, c.String("redact")))
	}
}

// campaignWords tells campaigns apart.
func campaignWords(x *journal.Campaign) string {
	state := "open"
	if x.Closed {
		state = "closed"
	}
	armed := "armed nothing"
	if n := armedEver(x); n > 0 {
		armed = "armed " + count(n, "session")
	}
	return fmt.Sprintf("%s (created %s, %s, %s)", x.Header.Campaign, x.Header.Created.UTC().Format(time.RFC3339), state, armed)
}

// armedEver counts the sessions that a campaign armed, whatever became of them.
// One whose arming has no known end counts, too.
func armedEver(x *journal.Campaign) int {
	n := 0
	for _, s := range x.Sessions {
		if !s.FirstArmed.IsZero() || s.Open() {
			n++
		}
	}
	return n
}
