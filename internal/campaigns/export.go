package campaigns

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"ringtrace/internal/journal"
)

// Export writes the journal of a campaign to w byte for byte, so that it can
// be carried to another host and read there. A last line that is not whole is
// left out: it may be in the middle of being written. damaged says that the
// journal holds corruption, which is exported as it stands.
func (s Store) Export(id string, w io.Writer) (resolved string, damaged bool, err error) {
	id, err = s.Resolve(id)
	if err != nil {
		return "", false, err
	}
	path, err := s.Dir.File(id)
	if err != nil {
		return "", false, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", false, unreadable(err, path)
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	c, err := journal.Fold(bytes.NewReader(b), path)
	if err != nil {
		return "", false, unreadable(err, path)
	}
	if _, err := w.Write(b); err != nil {
		return "", false, fmt.Errorf("export journal: %w", err)
	}
	return id, c.Corrupt(), nil
}
