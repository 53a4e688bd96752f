package tmplcheck

import (
	"fmt"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/sessions"
)

// sample is a made-up plan with a name for messages.
type sample struct {
	name string
	plan *plan.Plan
}

// samples are plans that differ in what is known, asked for and how large they
// are, with names from the database that a script has to survive.
func samples() ([]sample, error) {
	var out []sample
	for _, s := range []struct {
		name string
		edit func(*plan.Request)
	}{
		{"everything known", func(*plan.Request) {}},
		{"two instances in parts", func(r *plan.Request) {
			r.Split = 2
			r.Sessions[3].InstID = 2
		}},
		{"an inventory that knows little", func(r *plan.Request) {
			r.Instances, r.Purpose, r.Ticket, r.Unverified = nil, "", "", []string{"server", "type", "status"}
			for i := range r.Sessions {
				x := &r.Sessions[i]
				*x = sessions.Session{InstID: 1, SID: x.SID, Serial: x.Serial, Orapid: x.Orapid}
			}
		}},
		{"no ring", func(r *plan.Request) { r.Options.NoRing = true }},
		{"no errorstack", func(r *plan.Request) { r.Options.Errorstack, r.Options.MaxFires = plan.NoErrorstack, 0 }},
		{"no bound", func(r *plan.Request) { r.Options.MaxFires = 0 }},
	} {
		r := request()
		s.edit(&r)
		p, err := plan.New(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		out = append(out, sample{s.name, p})
	}
	return out, nil
}

func request() plan.Request {
	t := time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)
	r := plan.Request{
		Tool: "ringtrace", Version: "check", Campaign: "20260314T020000Z-abcdef", Now: t, Expires: t.Add(plan.DefaultExpiry),
		Style: plan.StyleGuarded, Options: plan.DefaultOptions(), Source: "sessions.csv", Purpose: "made up", Ticket: "INC-1",
		Selector: "--username APP", Split: plan.DefaultSplit, MaxSessions: plan.DefaultMaxSessions,
	}
	r.Options.Ora = []int{60, 1555}
	for id := 1; id <= 2; id++ {
		r.Instances = append(r.Instances, sessions.Instance{
			InstID: id, InstanceName: fmt.Sprintf("PROD%d", id), HostName: fmt.Sprintf("dbhost%d", id), DBUniqueName: "PROD", DBID: 42,
			Version: "19.0.0.0.0", StartupTime: t.Add(-time.Hour),
		})
	}
	for i, name := range []string{"APP", "R&D ^x", "a'b\"c */ -", "\x1b[31mred\nline"} {
		r.Sessions = append(r.Sessions, sessions.Session{
			InstID: 1, SID: 60 + i, Serial: 100 + i, Orapid: 31 + i, ProcessSerial: 7, Ospid: fmt.Sprint(90031 + i), Username: name, Program: name,
			Module: name, ServiceName: "SALES", Machine: `DOM\web1`, Server: "DEDICATED", Type: "USER", Status: "INACTIVE",
			LogonTime: t.Add(-time.Minute), Tracefile: fmt.Sprintf("/u01/trace/PROD1_ora_%d.trc", 90031+i),
		})
	}
	return r
}
