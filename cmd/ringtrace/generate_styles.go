package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/internal/styles"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// generateStyle writes the styles that name no sessions. They need no
// --connect; with one, it tells which instances and users there are.
func (rt *runtime) generateStyle(c *cli.Context, req plan.Request, asks traceAsks) error {
	if err := refuseForStyle(c, req.Style); err != nil {
		return err
	}
	sel, err := rt.styleSelector(c, req.Style)
	if err != nil {
		return err
	}
	inv := &sessions.Inventory{}
	if rt.connect != "" {
		if inv, err = rt.inventory(c, sel); err != nil {
			return err
		}
	}
	if err := rt.fillStyle(c, &req, inv, sel); err != nil {
		return err
	}
	b, err := styles.New(req, sel)
	if err != nil {
		return err
	}
	rt.warnAll(b.Warnings())
	if err := rt.settle(c.Context, asks); err != nil {
		return err
	}
	builtin, err := templates.Builtin()
	if err != nil {
		return err
	}
	if err := rt.writeStyle(c, b, builtin); err != nil {
		return err
	}
	return partialError(inv)
}

// styleSelector: a session that arms itself needs no selector.
func (rt *runtime) styleSelector(c *cli.Context, style string) (*sessions.Selector, error) {
	if style == plan.StyleAlterSession {
		return selectorOf(c)
	}
	return requiredSelectorOf(c)
}

func (rt *runtime) fillStyle(c *cli.Context, req *plan.Request, inv *sessions.Inventory, sel *sessions.Selector) error {
	if rt.connect != "" && req.Style == plan.StyleGenerator {
		if inv.Summary().Selected == 0 {
			return noneSelected(sel, inv)
		}
	}
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	req.Source, req.Unverified = inv.Source, inv.Unverified
	if req.Style != plan.StyleAlterSession || !sel.IsZero() {
		req.Selector = sel.String()
	}
	if !inv.Now.IsZero() {
		req.Now = inv.Now
	}
	var err error
	if req.Expires, err = expiry(c.String("expires"), req.Now); err != nil {
		return err
	}
	req.Instances, err = placeFacts(c, inv, req.Sessions)
	return err
}

func (rt *runtime) writeStyle(c *cli.Context, b *styles.Bundle, builtin *templates.Set) error {
	out := c.String("out")
	switch {
	case rt.dryRun && rt.output == outputJSON:
		return rt.printJSON(spool.NewManifest(b.Plan, []spool.FileItem{}))
	case rt.dryRun:
		for _, s := range b.Scripts {
			fmt.Fprintf(rt.stdout, "would write %s\n", s.Name)
		}
		return nil
	case out == "-":
		return b.Print(c.Context, rt.stdout, builtin)
	}
	files, err := b.Write(c.Context, builtin, spool.Options{Dir: out, Force: c.Bool("force")})
	if err != nil {
		return err
	}
	rt.notef("wrote %d files to %s, style %s", len(files), out, b.Plan.Style)
	rt.warnOfLeftovers(out, files)
	for _, s := range b.Scripts {
		if !s.Undo {
			rt.notef("on instance %d run %s, undo with %s; read them first", s.Model.Instance.InstID, s.Name, s.Model.UndoName)
		}
	}
	if rt.output == outputJSON {
		return rt.printJSON(spool.NewManifest(b.Plan, files[:len(files)-1]))
	}
	return nil
}

// refuseForStyle refuses flags that a style cannot honour.
func refuseForStyle(c *cli.Context, style string) error {
	for _, f := range []string{"split", "header"} {
		if c.IsSet(f) {
			return exit.Errorf(exit.Usage, "leave out --"+f, "--%s does not fit style %s", f, style)
		}
	}
	return nil
}
