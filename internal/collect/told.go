package collect

import (
	"bytes"
	"io"
	"slices"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// told is the manifest as far as the bundle's own report needs it: what the
// campaign waited for, when it armed whom, and what is replaced. The whole one
// lists that report, so it is made after it.
func (r *run) told(without []*journal.SessionState) (bundle.Member, error) {
	m := r.manifest(without)
	m.Notes = []string{}
	for i := range m.Files {
		f := &m.Files[i]
		f.Source, f.Note, f.Via, f.FoundBy = nil, nil, "", []string{}
	}
	if red := r.opt.Redactor; red != nil {
		m.Redacted = red.Report()
	}
	text, err := m.Encode()
	return bundle.NewMember(bundle.ManifestName, bundle.ManifestName, int64(len(text)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	}), err
}

// watched lists the errors that a campaign waits for.
func watched(events []journal.Event) []int {
	out := []int{}
	for _, e := range events {
		if e.Kind == "error" && !slices.Contains(out, e.Ora) {
			out = append(out, e.Ora)
		}
	}
	slices.Sort(out)
	return out
}

// armedAt is when a session was armed first. The journal of a script that was run
// by hand was written later: its sessions were armed after the script was made.
func armedAt(h *journal.Header, s *journal.SessionState) *time.Time {
	at := s.FirstArmed
	if at.IsZero() {
		return nil
	}
	if h.Origin == "import" {
		at = h.Created
	}
	at = at.UTC()
	return &at
}
