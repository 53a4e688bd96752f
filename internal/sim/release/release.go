// Package release holds the Oracle releases the simulator can be, as data:
// releases.toml (texts and shapes of trace files) and columns.tsv (the
// columns of every view with the release that brought them, from
// facts/views.tsv).
package release

import (
	_ "embed" // the data files
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/BurntSushi/toml"

	"ringtrace/oradebug"
)

//go:embed releases.toml
var releasesTOML string

// Release is one Oracle release as the simulator plays it.
type Release struct {
	Name    string // as `--release` takes it: "19c"
	Rank    int    // orders the releases; columns.tsv uses it
	Version string // V$INSTANCE.VERSION
	Full    string // V$INSTANCE.VERSION_FULL (18c+)
	Product string // second line of a trace file
	Banner  string // V$VERSION.BANNER
	Home    string // ORACLE_HOME as trace files print it
	CDB     bool   // the default database is a container database

	Stamp      string   // time layout of `***` lines
	Containers bool     // `***` time stamps carry " (PDB(3))"
	EpochTim   bool     `toml:"epoch_tim"` // tim counts from 1970, else from the host's start
	Attributes []string // `*** NAME:(value)` lines of a session block, in order
	MarkerFrom string   `toml:"marker_from"` // how the ORADEBUG marker names the sender
	WaitEla    string   `toml:"wait_ela"`    // `ela= N` or `ela=N`
	BindsGap   bool     `toml:"binds_gap"`   // an empty line after BINDS #n:
	Stat       string   // what stands in the brackets of a STAT line
	NoObject   string   `toml:"no_object"`     // obj# of a wait without object
	Barrier    string   `toml:"error_barrier"` // line after "Error Stack Dump"; empty: none
	FileLimit  int64    `toml:"file_limit"`    // MAX_DUMP_FILE_SIZE in bytes; 0: unlimited
	Segments   int      // trace files are cut in that many segments; 0: truncated

	Header string // text/template of the trace file header

	header *template.Template
}

// Header is what a trace file header is filled with.
type Header struct {
	Path, Product, Full, Home    string
	OS, Host, Kernel             string
	KernelBuild                  string
	Instance, DBName, UniqueName string
	Thread                       int
	DBID                         int64
	Orapid                       int
	Spid, Image, ProcessLine     string
	Created                      string
}

// All returns the releases, oldest first.
func All() ([]*Release, error) {
	var file struct{ Release []*Release }
	if _, err := toml.Decode(releasesTOML, &file); err != nil {
		return nil, fmt.Errorf("releases.toml: %w", err)
	}
	for _, r := range file.Release {
		t, err := template.New(r.Name).Parse(strings.TrimPrefix(r.Header, "\n"))
		if err != nil {
			return nil, fmt.Errorf("releases.toml: header of %s: %w", r.Name, err)
		}
		r.header = t
	}
	return file.Release, nil
}

// Find returns the release of that name; "" means 19c, "26ai" is 23ai.
func Find(name string) (*Release, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	want := strings.ToLower(strings.TrimSpace(name))
	switch want {
	case "":
		want = "19c"
	case "26ai":
		want = "23ai"
	}
	var known []string
	for _, r := range all {
		if r.Name == want || strings.TrimSuffix(r.Name, "c") == want {
			return r, nil
		}
		known = append(known, r.Name)
	}
	return nil, fmt.Errorf("release %q is not simulated; there are %s", name, strings.Join(known, ", "))
}

// WriteHeader renders the header of a new trace file.
func (r *Release) WriteHeader(h Header) (string, error) {
	h.Product, h.Full, h.Home = r.Product, r.Full, r.Home
	var b strings.Builder
	if err := r.header.Execute(&b, h); err != nil {
		return "", fmt.Errorf("trace header of %s: %w", r.Name, err)
	}
	return b.String(), nil
}

// FormatStamp renders t as `***` lines of this release print it.
func (r *Release) FormatStamp(t time.Time) string { return t.Format(r.Stamp) }

// Language returns the release as package oradebug names it.
func (r *Release) Language() oradebug.Release {
	// The versions above are constants of releases.toml; a test parses all.
	v, err := oradebug.ParseRelease(r.Version)
	if err != nil {
		return oradebug.Release{}
	}
	return v
}
