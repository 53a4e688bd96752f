package daemon

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/sim/instance"
)

// identity is where a simulated database keeps who it is, beside what Oracle has
// in this folder of a home.
func (l Layout) identity() string { return filepath.Join(l.Home(), "dbs", "identity.json") }

// Identify returns who the database of a folder is for the start at hand: the
// first one creates it, with an id from random, and every further one is a
// restart. So a campaign of one folder is refused in another, whatever the seeds
// are, and one from before a restart counts as gone.
func (l Layout) Identify(ctx context.Context, random io.Reader) (instance.Identity, error) {
	var id instance.Identity
	data, err := os.ReadFile(l.identity())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var b [4]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return id, fmt.Errorf("an id for the simulated database: %w", err)
		}
		id.ID = binary.BigEndian.Uint32(b[:])
	case err != nil:
		return id, fmt.Errorf("the simulated database's identity: %w", err)
	default:
		if err := json.Unmarshal(data, &id); err != nil {
			return id, fmt.Errorf("the simulated database's identity: %s: %w; remove the file for a new one", l.identity(), err)
		}
		id.Restarts++
	}
	if data, err = json.Marshal(id); err != nil {
		return id, err
	}
	return id, atomicfile.WriteFile(ctx, l.identity(), append(data, '\n'), atomicfile.Options{Force: true})
}
