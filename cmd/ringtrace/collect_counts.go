package main

import (
	"fmt"
	"strings"

	"ringtrace/internal/bundle"
)

// sessionCounts counts sessions, each once, by what became of their files. The
// summary in JSON counts rows: a session may have several files.
func sessionCounts(files []bundle.File) string {
	type session struct{ inst, sid, serial int }
	has := map[session]map[bundle.Status]bool{}
	for i := range files {
		k := session{files[i].InstID, files[i].SID, files[i].Serial}
		if has[k] == nil {
			has[k] = map[bundle.Status]bool{}
		}
		has[k][files[i].Status] = true
	}
	n := map[bundle.Status]int{}
	for _, s := range has {
		n[statusOf(s)]++
	}
	var out []string
	for _, s := range []bundle.Status{bundle.Collected, bundle.Partial, bundle.Missing, bundle.Denied, bundle.Skipped} {
		out = append(out, fmt.Sprintf("%d %s", n[s], s))
	}
	return count(len(has), "session") + ": " + strings.Join(out, ", ")
}

// statusOf sums up the states of a session's files: some collected beside some
// missing is partial.
func statusOf(has map[bundle.Status]bool) bundle.Status {
	lacks := has[bundle.Missing] || has[bundle.Denied]
	switch {
	case has[bundle.Partial], has[bundle.Collected] && lacks:
		return bundle.Partial
	case has[bundle.Collected]:
		return bundle.Collected
	case has[bundle.Denied]:
		return bundle.Denied
	case has[bundle.Missing]:
		return bundle.Missing
	}
	return bundle.Skipped
}

// whyNothing says why a bundle holds no trace, where every session was skipped.
func whyNothing(job *collectJob) string {
	o := &job.options
	switch {
	case armedEver(o.Campaign) == 0:
		return "campaign " + o.Campaign.Header.Campaign + " armed no session, so there is no trace of it"
	case job.narrow != "":
		return "no trace file of this campaign is within what" + job.narrow + " leaves"
	case o.OnlyFired:
		return "no trace of this campaign holds a flushed ring or an error stack: no session has fired, or its trace is not there"
	}
	if o.Campaign.Closed {
		return "no trace text was written while it was armed: no error that it waited for came, nobody wrote a ring by ringtrace flush, and the rings held no SQL trace when they were released"
	}
	return "no trace text was written yet: an error that is waited for writes a session's ring, and so does ringtrace flush"
}
