package spool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// Options says where scripts go.
type Options struct {
	Dir      string
	Force    bool                // replace files that exist
	Template *templates.Template // the user's own enable script, or nil
}

// Write writes the plan's scripts and manifest into opts.Dir: all of them, or
// none. It returns the files in the order written, the manifest last.
func Write(ctx context.Context, p *plan.Plan, builtin *templates.Set, opts Options) ([]FileItem, error) {
	scripts, err := layout(p.Style)
	if err != nil {
		return nil, err
	}
	set, err := atomicfile.NewSet(ctx, opts.Dir, atomicfile.Options{Force: opts.Force})
	if err != nil {
		return nil, err
	}
	defer set.Abort()
	files := []FileItem{}
	add := func(name string, fill func(io.Writer) error) error {
		item, err := writeFile(set, name, fill)
		if err == nil {
			files = append(files, item)
		}
		return err
	}
	r := renderer{builtin: builtin, own: opts.Template}
	for i := range p.Instances {
		for _, part := range p.Instances[i].Parts {
			for _, f := range scripts {
				s := p.Script(&p.Instances[i], part, f.kind)
				if err := add(s.File, func(w io.Writer) error { return renderSigned(ctx, w, r, f, s) }); err != nil {
					return nil, interrupted(ctx, err)
				}
			}
		}
	}
	manifest, err := NewManifest(p, files).encode()
	if err != nil {
		return nil, err
	}
	err = add(ManifestName, func(w io.Writer) error {
		_, err := w.Write(manifest)
		return err
	})
	if err != nil {
		return nil, err
	}
	return files, set.Commit()
}

func writeFile(set *atomicfile.Set, name string, fill func(io.Writer) error) (FileItem, error) {
	f, err := set.Create(name)
	if err != nil {
		return FileItem{}, err
	}
	sum := sha256.New()
	n := &counter{w: io.MultiWriter(f, sum)}
	if err := fill(n); err != nil {
		return FileItem{}, err
	}
	// Closed at once: a campaign may have more files than a process may open.
	if err := f.Close(); err != nil {
		return FileItem{}, err
	}
	return FileItem{Name: name, SHA256: hex.EncodeToString(sum.Sum(nil)), Bytes: n.n}, nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// interrupted says so when that is why writing failed.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && exit.CodeOf(err) != exit.Interrupted {
		return exit.Errorf(exit.Interrupted, "nothing was written", "%w", ctx.Err())
	}
	return err
}

// Render writes one script of a part to w.
func Render(ctx context.Context, w io.Writer, p *plan.Plan, inst *plan.InstancePlan, part plan.Part, kind plan.ScriptKind, builtin *templates.Set, own *templates.Template) error {
	scripts, err := layout(p.Style)
	if err != nil {
		return err
	}
	for _, f := range scripts {
		if f.kind == kind {
			return interrupted(ctx, renderSigned(ctx, w, renderer{builtin: builtin, own: own}, f, p.Script(inst, part, kind)))
		}
	}
	return exit.Errorf(exit.Usage, "one of: enable disable collect", "style %s has no %s script", p.Style, kind)
}

// Print writes the enable script to w. Several parts or instances are refused
// (exit.Usage), because one stream cannot hold two scripts.
func Print(ctx context.Context, w io.Writer, p *plan.Plan, builtin *templates.Set, own *templates.Template) error {
	if err := OneScript(p.Sessions, p.Split); err != nil {
		return err
	}
	return Render(ctx, w, p, &p.Instances[0], p.Instances[0].Parts[0], plan.Enable, builtin, own)
}

// OneScript refuses (exit.Usage) sessions that do not fit into one script of
// split sessions; 0 is no bound.
func OneScript(list []sessions.Session, split int) error {
	on := map[int]int{}
	for i := range list {
		on[list[i].InstID]++
	}
	if n := len(on); n > 1 {
		return exit.Errorf(exit.Usage, "give --out DIR, or select one instance: --inst 1", "%d instances do not fit into one script", n)
	}
	if n := len(list); split > 0 && n > split {
		return exit.Errorf(exit.Usage, "give --out DIR, or --split 0", "%d parts do not fit into one script", (n+split-1)/split)
	}
	return nil
}
