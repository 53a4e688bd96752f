package sessions

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// rowsCloser is the part of *sql.Rows that a listing needs.
type rowsCloser interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

type scanFunc func(dest ...any) error

// rows runs one of the embedded statements and calls row for each row.
func (f *Finder) rows(ctx context.Context, statement string, rac bool, row func(scanFunc) error) error {
	query, err := f.Capability.Statement(statement, rac, "1")
	if err != nil {
		return err
	}
	rows, err := f.q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// The scan targets take what every driver gives: godror numbers arrives as
// text, NULL text as "", the simulator's integers as int64.

type textCol struct{ to *string }

func (c textCol) Scan(v any) error {
	*c.to = strings.ToValidUTF8(asText(v), "\uFFFD")
	return nil
}

type flagCol struct{ to *bool }

// Scan takes V$PROCESS.BACKGROUND: 1 or NULL.
func (c flagCol) Scan(v any) error {
	*c.to = strings.TrimSpace(asText(v)) == "1"
	return nil
}

type intCol struct{ to *int }

func (c intCol) Scan(v any) error {
	n, err := asInt(v)
	*c.to = int(n)
	return err
}

type int64Col struct{ to *int64 }

func (c int64Col) Scan(v any) error {
	n, err := asInt(v)
	*c.to = n
	return err
}

func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

// asInt reads a NUMBER; NULL is 0, "not known".
func asInt(v any) (int64, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case int64:
		return v, nil
	case float64:
		if v != float64(int64(v)) {
			return 0, fmt.Errorf("%v is not a whole number", v)
		}
		return int64(v), nil
	}
	text := asText(v)
	if k := reflect.ValueOf(v); k.Kind() == reflect.String { // godror.Number
		text = k.String()
	}
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a whole number", quoteShort(text))
	}
	return n, nil
}
