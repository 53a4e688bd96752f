package collect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Removed is what became of one file that was to be deleted after it was
// collected.
type Removed struct {
	Path    string `json:"path"`
	Removed bool   `json:"removed"`
	Note    string `json:"note"`
}

// Remove deletes files on this host whose bytes are in a verified bundle: each
// is read again first, and must be exactly what was packed. A file of a session
// that is still armed stays: its process would go on writing to a deleted file.
// The alert log is never deleted. procs tells who still holds a deleted file
// open.
func Remove(ctx context.Context, list []Original, procs Procs) ([]Removed, error) {
	out := []Removed{}
	for _, o := range list {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		r := Removed{Path: o.Path}
		switch err := removable(ctx, o); {
		case err != nil:
			r.Note = "left alone: " + firstLine(err.Error())
		default:
			home, rest := adrHome(o.Path)
			if err := removeIn(home, rest); err != nil {
				r.Note = "left alone: " + firstLine(err.Error())
				break
			}
			r.Removed = true
			if pids := procs.Holding(o.Path); len(pids) > 0 {
				r.Note = fmt.Sprintf("deleted, but process %s holds it open, so the disk space is not free: oradebug setospid %s, then oradebug close_trace", strings.Join(pids, ", "), pids[0])
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func removeIn(home, rest string) error {
	root, err := os.OpenRoot(home)
	if err != nil {
		return err
	}
	return errors.Join(root.Remove(rest), root.Close())
}

func removable(ctx context.Context, o Original) error {
	name := base(o.Path)
	switch {
	case strings.HasPrefix(name, "alert_") || !strings.HasSuffix(name, ".trc") && !strings.HasSuffix(name, ".trm") && !strings.Contains(name, ".trc."):
		return errors.New("it is no trace file")
	case o.Open:
		return errors.New("its session may still write to it; run ringtrace disable first")
	}
	f, err := Local{}.Open(ctx, 0, o.Path, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Info().Size != o.Bytes {
		return fmt.Errorf("it has %d bytes now, %d are in the bundle", f.Info().Size, o.Bytes)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
		return errors.New("it is not the file that is in the bundle any more")
	}
	return nil
}
