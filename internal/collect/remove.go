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
		seen, err := removable(ctx, o)
		if err == nil {
			err = remove(o.Path, seen)
		}
		switch {
		case err != nil:
			r.Note = "left alone: " + firstLine(err.Error())
		default:
			r.Removed = true
			if pids := procs.Holding(o.Path); len(pids) > 0 {
				r.Note = fmt.Sprintf("deleted, but process %s holds it open, so the disk space is not free: oradebug setospid %s, then oradebug close_trace", strings.Join(pids, ", "), pids[0])
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// remove deletes a file if it still is the one that was seen.
func remove(path string, seen Info) error {
	home, rest := adrHome(path)
	root, err := os.OpenRoot(home)
	if err != nil {
		return err
	}
	defer root.Close()
	now, err := root.Lstat(rest)
	if err != nil {
		return err
	}
	if i := infoOf(path, now); i.ID != seen.ID || i.Size != seen.Size {
		return errors.New("it changed while it was compared with the bundle")
	}
	return root.Remove(rest)
}

// removable reports what a file is that holds what was packed; an error says
// why it must stay.
func removable(ctx context.Context, o Original) (Info, error) {
	name := base(o.Path)
	switch {
	case strings.HasPrefix(name, "alert_") || !strings.HasSuffix(name, ".trc") && !strings.HasSuffix(name, ".trm") && !strings.Contains(name, ".trc."):
		return Info{}, errors.New("it is no trace file")
	case o.Open:
		return Info{}, errors.New("its session may still write to it; run ringtrace disable first")
	}
	f, err := Local{}.Open(ctx, 0, o.Path, 0)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	if f.Info().Size != o.Bytes {
		return Info{}, fmt.Errorf("it has %d bytes now, %d are in the bundle", f.Info().Size, o.Bytes)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return Info{}, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
		return Info{}, errors.New("it is not the file that is in the bundle any more")
	}
	return f.Info(), nil
}
