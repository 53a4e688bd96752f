package engine

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
)

// load makes a base table hold the rows that the model has now. From one
// statement to the next little changes, so that only rows that do are written:
// the i-th has row id i+1.
func (e *Engine) load(ctx context.Context, base string) error {
	rows, names := e.rows(base)
	was := e.held[base]
	from, ids := changed(was, rows)
	if len(ids) == 0 && from == len(rows) && len(was) <= len(rows) {
		e.held[base] = rows
		return nil
	}
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing to undo after a commit
	if len(was) > len(rows) {
		if _, err := tx.ExecContext(ctx, "delete from ["+base+"] where rowid > ?", len(rows)); err != nil {
			return err
		}
	}
	for ; from < len(rows); from++ {
		ids = append(ids, from)
	}
	if err := put(ctx, tx, base, names, rows, ids); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	e.held[base] = rows
	return nil
}

// changed lists the rows that differ, up to the length that both have, and where
// new ones begin. Where most differ, all are new.
func changed(was, rows [][]any) (from int, ids []int) {
	n := min(len(was), len(rows))
	for i := range n {
		if !sameRow(was[i], rows[i]) {
			if ids = append(ids, i); len(ids) > 2+n/4 {
				return ids[0], nil
			}
		}
	}
	return n, ids
}

func sameRow(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, raw := a[i].([]byte)
		if !raw {
			if _, raw := b[i].([]byte); raw || a[i] != b[i] {
				return false
			}
			continue
		}
		if y, raw := b[i].([]byte); !raw || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// put writes the rows whose indexes are given.
func put(ctx context.Context, tx *sql.Tx, base string, names []string, rows [][]any, ids []int) error {
	if len(ids) == 0 {
		return nil
	}
	st, err := tx.PrepareContext(ctx, "insert or replace into ["+base+"] (rowid, ["+strings.Join(names, "], [")+"]) values (?"+strings.Repeat(", ?", len(names))+")")
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }() // read side of a prepared insert: nothing is lost
	args := make([]any, len(names)+1)
	for _, i := range ids {
		args[0] = i + 1
		copy(args[1:], rows[i])
		if _, err := st.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}
