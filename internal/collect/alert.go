package collect

import (
	"regexp"
	"strconv"
	"strings"
)

// AlertGroup is one "Errors in file …" of an alert log with what follows.
type AlertGroup struct {
	File     string
	Incident int64
	Codes    []int    // of all ORA lines, as they stand
	Details  []string // incident files
}

// Trigger returns the code that the stack of ORA lines is about: what is not
// the report of a place (ORA-06512) or of a caller's job (ORA-12012), else the
// first. One group is one problem, however many lines it has.
func (g AlertGroup) Trigger() int {
	for _, c := range g.Codes {
		if c != 6512 && c != 12012 && c != 4088 {
			return c
		}
	}
	if len(g.Codes) > 0 {
		return g.Codes[0]
	}
	return 0
}

// facts/views-and-sqlplus.md 5.
var (
	errorsInFile   = regexp.MustCompile(`^(?:\S+\(\d+\):)?Errors in file (.+?\.trc)(?:\s+\(incident=(\d+)\))?(?:\s+\(PDBNAME=([^)]+)\))?:\s*$`)
	oraLine        = regexp.MustCompile(`^(?:\S+\(\d+\):)?ORA-(\d{5}):`)
	incidentDetail = regexp.MustCompile(`^(?:\S+\(\d+\):)?Incident details in: (.+?)\s*$`)
)

// incidentFile names the incident of a file: ORCL_ora_1_i48974.trc.
var incidentFile = regexp.MustCompile(`_i(\d+)\.trc$`)

// alertRows reads the groups of messages that came as rows. A line of details
// that is a message of its own belongs to the group of its incident.
func alertRows(texts []string) []AlertGroup {
	var out []AlertGroup
	var alone []string
	for _, t := range texts {
		groups := ParseAlert(t)
		out = append(out, groups...)
		if len(groups) > 0 {
			continue
		}
		for line := range strings.Lines(t) {
			if m := incidentDetail.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
				alone = append(alone, m[1])
			}
		}
	}
	for _, d := range alone {
		m := incidentFile.FindStringSubmatch(d)
		for i := range out {
			if m != nil && strconv.FormatInt(out[i].Incident, 10) == m[1] {
				out[i].Details = append(out[i].Details, d)
			}
		}
	}
	return out
}

// ParseAlert reads the groups of a piece of alert log: the file's text, or one
// MESSAGE_TEXT.
func ParseAlert(text string) []AlertGroup {
	var out []AlertGroup
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := errorsInFile.FindStringSubmatch(line); m != nil {
			g := AlertGroup{File: m[1]}
			g.Incident, _ = strconv.ParseInt(m[2], 10, 64) // empty: none
			out = append(out, g)
			open = true
			continue
		}
		if !open {
			continue
		}
		g := &out[len(out)-1]
		if m := oraLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1]) // five digits
			g.Codes = append(g.Codes, n)
			continue
		}
		if m := incidentDetail.FindStringSubmatch(line); m != nil {
			g.Details = append(g.Details, m[1])
			continue
		}
		open = line == "" || strings.HasPrefix(line, " ")
	}
	return out
}
