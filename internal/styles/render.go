package styles

import (
	"context"
	"io"

	"ringtrace/internal/exit"
	"ringtrace/internal/spool"
	"ringtrace/templates"
)

// Write writes the scripts and a manifest into opts.Dir, all or none.
func (b *Bundle) Write(ctx context.Context, builtin *templates.Set, opts spool.Options) ([]spool.FileItem, error) {
	var list []spool.NamedScript
	for _, s := range b.Scripts {
		list = append(list, s.named(builtin))
	}
	return spool.WriteScripts(ctx, b.Plan, list, opts)
}

// Print writes the script that arms to w; of several instances it is refused.
func (b *Bundle) Print(ctx context.Context, w io.Writer, builtin *templates.Set) error {
	if n := len(b.Plan.Instances); n > 1 {
		return exit.Errorf(exit.Usage, "give --out DIR, or select one instance: --inst 1", "%d instances do not fit into one script", n)
	}
	return spool.PrintScript(ctx, w, b.Scripts[0].named(builtin))
}

func (s Script) named(builtin *templates.Set) spool.NamedScript {
	return spool.NamedScript{Name: s.Name, Render: func(w io.Writer, checksum string) error {
		s.Model.Checksum = checksum
		return builtin.Render(w, s.Template, s.Model)
	}}
}
