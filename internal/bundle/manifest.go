package bundle

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// ManifestName is the file of a bundle that says what is in it.
const ManifestName = "manifest.json"

// Status is what became of one file of one session.
type Status string

// The status words of the contract. Skipped is no failure.
const (
	Collected Status = "collected"
	Partial   Status = "partial"
	Missing   Status = "missing"
	Denied    Status = "denied"
	Skipped   Status = "skipped"
)

// known reports whether a manifest may say so.
func (s Status) known() bool {
	switch s {
	case Collected, Partial, Missing, Denied, Skipped:
		return true
	}
	return false
}

// File is one row of the manifest: a file as far as it concerns one session.
// Null means unknown, or that there is none.
type File struct {
	Source *string `json:"source"` // its path on the server
	Name   *string `json:"name"`   // in the bundle, or what it would be
	InstID int     `json:"inst_id"`
	SID    int     `json:"sid"`
	Serial int     `json:"serial"`
	Bytes  *int64  `json:"bytes"`
	SHA256 *string `json:"sha256"`
	Status Status  `json:"status"`
	Note   *string `json:"note"`

	Via      string     `json:"via"`  // local, sql, ssh HOST, folder DIR, none
	Kind     string     `json:"kind"` // trace, segment, map, incident, continued
	FoundBy  []string   `json:"found_by"`
	Modified *time.Time `json:"modified"`
	First    *string    `json:"first"` // first and last time stamp of this session in it, as printed
	Last     *string    `json:"last"`
	Text     *int64     `json:"session_bytes"` // bytes of trace text that belong to this session
	ArmedAt  *time.Time `json:"armed_at"`      // when the campaign armed the session first, or no earlier than that
}

// Summary counts the rows of a manifest.
type Summary struct {
	Sessions  int   `json:"sessions"`
	Fired     int   `json:"fired"`
	Files     int   `json:"files"` // distinct traces in the bundle, without their maps
	Bytes     int64 `json:"bytes"` // of them
	Collected int   `json:"collected"`
	Partial   int   `json:"partial"`
	Missing   int   `json:"missing"`
	Denied    int   `json:"denied"`
	Skipped   int   `json:"skipped"`
}

// Redaction says what was taken out.
type Redaction struct {
	What    []string `json:"what"` // binds, literals, names; empty for none
	KeyID   *string  `json:"key_id"`
	Values  int64    `json:"values"`        // values replaced
	Blanked int64    `json:"blanked_bytes"` // of dumps and text that nothing is known of
	Notes   []string `json:"notes"`
}

// Manifest is manifest.json, and what `collect -o json` prints.
type Manifest struct {
	Bundle   string    `json:"bundle"`
	Format   Format    `json:"format"`
	Tool     string    `json:"tool"`
	Campaign string    `json:"campaign"`
	Created  time.Time `json:"campaign_created"`
	Watched  []int     `json:"watched"` // error numbers that the campaign waits for
	Redacted Redaction `json:"redacted"`
	Files    []File    `json:"files"`
	Contents []Entry   `json:"contents"` // everything in the bundle but the manifest
	Notes    []string  `json:"notes"`
	Summary  Summary   `json:"summary"`

	// Simulated says that no database wrote the traces.
	Simulated bool `json:"simulated,omitempty"`
}

// Encode renders the manifest as it stands in a bundle.
func (m *Manifest) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", ManifestName, err)
	}
	return append(b, '\n'), nil
}

// maxManifest bounds what is read into memory of a hostile bundle.
const maxManifest = 64 << 20

// ReadManifest reads manifest.json.
func ReadManifest(r io.Reader) (*Manifest, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ManifestName, err)
	}
	if len(b) > maxManifest {
		return nil, fmt.Errorf("read %s: it is larger than %d bytes", ManifestName, maxManifest)
	}
	m := &Manifest{}
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("read %s: %w", ManifestName, err)
	}
	return m, nil
}
