package spool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/plan"
)

// NamedScript is a script that is not one of a plan's parts. Render is called
// twice: with an empty checksum first, then with that of all lines behind the
// checksum line.
type NamedScript struct {
	Name   string
	Render func(w io.Writer, checksum string) error
}

// WriteScripts writes the scripts and a manifest without sessions into
// opts.Dir: all of them, or none. It returns the files, the manifest last.
func WriteScripts(ctx context.Context, p *plan.Plan, scripts []NamedScript, opts Options) ([]FileItem, error) {
	set, err := atomicfile.NewSet(ctx, opts.Dir, atomicfile.Options{Force: opts.Force})
	if err != nil {
		return nil, err
	}
	defer set.Abort()
	files := []FileItem{}
	for _, s := range scripts {
		item, err := writeFile(set, s.Name, func(w io.Writer) error { return PrintScript(ctx, w, s) })
		if err != nil {
			return nil, interrupted(ctx, err)
		}
		files = append(files, item)
	}
	manifest, err := NewManifest(p, files).encode()
	if err != nil {
		return nil, err
	}
	item, err := writeFile(set, ManifestName, func(w io.Writer) error {
		_, err := w.Write(manifest)
		return err
	})
	if err != nil {
		return nil, err
	}
	return append(files, item), set.Commit()
}

// PrintScript writes one script with its checksum to w.
func PrintScript(ctx context.Context, w io.Writer, s NamedScript) error {
	body := &bodyHash{ctx: ctx, sum: sha256.New()}
	if err := s.Render(body, ""); err != nil {
		return err
	}
	checksum := ""
	if body.begun {
		checksum = hex.EncodeToString(body.sum.Sum(nil))
	}
	return s.Render(w, checksum)
}
