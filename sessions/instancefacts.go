package sessions

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// set stores what a list says of the instance beside each session; other
// columns are none of its business.
func (in *Instance) set(c column, v string) *cellError {
	v = strings.TrimSpace(v)
	if v == "" {
		return nil
	}
	switch c {
	case colInstanceName:
		in.InstanceName = v
	case colHostName:
		in.HostName = v
	case colDBUniqueName:
		in.DBUniqueName = v
	case colVersion:
		in.Version = v
	case colDBID:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 1 {
			return &cellError{"dbid " + quoteShort(v) + " is not a number", "dbid is V$DATABASE.DBID"}
		}
		in.DBID = n
	case colStarted:
		t, _, err := parseTime(v)
		if err != nil {
			return &cellError{
				"startup_time" + strings.TrimPrefix(err.message, "logon_time"),
				"export it with to_char(startup_time,'YYYY-MM-DD HH24:MI:SS')",
			}
		}
		in.StartupTime = t
	}
	return nil
}

// clash finds a fact that another row of the same instance contradicts.
func (b *builder) clash(in *Instance) *cellError {
	known := b.facts[in.InstID]
	if known == nil {
		return nil
	}
	for _, f := range []struct {
		name, old, now string
	}{
		{"instance_name", known.InstanceName, in.InstanceName},
		{"host_name", known.HostName, in.HostName},
		{"db_unique_name", known.DBUniqueName, in.DBUniqueName},
		{"version", known.Version, in.Version},
		{"dbid", int64Text(known.DBID), int64Text(in.DBID)},
		{"startup_time", timeText(known.StartupTime), timeText(in.StartupTime)},
	} {
		if f.old != "" && f.now != "" && f.old != f.now {
			return &cellError{
				fmt.Sprintf("%s %s of instance %d was %s in line %d", f.name, quoteShort(f.now), in.InstID, quoteShort(f.old), b.factLine[in.InstID]),
				"make one list for one database, taken at one moment, with inst_id on RAC",
			}
		}
	}
	return nil
}

// remember keeps the facts of a row that was taken.
func (b *builder) remember(in *Instance, line int) {
	known := b.facts[in.InstID]
	if known == nil {
		if *in == (Instance{InstID: in.InstID}) {
			return
		}
		known = &Instance{InstID: in.InstID}
		b.facts[in.InstID] = known
		b.factLine[in.InstID] = line
	}
	fill := func(to *string, v string) {
		if *to == "" {
			*to = v
		}
	}
	fill(&known.InstanceName, in.InstanceName)
	fill(&known.HostName, in.HostName)
	fill(&known.DBUniqueName, in.DBUniqueName)
	fill(&known.Version, in.Version)
	if known.DBID == 0 {
		known.DBID = in.DBID
	}
	if known.StartupTime.Equal(time.Time{}) {
		known.StartupTime = in.StartupTime
	}
}

// instances lists what was remembered, by inst_id.
func (b *builder) instances() {
	for _, in := range b.facts {
		b.inv.Instances = append(b.inv.Instances, *in)
	}
	sort.SliceStable(b.inv.Instances, func(i, j int) bool { return b.inv.Instances[i].InstID < b.inv.Instances[j].InstID })
}

func int64Text(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
