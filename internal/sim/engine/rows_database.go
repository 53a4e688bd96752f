package engine

import (
	"fmt"
	"path"
	"sort"

	"ringtrace/internal/connect"
	"ringtrace/internal/sim/instance"
)

type instanceColumn = column[*instance.Instance]

func instanceColumns(d *instance.Database) []instanceColumn {
	type i = *instance.Instance
	return []instanceColumn{
		{"INST_ID", func(x i) any { return x.ID }},
		{"INSTANCE_NUMBER", func(x i) any { return x.ID }},
		{"INSTANCE_NAME", func(x i) any { return x.Name }},
		{"HOST_NAME", func(x i) any { return x.Host }},
		{"VERSION", func(x i) any { return d.Release.Version }},
		{"VERSION_LEGACY", func(x i) any { return d.Release.Version }},
		{"VERSION_FULL", func(x i) any { return d.Release.Full }},
		{"STARTUP_TIME", func(x i) any { return date(x.StartupTime) }},
		{"STATUS", func(x i) any { return "OPEN" }},
		{"PARALLEL", func(x i) any { return yes(len(d.Instances) > 1, "YES", "NO") }},
		{"THREAD#", func(x i) any { return x.ID }},
		{"ARCHIVER", func(x i) any { return "STARTED" }},
		{"LOGINS", func(x i) any { return "ALLOWED" }},
		{"SHUTDOWN_PENDING", func(x i) any { return "NO" }},
		{"DATABASE_STATUS", func(x i) any { return "ACTIVE" }},
		{"INSTANCE_ROLE", func(x i) any { return "PRIMARY_INSTANCE" }},
		{"ACTIVE_STATE", func(x i) any { return "NORMAL" }},
		{"BLOCKED", func(x i) any { return "NO" }},
		{"CON_ID", func(x i) any { return 0 }},
		{"INSTANCE_MODE", func(x i) any { return "REGULAR" }},
		{"EDITION", func(x i) any { return "EE" }},
		{"DATABASE_TYPE", func(x i) any { return yes(len(d.Instances) > 1, "RAC", "SINGLE") }},
	}
}

func databaseColumns(d *instance.Database) []instanceColumn {
	type i = *instance.Instance
	return []instanceColumn{
		{"INST_ID", func(x i) any { return x.ID }},
		{"DBID", func(i) any { return d.DBID }},
		{"NAME", func(i) any { return d.Name }},
		{"CREATED", func(i) any { return date(d.Created) }},
		{"RESETLOGS_CHANGE#", func(i) any { return 1 }},
		{"RESETLOGS_TIME", func(i) any { return date(d.Created) }},
		{"LOG_MODE", func(i) any { return "ARCHIVELOG" }},
		{"OPEN_MODE", func(i) any { return "READ WRITE" }},
		{"PROTECTION_MODE", func(i) any { return "MAXIMUM PERFORMANCE" }},
		{"DATABASE_ROLE", func(i) any { return "PRIMARY" }},
		{"SWITCHOVER_STATUS", func(i) any { return "NOT ALLOWED" }},
		{"PLATFORM_ID", func(i) any { return 13 - boolInt(d.Windows) }},
		{"PLATFORM_NAME", func(i) any { return yes(d.Windows, "Microsoft Windows x86 64-bit", "Linux x86 64-bit") }},
		{"CURRENT_SCN", func(i) any { return 48211907 }},
		{"FLASHBACK_ON", func(i) any { return "NO" }},
		{"FORCE_LOGGING", func(i) any { return "NO" }},
		{"DB_UNIQUE_NAME", func(i) any { return d.UniqueName }},
		{"CDB", func(i) any { return yes(d.CDB, "YES", "NO") }},
		{"CON_ID", func(i) any { return 0 }},
		{"CON_DBID", func(i) any { return d.DBID }},
	}
}

// banner is a row of V$VERSION.
type banner struct {
	in         *instance.Instance
	text, full string
}

// banners: after the release's row there is one of our own, by which whoever
// connects like to a database is told that it is none (connect.Simulated).
func banners(d *instance.Database) (items []banner) {
	const own = connect.SimulatedBanner + ", no Oracle database"
	for _, in := range d.Instances {
		items = append(items, banner{in, d.Release.Banner, d.Release.Banner + "\nVersion " + d.Release.Full}, banner{in, own, own})
	}
	return items
}

func versionColumns() []column[banner] {
	return []column[banner]{
		{"INST_ID", func(b banner) any { return b.in.ID }},
		{"BANNER", func(b banner) any { return b.text }},
		{"BANNER_FULL", func(b banner) any { return b.full }},
		{"BANNER_LEGACY", func(b banner) any { return b.text }},
		{"CON_ID", func(banner) any { return 0 }},
	}
}

type container struct {
	in   *instance.Instance
	id   int
	name string
	mode string
}

// containers: V$PDBS has no root, V$CONTAINERS has; both have the seed
// (facts/views-and-sqlplus.md 1.2). A database without containers shows
// itself as container 0 in V$CONTAINERS.
func (e *Engine) containers(base string, root bool) ([][]any, []string) {
	d := e.model
	var items []container
	for _, in := range d.Instances {
		if root && d.CDB {
			items = append(items, container{in, 1, "CDB$ROOT", "READ WRITE"})
		} else if root {
			items = append(items, container{in, 0, d.Name, "READ WRITE"})
		}
		for _, p := range d.PDBs {
			items = append(items, container{in, p.ConID, p.Name, p.Mode})
		}
	}
	return project(e, base, items, []column[container]{
		{"INST_ID", func(c container) any { return c.in.ID }},
		{"CON_ID", func(c container) any { return c.id }},
		{"DBID", func(c container) any { return d.DBID + int64(c.id) }},
		{"NAME", func(c container) any { return c.name }},
		{"OPEN_MODE", func(c container) any { return c.mode }},
		{"RESTRICTED", func(container) any { return "NO" }},
		{"OPEN_TIME", func(c container) any { return date(c.in.StartupTime) }},
	})
}

func (e *Engine) parameters(base string) ([][]any, []string) {
	type param struct {
		in          *instance.Instance
		name, value string
		kind        int
	}
	d := e.model
	limit := "UNLIMITED"
	switch n := d.FileLimit(); {
	case n >= 1<<20:
		limit = fmt.Sprint(n>>20) + "M"
	case n > 0:
		limit = fmt.Sprint(max(1, n>>9)) // operating system blocks
	}
	var items []param
	for _, in := range d.Instances {
		vals := map[string]string{
			"db_name": d.Name, "db_unique_name": d.UniqueName, "instance_name": in.Name, "instance_number": fmt.Sprint(in.ID),
			"cluster_database": yes(len(d.Instances) > 1, "TRUE", "FALSE"), "processes": fmt.Sprint(in.MaxProcs), "sessions": fmt.Sprint(in.MaxProcs * 3 / 2),
			"max_dump_file_size": limit, "diagnostic_dest": d.DiagBase, "user_dump_dest": d.TraceDir(in), "background_dump_dest": d.TraceDir(in),
			"timed_statistics": "TRUE", "filesystemio_options": "none", "statistics_level": "TYPICAL", "cursor_sharing": "EXACT", "sql_trace": "FALSE", "service_names": d.Name,
			"compatible": d.Release.Version, "pga_aggregate_target": "2147483648", "event": "",
		}
		if d.Release.Rank >= 2 {
			vals["threaded_execution"] = yes(d.Threaded, "TRUE", "FALSE")
			vals["enable_pluggable_database"] = yes(d.CDB, "TRUE", "FALSE")
			vals["pga_aggregate_limit"] = "4294967296"
		}
		if d.Release.Rank >= 6 {
			vals["diagnostics_control"] = "IGNORE"
		}
		names := make([]string, 0, len(vals))
		for n := range vals {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			kind := 2
			if v := vals[n]; v == "TRUE" || v == "FALSE" {
				kind = 1
			}
			items = append(items, param{in, n, vals[n], kind})
		}
	}
	return project(e, base, items, []column[param]{
		{"INST_ID", func(p param) any { return p.in.ID }},
		{"NAME", func(p param) any { return p.name }},
		{"TYPE", func(p param) any { return p.kind }},
		{"VALUE", func(p param) any { return null(p.value) }},
		{"DISPLAY_VALUE", func(p param) any { return null(p.value) }},
		{"ISDEFAULT", func(param) any { return "TRUE" }},
		{"ISMODIFIED", func(param) any { return "FALSE" }},
		{"CON_ID", func(param) any { return 0 }},
	})
}

// diagInfo: the names as 11.2 prints them (facts/views-and-sqlplus.md 1.3).
// The default trace file is the caller's own.
func (e *Engine) diagInfo(base string) ([][]any, []string) {
	type info struct {
		in          *instance.Instance
		name, value string
	}
	d := e.model
	var items []info
	for _, in := range d.Instances {
		home := d.ADRHome(in)
		for _, x := range [][2]string{
			{"Diag Enabled", "TRUE"},
			{"ADR Base", d.DiagBase},
			{"ADR Home", home},
			{"Diag Trace", path.Join(home, "trace")},
			{"Diag Alert", path.Join(home, "alert")},
			{"Diag Incident", path.Join(home, "incident")},
			{"Diag Cdump", path.Join(home, "cdump")},
			{"Health Monitor", path.Join(home, "hm")},
			{"Active Problem Count", "0"},
			{"Active Incident Count", "0"},
		} {
			items = append(items, info{in, x[0], x[1]})
		}
		if c := e.caller; c != nil && c.Inst == in && c.Proc != nil {
			items = append(items, info{in, "Default Trace File", c.Proc.TracePath()})
		}
		if d.Release.Rank >= 3 {
			items = append(items, info{in, "ORACLE_HOME", d.Release.Home})
		}
	}
	return project(e, base, items, []column[info]{
		{"INST_ID", func(i info) any { return i.in.ID }},
		{"NAME", func(i info) any { return i.name }},
		{"VALUE", func(i info) any { return i.value }},
		{"CON_ID", func(info) any { return 0 }},
	})
}
