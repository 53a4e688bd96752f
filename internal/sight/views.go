package sight

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"path"
	"strings"
	"time"
)

// Querier asks a database.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Views sees trace files through V$DIAG_TRACE_FILE (12.2 and later; those of
// the instance it is connected to). Only that view is polled; the contents of a
// file are read when its modification time has moved (facts/problem-cases.md
// T13).
type Views struct {
	Q      Querier
	InstID int // of the connection

	since   string              // highest modification time seen, as text
	files   map[string][]listed // by file name; one for each ADR home
	read    recent[reading]     // likewise
	missing bool                // no such view: an old release
}

// listed is a file as the view lists it.
type listed struct{ home, modified string }

// reading is what was found when a file's contents were read last.
type reading struct {
	at    string // its modification time
	again bool   // read a second time under that time
	size  int64
}

const (
	filesQuery = `select trace_filename, adr_home, to_char(modify_time, 'YYYY-MM-DD HH24:MI:SS.FF3') modified from v$diag_trace_file` +
		` where to_char(modify_time, 'YYYY-MM-DD HH24:MI:SS.FF3') >= :1`
	// No ORDER BY: LINE_NUMBER is documented as a line of the source code
	// (facts/views-and-sqlplus.md 1.4); that rows come in the order of the file
	// is assumed.
	contentsQuery = `select payload from v$diag_trace_file_contents where trace_filename = :1`
	ofHome        = ` and adr_home = :2`
)

// Refresh implements Sight.
func (v *Views) Refresh(ctx context.Context) error {
	if v.missing {
		return nil
	}
	if v.files == nil {
		v.files, v.since = map[string][]listed{}, "0001-01-01"
	}
	rows, err := v.Q.QueryContext(ctx, filesQuery, v.since)
	if err != nil {
		if strings.Contains(err.Error(), "ORA-00942") {
			v.missing = true
			return nil
		}
		return fmt.Errorf("ask V$DIAG_TRACE_FILE: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		var name, home, at sql.NullString
		if err := rows.Scan(&name, &home, &at); err != nil {
			return fmt.Errorf("ask V$DIAG_TRACE_FILE: %w", err)
		}
		v.note(name.String, listed{home.String, at.String})
		v.since = max(v.since, at.String)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("ask V$DIAG_TRACE_FILE: %w", err)
	}
	return nil
}

// note keeps the last word on a file.
func (v *Views) note(name string, l listed) {
	for i := range v.files[name] {
		if v.files[name][i].home == l.home {
			v.files[name][i] = l
			return
		}
	}
	v.files[name] = append(v.files[name], l)
}

// find is the file of that name, of several that of the path's ADR home.
func (v *Views) find(name, file string) (listed, bool) {
	list := v.files[name]
	for _, l := range list {
		if len(list) == 1 || InHome(file, l.home) {
			return l, true
		}
	}
	return listed{}, false
}

// Missing reports that the release has no such view.
func (v *Views) Missing() bool { return v.missing }

// Look implements Sight.
func (v *Views) Look(ctx context.Context, f File, from int64) (Piece, error) {
	p := Piece{Next: max(from, 0)}
	if v.missing || v.files == nil || f.Path == "" || f.InstID != v.InstID {
		return p, nil
	}
	file := strings.ReplaceAll(f.Path, `\`, "/")
	name := path.Base(file)
	now, there := v.find(name, file)
	if !there && len(name) > MaxFileName {
		return p, nil // not in the view proves nothing
	}
	p.Seen = true
	key := now.home + "/" + name
	last, _ := v.read.get(key)
	same := last.at == now.modified
	if !there || same && last.again && (from == FromEnd || from == last.size) {
		if from == FromEnd {
			p.Next = last.size
		}
		p.Size = last.size
		return p, nil
	}
	data, err := v.contents(ctx, name, now.home)
	if err != nil {
		return p, err
	}
	// Once more under the same time: it may have been written again within the
	// resolution of the view.
	v.read.set(key, reading{now.modified, same, int64(len(data))})
	return read(bytes.NewReader(data), int64(len(data)), from, f.Path)
}

func (v *Views) contents(ctx context.Context, name, home string) ([]byte, error) {
	query, args := contentsQuery, []any{name}
	if home != "" {
		query, args = query+ofHome, append(args, home)
	}
	rows, err := v.Q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("ask V$DIAG_TRACE_FILE_CONTENTS: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	var b bytes.Buffer
	for rows.Next() {
		var line sql.NullString
		if err := rows.Scan(&line); err != nil {
			return nil, fmt.Errorf("ask V$DIAG_TRACE_FILE_CONTENTS: %w", err)
		}
		b.WriteString(line.String)
		// A payload may come without its line feed (inferred).
		if n := len(line.String); n < 4000 && (n == 0 || line.String[n-1] != '\n') {
			b.WriteByte('\n')
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("ask V$DIAG_TRACE_FILE_CONTENTS: %w", err)
	}
	return b.Bytes(), nil
}

// Chain asks one after the other and keeps to the first that sees a file.
type Chain []Sight

// Refresh implements Sight.
func (c Chain) Refresh(ctx context.Context) error {
	for _, s := range c {
		if err := s.Refresh(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Look implements Sight.
func (c Chain) Look(ctx context.Context, f File, from int64) (Piece, error) {
	for _, s := range c {
		if p, err := s.Look(ctx, f, from); p.Seen || err != nil {
			return p, err
		}
	}
	return Piece{Next: max(from, 0)}, nil
}

// Zone is the offset of a database time, for stamps without one.
func Zone(t time.Time) *time.Location {
	if t.IsZero() {
		return time.UTC
	}
	return t.Location()
}
