package main

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"slices"

	"ringtrace/internal/control"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// scriptsForUnreached writes scripts for the instances that no conversation
// could be opened with, so that somebody who gets there can run them; the log
// comes back by `campaigns import`.
func (rt *runtime) scriptsForUnreached(ctx context.Context, p *enablePlan, doc *control.Document, stateDir string) {
	if p.request == nil || doc == nil {
		return // a plan file does not hold what a script's header says
	}
	var insts []int
	for i := range doc.Sessions {
		s := &doc.Sessions[i]
		if s.Reason != nil && *s.Reason == "no_connection" && !slices.Contains(insts, s.InstID) {
			insts = append(insts, s.InstID)
		}
	}
	for _, inst := range insts {
		dir, err := rt.scriptsFor(ctx, *p.request, inst, stateDir)
		if err != nil {
			rt.warnf("instance %d was not reached, and no script could be written for it: %v", inst, err)
			continue
		}
		rt.warnf("instance %d was not reached: run %s there, and import its log: %s %s LOG", inst,
			filepath.Join(dir, "enable_*.sql"), rt.complete("ringtrace campaigns import"), quoteArg(filepath.Join(dir, spool.ManifestName)))
	}
}

func (rt *runtime) scriptsFor(ctx context.Context, req plan.Request, inst int, stateDir string) (dir string, err error) {
	req.Sessions = slices.DeleteFunc(slices.Clone(req.Sessions), func(s sessions.Session) bool { return s.InstID != inst })
	req.Split = plan.DefaultSplit
	if req.Campaign, err = plan.NewCampaignID(rt.now(), rand.Reader); err != nil {
		return "", err
	}
	p, err := plan.New(req)
	if err != nil {
		return "", err
	}
	builtin, err := templates.Builtin()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(stateDir, "scripts", req.Campaign)
	_, err = spool.Write(ctx, p, builtin, spool.Options{Dir: dir})
	return dir, err
}
