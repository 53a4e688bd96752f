package engine

import (
	"encoding/binary"
	"time"

	"ringtrace/internal/sim/instance"
)

// column yields one column of a view from a row of the model.
type column[T any] struct {
	name string
	get  func(T) any
}

// project makes rows of the columns that the view has in this release; the
// others stay NULL.
func project[T any](e *Engine, base string, items []T, cols []column[T]) (rows [][]any, names []string) {
	have := map[string]bool{}
	for _, c := range e.views[base].Columns {
		have[c.Name] = true
	}
	var use []column[T]
	for _, c := range cols {
		if have[c.name] {
			use = append(use, c)
			names = append(names, c.name)
		}
	}
	for _, it := range items {
		row := make([]any, len(use))
		for i, c := range use {
			row[i] = c.get(it)
			if row[i] == "" {
				row[i] = nil // Oracle has no empty strings
			}
		}
		rows = append(rows, row)
	}
	return rows, names
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func date(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return toDays(t.Truncate(time.Second))
}

func address(a uint64) any {
	if a == 0 {
		return make([]byte, 8)
	}
	return binary.BigEndian.AppendUint64(nil, a)
}

func yes(b bool, t, f string) string {
	if b {
		return t
	}
	return f
}

// rows returns the rows of a base table and their column names. A view
// without rows here is empty in the simulated database.
func (e *Engine) rows(base string) (rows [][]any, names []string) {
	d := e.model
	now := d.Now()
	d.Locked(func() {
		switch base {
		case "DUAL":
			rows, names = [][]any{{"X"}}, []string{"DUMMY"}
		case "GV$SESSION":
			rows, names = project(e, base, e.allSessions(), sessionColumns(d, now))
		case "GV$PROCESS":
			rows, names = project(e, base, e.allProcesses(), processColumns(d))
		case "GV$INSTANCE":
			rows, names = project(e, base, d.Instances, instanceColumns(d))
		case "GV$DATABASE":
			rows, names = project(e, base, d.Instances, databaseColumns(d))
		case "GV$CONTAINERS":
			rows, names = e.containers(base, true)
		case "GV$PDBS":
			rows, names = e.containers(base, false)
		case "GV$PARAMETER", "GV$SYSTEM_PARAMETER":
			rows, names = e.parameters(base)
		case "GV$VERSION":
			rows, names = project(e, base, banners(d), versionColumns())
		case "GV$DIAG_INFO":
			rows, names = e.diagInfo(base)
		case "GV$SESS_TIME_MODEL":
			rows, names = e.timeModel(base)
		case "GV$PX_SESSION":
			rows, names = project(e, base, e.slaves(), pxColumns())
		case "GV$PX_PROCESS":
			rows, names = project(e, base, e.slaves(), pxProcessColumns())
		case "GV$BGPROCESS":
			rows, names = project(e, base, e.backgrounds(), bgColumns())
		case "GV$DISPATCHER", "GV$SHARED_SERVER":
			rows, names = e.sharedServers(base)
		case "GV$SESSION_CONNECT_INFO":
			rows, names = project(e, base, e.userSessions(), connectInfoColumns())
		default:
			rows, names = e.dictionary(base)
		}
	})
	if rows == nil {
		rows, names = e.files(base)
	}
	return rows, names
}

func (e *Engine) allSessions() []*instance.Session {
	var out []*instance.Session
	for _, in := range e.model.Instances {
		out = append(out, in.Sessions()...)
	}
	return out
}

func (e *Engine) userSessions() []*instance.Session {
	var out []*instance.Session
	for _, s := range e.allSessions() {
		if s.Type == "USER" {
			out = append(out, s)
		}
	}
	return out
}

func (e *Engine) slaves() []*instance.Session {
	var out []*instance.Session
	for _, s := range e.allSessions() {
		if s.QC != nil {
			out = append(out, s)
		}
	}
	return out
}

func (e *Engine) allProcesses() []*instance.Process {
	var out []*instance.Process
	for _, in := range e.model.Instances {
		out = append(out, in.Processes()...)
	}
	return out
}

func (e *Engine) backgrounds() []*instance.Process {
	var out []*instance.Process
	for _, p := range e.allProcesses() {
		if p.Background {
			out = append(out, p)
		}
	}
	return out
}
