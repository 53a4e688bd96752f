package campaigns

import (
	"fmt"
	"os"
	"path/filepath"

	"ringtrace/internal/journal"
)

// ImportDry does what Import does on a copy of the journal that is thrown
// away, and so refuses and reports the same.
func (s Store) ImportDry(manifestPath string, logPaths []string) (*Imported, error) {
	m, err := readManifest(manifestPath)
	if err != nil {
		return nil, err
	}
	real, err := s.Dir.File(m.Campaign)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "ringtrace-dry-run-*")
	if err != nil {
		return nil, fmt.Errorf("dry run: %w", err)
	}
	defer os.RemoveAll(tmp)
	copyOf := Store{Dir: journal.Dir{Path: tmp}, Now: s.Now, Who: s.Who}
	b, err := os.ReadFile(real)
	switch {
	case err == nil:
		path, err := copyOf.Dir.File(m.Campaign)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("dry run: %w", err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return nil, fmt.Errorf("dry run: %w", err)
		}
	case !notThere(err):
		return nil, fmt.Errorf("dry run: %w", err)
	}
	out, err := copyOf.Import(manifestPath, logPaths)
	if out != nil {
		out.Journal = real
	}
	return out, err
}
