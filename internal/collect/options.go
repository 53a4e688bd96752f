package collect

import (
	"context"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect/redact"
	"ringtrace/internal/journal"
)

// Document is a file of the bundle that is made here, not found.
type Document struct {
	Name string
	Data []byte
}

// Options say what to collect and how.
type Options struct {
	Campaign  *journal.Campaign
	Sources   []Source   // tried in this order for every file
	Database  *Database  // nil: no database was asked
	Documents []Document // scripts, journal, dialogue, clock, cursors
	Notes     []string   // for the manifest
	Simulated bool       // the traces are those of a simulated instance

	Since, Until time.Time // of a file's last change and first stamp; zero: any
	MaxBytes     int64     // of all traces together; 0: no limit
	OnlyFired    bool

	Format   bundle.Format
	Tool     string
	Redactor *redact.Redactor // nil: nothing is taken out
	Stage    string           // folder for copies from sources that are not direct

	// Report turns the traces and documents, as they stand in the bundle, into
	// its reports. It may be nil.
	Report func(ctx context.Context, traces []bundle.Member, docs []Document) ([]Document, error)
	// Progress is told of the work; it may be nil.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Doing string // find, fetch, pack, report
	File  string
	Done  int64 // bytes read since this was begun
	Total int64 // bytes to read; 0: not known
}

// Result is what a run made.
type Result struct {
	Manifest *bundle.Manifest
	// Originals are the files that were packed whole from this host, with the
	// sum of what was packed: what Remove may delete.
	Originals []Original
	// Unfinished says that copies were kept in the stage folder, so that the
	// next run goes on from there.
	Unfinished bool
}

// Original is a file on this host whose bytes are in the bundle.
type Original struct {
	Path   string
	Bytes  int64
	SHA256 string
	Open   bool // its session may still write to it
}
