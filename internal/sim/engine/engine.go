// Package engine answers SQL over the V$ and GV$ views of a simulated
// database: Oracle's SQL goes in, package translate makes SQLite's of it, and
// rows of the model come out with Oracle's types, names and error codes.
package engine

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
	"ringtrace/internal/sim/tracegen"
	"ringtrace/internal/sim/translate"
)

// Engine is the dictionary of one instance. It holds one SQLite database in
// memory whose tables are made when a statement first names them, and filled
// again when the model has changed since.
type Engine struct {
	model *instance.Database
	inst  *instance.Instance
	db    *sql.DB
	views map[string]release.View // by name in capitals
	dates map[string]bool         // lower case names of date columns

	gen   *tracegen.Generator
	alone sync.Mutex // held by statements whose rows depend on who asks

	mu     sync.Mutex
	caller *instance.Session
	made   map[string]bool    // tables and views
	loaded map[string]stamp   // by base table
	held   map[string][][]any // rows of the base tables as they were loaded

	scratch map[string]bool // schemas that sessions made, in capitals; under alone
}

// stamp is the state of the model that a table was loaded from.
type stamp struct {
	version uint64
	second  int64
	set     bool
}

// Error is an ORA error.
type Error = translate.Error

// Open builds the dictionary of an instance.
func Open(model *instance.Database, inst *instance.Instance) (*Engine, error) {
	if err := register(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	db.SetMaxOpenConns(1) // a second connection would be another database
	e := &Engine{model: model, inst: inst, db: db, views: map[string]release.View{}, dates: map[string]bool{}, made: map[string]bool{}, loaded: map[string]stamp{}, held: map[string][][]any{}, scratch: map[string]bool{}, gen: tracegen.New(model, 0)}
	if err := e.create(); err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	return e, nil
}

// Close frees the dictionary.
func (e *Engine) Close() error { return e.db.Close() }

// Model returns the database behind the dictionary.
func (e *Engine) Model() *instance.Database { return e.model }

// Instance returns the instance whose V$ views it answers.
func (e *Engine) Instance() *instance.Instance { return e.inst }

// base is the table that holds the rows of a view: V$X is GV$X of this
// instance.
func (e *Engine) base(view string) string {
	if strings.HasPrefix(view, "V$") {
		if _, ok := e.views["G"+view]; ok {
			return "G" + view
		}
	}
	return view
}

func (e *Engine) create() error {
	all, err := e.model.Release.Views()
	if err != nil {
		return err
	}
	for _, v := range all {
		e.views[v.Name] = v
		for _, c := range v.Columns {
			if c.Type == "DATE" || strings.HasPrefix(c.Type, "TIMESTAMP") {
				e.dates[strings.ToLower(c.Name)] = true
			}
		}
	}
	_, err = e.db.Exec("pragma case_sensitive_like = on")
	return err
}

// make creates the table or view of a dictionary view, with what it stands on.
// Most statements name a few of the hundred, and creating all would take longer
// than a short run does. Under e.mu.
func (e *Engine) make(ctx context.Context, name string) error {
	if e.made[name] {
		return nil
	}
	var cols, defs []string
	for _, c := range e.views[name].Columns {
		typ, _, _ := strings.Cut(c.Type, " WITH") // SQLite has no word for a time zone
		cols = append(cols, "["+c.Name+"]")
		defs = append(defs, "["+c.Name+"] "+typ)
	}
	ddl := "create table [" + name + "] (" + strings.Join(defs, ", ") + ")" + indexes(name)
	if base := e.base(name); base != name {
		if err := e.make(ctx, base); err != nil {
			return err
		}
		ddl = fmt.Sprintf("create view [%s] as select %s from [%s] where inst_id = %d", name, strings.Join(cols, ", "), base, e.inst.ID)
	}
	if _, err := e.db.ExecContext(ctx, ddl); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.made[name] = true
	return nil
}

// indexes are those of the usual join.
func indexes(table string) string {
	switch table {
	case "GV$SESSION":
		return "; create index gs1 on [GV$SESSION] (paddr, inst_id); create index gs2 on [GV$SESSION] (sid, inst_id)"
	case "GV$PROCESS":
		return "; create index gp1 on [GV$PROCESS] (addr, inst_id, pid, [SERIAL#], spid)" + // answers the join by itself
			"; create index gp2 on [GV$PROCESS] (pid, inst_id)"
	}
	return ""
}

// smallWorld is how many sessions are reloaded each second so that
// LAST_CALL_ET moves with the clock; a larger world only follows its changes.
const smallWorld = 2000

// refresh loads the base tables of the views named, when the model changed.
func (e *Engine) refresh(ctx context.Context, words []string, caller *instance.Session) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.caller = caller
	want := stamp{version: e.model.Version(), set: true}
	if e.sessionCount() <= smallWorld {
		want.second = e.model.Now().Unix()
	}
	for _, w := range words {
		view := strings.Replace(w, "V_$", "V$", 1)
		if _, ok := e.views[view]; !ok {
			continue
		}
		if err := e.make(context.WithoutCancel(ctx), view); err != nil { // whole, or a later statement fails
			return fmt.Errorf("dictionary: %w", err)
		}
		base := e.base(view)
		if has := e.loaded[base]; has == want && !personal(base) || has.set && constant(base) {
			continue
		}
		if err := e.load(ctx, base); err != nil {
			return fmt.Errorf("dictionary: %s: %w", base, err)
		}
		e.loaded[base] = want
	}
	return nil
}

// personal says that a view's rows depend on who asks, or change with every
// statement.
func personal(base string) bool {
	return base == "GV$DIAG_INFO" || base == "GV$SESS_TIME_MODEL" || slices.Contains(countedViews(), base)
}

// constant says that a view's rows follow from the release alone.
func constant(base string) bool {
	switch base {
	case "DUAL", "ALL_TAB_COLUMNS", "DBA_TAB_COLUMNS", "PRODUCT_COMPONENT_VERSION":
		return true
	}
	return false
}

func (e *Engine) sessionCount() int {
	n := 0
	e.model.Locked(func() {
		for _, in := range e.model.Instances {
			n += len(in.Sessions())
		}
	})
	return n
}
