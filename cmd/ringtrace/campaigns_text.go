package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ringtrace/internal/campaigns"
)

func when(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

func known[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return printable(strings.NewReplacer("\n", " ", "\t", " ").Replace(fmt.Sprint(*v)))
}

func (rt *runtime) campaignsTable(l *campaigns.List) {
	if len(l.Campaigns) == 0 {
		rt.notef("no campaigns in %s (state is kept per OS user)", rt.stateDirPath())
		return
	}
	w := tabwriter.NewWriter(rt.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CAMPAIGN\tCREATED\tDATABASE\tBY\tSTATUS\tSESSIONS\tTO DISARM\tPURPOSE")
	for i := range l.Campaigns {
		r := &l.Campaigns[i]
		if r.Error != nil {
			fmt.Fprintf(w, "%s\tERROR %s\n", r.Campaign, printable(*r.Error))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", r.Campaign, when(r.Created), known(r.Database.DBUniqueName), printable(r.Origin), campaignStatus(r), r.Sessions, r.ToDisarm, known(r.Purpose))
	}
	w.Flush()
}

// campaignStatus is one word or several: open, closed, in use, dirty, damaged.
func campaignStatus(r *campaigns.Summary) string {
	words := []string{"closed"}
	if r.Open {
		words[0] = "open"
	}
	switch {
	case r.Lock != nil:
		words = append(words, "database in use")
	case r.Dirty > 0:
		words = append(words, "dirty")
	}
	if r.Damaged {
		words = append(words, "damaged")
	}
	return strings.Join(words, ", ")
}

func (rt *runtime) campaignText(d *campaigns.Detail) {
	out := rt.stdout
	fmt.Fprintf(out, "campaign  %s (%s)\n", d.Campaign, campaignStatus(&d.Summary))
	fmt.Fprintf(out, "journal   %s\n", printable(d.Journal))
	fmt.Fprintf(out, "created   %s by %s, %s\n", when(d.Created), printable(d.By.String()), printable(d.Origin))
	fmt.Fprintf(out, "database  %s, dbid %s\n", known(d.Database.DBUniqueName), known(d.Database.DBID))
	for _, i := range d.Instances {
		fmt.Fprintf(out, "instance  %d %s on %s, started %s\n", i.InstID, known(i.InstanceName), known(i.HostName), when(i.StartupTime))
	}
	fmt.Fprintf(out, "purpose   %s, ticket %s\n", known(d.Purpose), known(d.Ticket))
	fmt.Fprintf(out, "selector  %s\n", known(d.Selector))
	for _, e := range d.Events {
		fmt.Fprintf(out, "event     %s\n", printable(e.Spec))
	}
	if d.Lock != nil {
		fmt.Fprintf(out, "in use    by %s\n", printable(d.Lock.String()))
	}
	for _, x := range d.Dirty {
		fmt.Fprintf(out, "dirty     %s\n", printable(x.Text))
	}
	for _, x := range d.Damage {
		fmt.Fprintf(out, "damage    byte %d, %d bytes: %s%s\n", x.Offset, x.Bytes, printable(x.Reason), map[bool]string{true: " (accepted)", false: ""}[x.Accepted])
	}
	for _, n := range d.Notes {
		fmt.Fprintf(out, "note      %s\n", printable(n))
	}
	if len(d.Sessions) > 0 {
		fmt.Fprintln(out)
		rt.campaignSessions(d.Sessions)
	}
	if d.Undo != nil {
		fmt.Fprintf(out, "\n%s to disarm; undo: %s\n", count(d.ToDisarm, "session"), *d.Undo)
	}
}

func (rt *runtime) campaignSessions(list []campaigns.SessionDoc) {
	w := tabwriter.NewWriter(rt.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SESSION\tORAPID\tOSPID\tUSER\tSTATE\tOUTCOME\tREASON\tRING\tTRACE FILE")
	for i := range list {
		s := &list[i]
		fmt.Fprintf(w, "%d,%d,@%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.SID, s.Serial, s.InstID, s.Orapid, known(s.Ospid), known(s.Username), s.State, known(s.Outcome), known(s.Reason), s.Ring, known(s.Tracefile))
	}
	w.Flush()
	for i := range list {
		if s := &list[i]; s.Detail != nil {
			fmt.Fprintf(rt.stdout, "  %d,%d,@%d: %s\n", s.SID, s.Serial, s.InstID, printable(*s.Detail))
		}
	}
}

func (rt *runtime) importText(out *campaigns.Imported) {
	for _, l := range out.Logs {
		note := "complete"
		switch {
		case l.Stopped != nil:
			note = "stopped by its guard: " + printable(*l.Stopped)
		case !l.Complete:
			note = "ENDS EARLY: sessions it does not show are taken as armed"
		}
		if l.Known {
			note += "; imported before"
		}
		fmt.Fprintf(rt.stdout, "%s: %s, instance %d, part %d of %d, %d of %s, %s\n", printable(l.Name), printable(l.Script), l.InstID, l.Part, l.Parts, l.Blocks, count(l.Sessions, "session"), note)
	}
	fmt.Fprintln(rt.stdout)
	list := slices.Clone(out.Sessions)
	rt.campaignSessions(list)
	t := out.Totals
	fmt.Fprintf(rt.stdout, "\ncampaign %s: %s, %d armed, %d skipped, %d failed, %d unknown, %d disarmed, %d without a log\n", out.Campaign, count(t.Selected, "session"), t.Armed, t.Skipped, t.Failed, t.Unknown, t.Disarmed, t.NoLog)
	switch {
	case rt.dryRun:
		fmt.Fprintln(rt.stdout, "dry run: nothing was written")
	case out.Closed:
		fmt.Fprintln(rt.stdout, "nothing is left on; the campaign is closed")
	case out.Undo != nil:
		fmt.Fprintf(rt.stdout, "undo: %s\n", *out.Undo)
	}
}
