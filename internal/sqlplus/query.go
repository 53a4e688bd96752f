package sqlplus

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Result is what a query returned. Values are string, time.Time or nil; a
// NUMBER is its text, with a point, as drivers give it; a RAW is its
// hexadecimal digits.
type Result struct {
	Columns []string
	Rows    [][]driver.Value
}

// Query runs a SELECT whose columns are named one by one. Placeholders :1, :2
// … and :name are replaced by literals. Rows may hold any text of any length.
// The order of an ORDER BY is kept.
//
// An error of the database is an *OracleError.
func (c *Conversation) Query(ctx context.Context, sql string, args ...driver.NamedValue) (r *Result, err error) {
	err = c.Locked(ctx, func(l *Locked) error {
		r, err = l.Query(ctx, sql, args...)
		return err
	})
	return r, err
}

// Query is Conversation.Query within Locked.
func (l *Locked) Query(ctx context.Context, sql string, args ...driver.NamedValue) (*Result, error) {
	if args == nil {
		args = []driver.NamedValue{}
	}
	s, err := parseStatement(sql, args)
	if err != nil {
		return nil, err
	}
	q, err := parseQuery(s)
	if err != nil {
		return nil, err
	}
	r, err := l.short(ctx, q)
	if !tooLong(err) {
		return r, err
	}
	// The rows can change while they are measured and read; values grow seldom.
	for range 3 {
		if r, err = l.long(ctx, q); !errors.Is(err, errShort) {
			break
		}
	}
	return r, err
}

// tooLong recognises that rows do not fit the short form: result of string
// concatenation is too long, buffer too small for CLOB to CHAR conversion,
// value too large. Numbers and texts are Oracle's documented ones.
func tooLong(err error) bool {
	var e *OracleError
	if errors.As(err, &e) {
		n := e.Code()
		return n == 1489 || n == 22835 || n == 6502 || n == 12899 || n == 910
	}
	return errors.Is(err, errShort)
}

// ask runs a wrapping statement and returns its records.
func (l *Locked) ask(ctx context.Context, s *statement) ([]string, error) {
	text, err := s.layout()
	if err != nil {
		return nil, err
	}
	lines, err := l.c.exchange(ctx, text, text)
	if err != nil {
		return nil, err
	}
	list, rest, complete := records(lines)
	if e := FindError(rest); e != nil {
		return nil, e
	}
	if !complete {
		return nil, fmt.Errorf("the query did not come to its end, and said only: %s", firstLine(strings.Join(rest, "\n")))
	}
	return list, nil
}

func (l *Locked) short(ctx context.Context, q *query) (*Result, error) {
	list, err := l.ask(ctx, q.short())
	if err != nil {
		return nil, err
	}
	r := &Result{Columns: q.columns, Rows: make([][]driver.Value, 0, len(list))}
	tags := l.c.tags()
	for _, record := range list {
		row, err := decodeRow(record, len(q.columns), tags)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(r.Rows)+1, err)
		}
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// decodeRow reads a row of the short form.
func decodeRow(record string, columns int, t tags) ([]driver.Value, error) {
	body, ok := strings.CutPrefix(record, rowMark)
	if ok {
		body, ok = strings.CutSuffix(body, lastMark)
	}
	if !ok {
		return nil, fmt.Errorf("%q is no row", cut(record))
	}
	fields := strings.Split(body, "|")
	if len(fields) != columns {
		return nil, fmt.Errorf("%d fields instead of %d", len(fields), columns)
	}
	row := make([]driver.Value, columns)
	for i, f := range fields {
		v, ok, err := field(f)
		if err != nil {
			return nil, err
		}
		if ok {
			row[i] = t.typed(v)
		}
	}
	return row, nil
}

// maxPieces bounds how many pieces a value may have: 9 million characters.
const maxPieces = 10_000

func (l *Locked) long(ctx context.Context, q *query) (*Result, error) {
	list, err := l.ask(ctx, q.longest())
	if err != nil {
		return nil, err
	}
	most := 0
	for _, record := range list {
		row, err := decodeRow(record, 1, l.c.tags())
		if err != nil {
			return nil, err
		}
		if most, err = strconv.Atoi(fmt.Sprint(row[0])); err != nil {
			return nil, fmt.Errorf("the length of the longest value: %w", err)
		}
	}
	pieces := max(1, (most+pieceLength-1)/pieceLength)
	if pieces > maxPieces {
		return nil, fmt.Errorf("%w: a value of %d characters", ErrTooLong, most)
	}
	if list, err = l.ask(ctx, q.long(pieces)); err != nil {
		return nil, err
	}
	rows, err := assemble(list, len(q.columns), l.c.tags())
	return &Result{Columns: q.columns, Rows: rows}, err
}

// value is a value in pieces.
type value struct {
	size  int
	null  bool
	parts map[int]string
}

// assemble puts the pieces of the long form together. A row, column or piece
// that is missing or there twice is an error.
func assemble(list []string, columns int, t tags) ([][]driver.Value, error) {
	values := map[[2]int]*value{}
	last := 0
	for _, record := range list {
		body, ok := strings.CutPrefix(record, pieceMark)
		f := strings.SplitN(strings.TrimSuffix(body, lastMark), "|", 4)
		var at [3]int
		for i := range at {
			if !ok || len(f) != 4 {
				return nil, fmt.Errorf("%q is no piece", cut(record))
			}
			n, err := strconv.Atoi(f[i])
			if err != nil || n < 1 || i == 1 && n > columns || i == 0 && n > len(list) {
				return nil, fmt.Errorf("%q is no piece", cut(record))
			}
			at[i] = n
		}
		last = max(last, at[0])
		key := [2]int{at[0], at[1]}
		v := values[key]
		if v == nil {
			v = &value{parts: map[int]string{}}
			values[key] = v
		}
		if err := v.add(at[2], f[3]); err != nil {
			return nil, fmt.Errorf("row %d, column %d: %w", at[0], at[1], err)
		}
	}
	rows := make([][]driver.Value, last)
	for r := range rows {
		rows[r] = make([]driver.Value, columns)
		for c := range columns {
			v := values[[2]int{r + 1, c + 1}]
			if v == nil {
				return nil, fmt.Errorf("row %d, column %d: %w: nothing came", r+1, c+1, errShort)
			}
			s, err := v.text()
			if err != nil {
				return nil, fmt.Errorf("row %d, column %d: %w", r+1, c+1, err)
			}
			if !v.null {
				rows[r][c] = t.typed(s)
			}
		}
	}
	return rows, nil
}

func (v *value) add(piece int, body string) error {
	if _, twice := v.parts[piece]; twice {
		return fmt.Errorf("piece %d came twice", piece)
	}
	if body == "-" {
		v.null = true
		v.parts[piece] = ""
		return nil
	}
	size, text, ok := strings.Cut(body, ":")
	n, err := strconv.Atoi(strings.TrimPrefix(size, "+"))
	if !ok || err != nil {
		return fmt.Errorf("%q was not understood", cut(body))
	}
	if v.size != n && len(v.parts) > 0 {
		return fmt.Errorf("%w: it changed its length", errShort)
	}
	v.size = n
	v.parts[piece], err = unguard(text)
	return err
}

func (v *value) text() (string, error) {
	var b strings.Builder
	for i := range len(v.parts) {
		p, ok := v.parts[i+1]
		if !ok {
			return "", fmt.Errorf("%w: piece %d is missing", errShort, i+1)
		}
		b.WriteString(p)
	}
	return b.String(), sized(b.String(), v.size)
}

// Exec runs a statement that returns no rows. An error of the database is an
// *OracleError.
func (c *Conversation) Exec(ctx context.Context, sql string, args ...driver.NamedValue) error {
	if args == nil {
		args = []driver.NamedValue{}
	}
	s, err := parseStatement(sql, args)
	if err != nil {
		return err
	}
	text, err := s.layout()
	if err != nil {
		return err
	}
	return c.Locked(ctx, func(l *Locked) error {
		lines, err := c.exchange(ctx, text, text)
		if err != nil {
			return err
		}
		if e := FindError(lines); e != nil {
			return e
		}
		return nil
	})
}
