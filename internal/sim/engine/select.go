package engine

import (
	"context"
	"database/sql"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/sim/translate"
)

var declared = regexp.MustCompile(`(?i)^(\w+)\s*(?:\(\s*(\d+)\s*(?:,\s*(-?\d+))?\s*\))?`)

// selectRows runs a translated query and reads all its rows.
func (e *Engine) selectRows(ctx context.Context, st *translate.Statement, q string, args []any) (*Result, error) {
	rows, err := e.db.QueryContext(ctx, st.SQL, args...)
	if err != nil {
		return nil, mapError(err, q)
	}
	defer func() { _ = rows.Close() }() // rows.Err below tells
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, mapError(err, q)
	}
	res := &Result{Kind: "select"}
	open := make([]bool, len(types)) // type to be found from the values
	for i, ct := range types {
		c, known := describe(ct)
		if len(st.Names) == len(types) {
			c.Name = st.Names[i]
			if !known && st.Dates[i] {
				c.Kind, c.Size, known = Date, 7, true
			}
		}
		open[i] = !known
		res.Columns = append(res.Columns, c)
	}
	vals, ptrs := make([]any, len(types)), make([]any, len(types))
	for i := range vals {
		ptrs[i] = &vals[i]
	}
	for rows.Next() {
		if err := rows.Scan(ptrs...); err != nil {
			return nil, mapError(err, q)
		}
		row := append([]any(nil), vals...)
		for i, v := range row {
			if b, isBool := v.(bool); isBool {
				row[i] = int64(boolInt(b))
			}
			if open[i] {
				learn(&res.Columns[i], row[i])
			}
		}
		res.Rows = append(res.Rows, row)
	}
	if err := rows.Err(); err != nil {
		return nil, mapError(err, q)
	}
	res.finish()
	return res, nil
}

// describe reads a column's declared type.
func describe(ct *sql.ColumnType) (Column, bool) {
	c := Column{Name: strings.ToUpper(ct.Name())}
	m := declared.FindStringSubmatch(ct.DatabaseTypeName())
	if m == nil {
		return c, false
	}
	n, _ := strconv.Atoi(m[2]) // no number: 0
	switch typ := strings.ToUpper(m[1]); {
	case strings.HasPrefix(typ, "VARCHAR") || typ == "CHAR":
		c.Kind, c.Size = Varchar, n
	case typ == "NUMBER":
		c.Kind, c.Size, c.Scale = Number, 22, -127
	case typ == "DATE":
		c.Kind, c.Size = Date, 7
	case typ == "TIMESTAMP":
		c.Kind, c.Size, c.Scale = Timestamp, 11, n
	case typ == "CLOB":
		c.Kind, c.Size = Clob, 4000
	case typ == "RAW":
		c.Kind, c.Size = Raw, n
	default:
		return c, false
	}
	return c, true
}

func learn(c *Column, v any) {
	switch x := v.(type) {
	case int64, float64:
		if c.Kind == 0 {
			c.Kind, c.Size, c.Scale = Number, 22, -127
		}
	case string:
		c.Kind, c.Size = Varchar, max(c.Size, len(x))
	case []byte:
		c.Kind, c.Size = Raw, max(c.Size, len(x))
	}
}

// finish makes Oracle's values of SQLite's.
func (r *Result) finish() {
	for i := range r.Columns {
		c := &r.Columns[i]
		if c.Kind == 0 {
			c.Kind, c.Size = Varchar, 1
		}
		for _, row := range r.Rows {
			switch {
			case row[i] == nil:
			case c.Kind == Date || c.Kind == Timestamp:
				if f, ok := number(row[i]); ok {
					row[i] = fromDays(f)
				}
			case c.Kind == Varchar || c.Kind == Clob:
				if _, ok := row[i].(string); !ok {
					row[i] = text(row[i])
				}
			}
		}
	}
}
