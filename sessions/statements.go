package sessions

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"
)

//go:embed sql/*.sql
var sqlFiles embed.FS

// Release is a major and minor database version, such as {12, 1}.
type Release struct{ Major, Minor int }

// ParseRelease reads V$INSTANCE.VERSION: 19.3.0.0.0, 12.1.0.2.0 …
func ParseRelease(version string) (Release, error) {
	parts := strings.SplitN(version, ".", 3)
	var r Release
	var err error
	if r.Major, err = strconv.Atoi(parts[0]); err == nil && len(parts) > 1 {
		r.Minor, err = strconv.Atoi(parts[1])
	}
	if err != nil || r.Major < 1 || r.Major > 99 {
		return Release{}, fmt.Errorf("%s is not a database version", quoteShort(version))
	}
	return r, nil
}

// AtLeast reports whether r is major.minor or later.
func (r Release) AtLeast(major, minor int) bool {
	return r.Major > major || r.Major == major && r.Minor >= minor
}

func (r Release) String() string { return fmt.Sprintf("%d.%d", r.Major, r.Minor) }

// Capability says which statements an instance can run. It starts from the
// release and is corrected by the columns that the dictionary shows.
//
// The releases that differ for us (facts/views-and-sqlplus.md 1.1): 11.2; 12.1
// has containers, STID and ORACLE_MAINTAINED; 12.2 adds nothing that is read
// here, and neither does 23ai (its V$PROCESS.PROGRAM is only wider); 18c has
// VERSION_FULL.
type Capability struct {
	Release     Release
	Containers  bool // V$SESSION.CON_ID, V$PROCESS.STID, V$CONTAINERS, V$DATABASE.CDB (12.1)
	VersionFull bool // V$INSTANCE.VERSION_FULL (18c)
}

// CapabilityOf returns what a release has by the book.
func CapabilityOf(r Release) Capability {
	return Capability{Release: r, Containers: r.AtLeast(12, 1), VersionFull: r.AtLeast(18, 0)}
}

// file names the statement's file for these capabilities.
func (c Capability) file(statement string) string {
	suffix := ""
	switch statement {
	case "sessions", "database", "own":
		suffix = "_11.2"
		if c.Containers {
			suffix = "_12.1"
		}
	case "instances":
		suffix = "_11.2"
		if c.VersionFull {
			suffix = "_18"
		}
	case "threaded", "maintained":
		suffix = "_12.1"
	}
	return "sql/" + statement + suffix + ".sql"
}

// Statement renders one of the embedded statements (instance, instances,
// database, own, threaded, maintained, columns, sessions). rac asks all
// instances (GV$); matched is the condition's CASE expression, "1" for none.
func (c Capability) Statement(name string, rac bool, matched string) (string, error) {
	text, err := sqlFiles.ReadFile(c.file(name))
	if err != nil {
		return "", fmt.Errorf("statement %s: %w", name, err)
	}
	t, err := template.New(name).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return "", fmt.Errorf("statement %s: %w", name, err)
	}
	v := "v$"
	if rac {
		v = "gv$"
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		V       string
		RAC     bool
		Matched string
	}{v, rac, matched})
	if err != nil {
		return "", fmt.Errorf("statement %s: %w", name, err)
	}
	return withoutComments(b.String()), nil
}

// withoutComments drops comment lines: they are for the reader of the file,
// and a semicolon in one would end the statement in sqlplus.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}

// SessionsQuery returns the statement that lists all sessions and tells by
// binds which of them sel matches, with its arguments in order. instID stands
// for the instance number where only one instance is asked.
func (c Capability) SessionsQuery(sel *Selector, rac bool, instID int) (query string, args []any, err error) {
	bind := func(v any) string {
		args = append(args, v)
		return ":" + strconv.Itoa(len(args))
	}
	inst := "s.inst_id"
	if !rac {
		inst = strconv.Itoa(instID)
	}
	conName := "c.name"
	if !c.Containers {
		conName = "null" // there are no containers: no session is in a PDB
	}
	matched := "1"
	if cond := sel.Where(inst, conName, bind); cond != "" {
		matched = "case when " + strings.ReplaceAll(cond, "\n   and ", "\n             and ") + " then 1 else 0 end"
	}
	query, err = c.Statement("sessions", rac, matched)
	return query, args, err
}
