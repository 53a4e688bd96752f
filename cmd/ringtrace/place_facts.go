package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// placeFacts returns the instances of the inventory with what the flags add:
// --db-name, --instance-name, --host and --started. Each takes NAME, for all
// instances, or INST=NAME for one. A flag never changes what a database told.
func placeFacts(c *cli.Context, inv *sessions.Inventory, list []sessions.Session) ([]sessions.Instance, error) {
	known := map[int]*sessions.Instance{}
	out := slices.Clone(inv.Instances)
	for i := range list {
		id := list[i].InstID
		if !hasInstance(out, id) {
			out = append(out, sessions.Instance{InstID: id})
		}
	}
	for i := range out {
		known[out[i].InstID] = &out[i]
	}
	set := map[string]func(*sessions.Instance, string) error{
		"db-name":       func(in *sessions.Instance, v string) error { return setFact(&in.DBUniqueName, "db-name", v) },
		"instance-name": func(in *sessions.Instance, v string) error { return setFact(&in.InstanceName, "instance-name", v) },
		"host":          func(in *sessions.Instance, v string) error { return setFact(&in.HostName, "host", v) },
		"started":       setStarted,
	}
	for _, flag := range []string{"db-name", "instance-name", "host", "started"} {
		for _, value := range c.StringSlice(flag) {
			id, v, err := instanceValue(flag, value, known)
			if err != nil {
				return nil, err
			}
			for i := range out {
				if id != 0 && out[i].InstID != id {
					continue
				}
				if err := set[flag](&out[i], v); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

func hasInstance(list []sessions.Instance, id int) bool {
	return slices.ContainsFunc(list, func(in sessions.Instance) bool { return in.InstID == id })
}

// instanceValue parts INST=VALUE; 0 is every instance, which a name of one
// instance can only mean where there is one.
func instanceValue(flag, value string, known map[int]*sessions.Instance) (int, string, error) {
	hint := "give --" + flag + " VALUE, or --" + flag + " INST=VALUE for one instance of several"
	if before, after, ok := strings.Cut(value, "="); ok {
		id, err := strconv.Atoi(before)
		if err != nil || known[id] == nil {
			return 0, "", exit.Errorf(exit.Usage, hint, "--%s %q: there is no instance %q in this selection", flag, value, before)
		}
		return id, after, nil
	}
	if flag != "db-name" && len(known) > 1 {
		return 0, "", exit.Errorf(exit.Usage, hint, "--%s %q does not say which of %d instances", flag, value, len(known))
	}
	return 0, value, nil
}

func setFact(field *string, flag, value string) error {
	if value == "" {
		return exit.Errorf(exit.Usage, "give a name, or leave it out", "--%s is empty", flag)
	}
	if *field != "" && !strings.EqualFold(*field, value) {
		return exit.Errorf(exit.Refused, "connect to the right database, or leave out --"+flag, "--%s is %q, but it is %q", flag, value, *field)
	}
	if *field == "" {
		*field = value
	}
	return nil
}

func setStarted(in *sessions.Instance, value string) error {
	t, err := sessions.ParseTime(value)
	if err != nil {
		return exit.Errorf(exit.Usage, "write it as V$INSTANCE.STARTUP_TIME shows it: 2026-11-30 08:00:00", "--started %q is not a time", value)
	}
	const digits = "2006-01-02 15:04:05"
	if !in.StartupTime.IsZero() && in.StartupTime.Format(digits) != t.Format(digits) {
		return exit.Errorf(exit.Refused, "leave out --started, or look again", "--started is %s, but the instance started at %s", value, in.StartupTime.Format(digits))
	}
	in.StartupTime = t
	return nil
}
