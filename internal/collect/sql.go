package collect

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"ringtrace/internal/sight"
)

// Querier is what is needed of a database.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// SQL reads trace files through V$DIAG_TRACE_FILE_CONTENTS (12.2 and later).
// It touches no session and creates no trace file of its own beyond what any
// query may. The view cuts lines into rows of 4000 bytes at most.
type SQL struct{ q Querier }

// NewSQL returns the source. It fails with ErrNoView before 12.2.
func NewSQL(ctx context.Context, q Querier) (*SQL, error) {
	s := &SQL{q}
	rows, err := q.QueryContext(ctx, "select count(*) n from gv$diag_trace_file where inst_id = 0 and trace_filename = 'none'")
	if err == nil {
		err = errors.Join(rows.Err(), rows.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoView, err)
	}
	return s, nil
}

// ErrNoView says that the database has no view of its trace files.
var ErrNoView = errors.New("V$DIAG_TRACE_FILE_CONTENTS cannot be read (it is there from 12.2 on, and needs SELECT on SYS.GV_$DIAG_TRACE_FILE and SYS.GV_$DIAG_TRACE_FILE_CONTENTS)")

// Name implements Source.
func (*SQL) Name() string { return "sql" }

// Direct implements Source: the view parses the file at every query.
func (*SQL) Direct() bool { return false }

const (
	queryListed   = "select trace_filename, adr_home, to_char(modify_time, 'YYYY-MM-DD HH24:MI:SS') modified from gv$diag_trace_file where inst_id = :1 and trace_filename = :2"
	queryListing  = "select trace_filename, adr_home, to_char(modify_time, 'YYYY-MM-DD HH24:MI:SS') modified from gv$diag_trace_file where inst_id = :1 and trace_filename like :2 escape '!'"
	queryContents = "select payload from gv$diag_trace_file_contents where inst_id = :1 and trace_filename = :2"
	ofHome        = " and adr_home = :3"
	orderByLine   = " order by line_number"
)

// listing is a file as the view lists it.
type listing struct {
	Info
	home string // ADR home; empty: the view has none for it
}

// Open implements Source. A file cannot be resumed in the middle.
func (s *SQL) Open(ctx context.Context, inst int, path string, offset int64) (File, error) {
	if offset != 0 {
		return nil, errors.ErrUnsupported
	}
	found, err := s.one(ctx, inst, path)
	if err != nil {
		return nil, err
	}
	info := found.Info
	info.Path = path
	rows, err := s.contents(ctx, inst, found.home, path, "")
	if err != nil {
		return nil, err
	}
	return &sqlFile{payloads: payloads{rows: rows}, info: info}, nil
}

// one finds the listing of one file.
func (s *SQL) one(ctx context.Context, inst int, path string) (listing, error) {
	list, err := s.listed(ctx, queryListed, inst, base(path), dirOf(path))
	if err != nil {
		return listing{}, err
	}
	if len(list) == 0 {
		why := ""
		if n := len(base(path)); n > sight.MaxFileName {
			why = fmt.Sprintf(" (its name has %d bytes, the view's column %d)", n, sight.MaxFileName)
		}
		return listing{}, fmt.Errorf("%s is not in V$DIAG_TRACE_FILE%s: %w", base(path), why, fs.ErrNotExist)
	}
	return list[0], nil
}

// contents asks for the rows of one file. Files of several ADR homes can have
// one name, and the view parses what it is not told to leave out
// (facts/views-and-sqlplus.md 1.4).
func (s *SQL) contents(ctx context.Context, inst int, home, path, order string) (*sql.Rows, error) {
	query, args := queryContents, []any{inst, base(path)}
	if home != "" {
		query, args = query+ofHome, append(args, home)
	}
	rows, err := s.q.QueryContext(ctx, query+order, args...)
	if err != nil {
		return nil, denied(err)
	}
	return rows, nil
}

// List implements Source.
func (s *SQL) List(ctx context.Context, inst int, dir, prefix string) ([]Info, error) {
	list, err := s.listed(ctx, queryListing, inst, likePrefix(prefix), dir)
	out := make([]Info, len(list))
	for i := range list {
		out[i] = list[i].Info
	}
	return out, err
}

func likePrefix(s string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(s) + "%"
}

func (s *SQL) listed(ctx context.Context, query string, inst int, name, dir string) ([]listing, error) {
	rows, err := s.q.QueryContext(ctx, query, inst, name)
	if err != nil {
		return nil, denied(err)
	}
	defer rows.Close()
	var out []listing
	for rows.Next() {
		var file, home, modified sql.NullString
		if err := rows.Scan(&file, &home, &modified); err != nil {
			return nil, err
		}
		i := Info{Path: dir + "/" + file.String, Size: -1}
		if dir == "" {
			i.Path = home.String + "/trace/" + file.String
		} else if home.String != "" && !sight.InHome(dir, home.String) {
			continue // the same name in another ADR home
		}
		if t, err := time.Parse(time.DateTime, modified.String); err == nil {
			i.Modified = t
		}
		out = append(out, listing{i, home.String})
	}
	return out, rows.Err()
}

func denied(err error) error {
	if strings.Contains(err.Error(), "ORA-01031") || strings.Contains(err.Error(), "ORA-00942") {
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return err
}

// payloads turns the rows of the view back into the bytes of a file. Whether a
// payload ends with its newline is not documented: the rows themselves show it.
type payloads struct {
	rows  *sql.Rows
	ahead []string // rows read before the question was settled
	known bool
	add   bool // newlines are to be added
	buf   []byte
	done  bool
}

// fullRow is how long a payload can be: a longer line goes on in the next row.
const fullRow = 4000

func (p *payloads) next() (string, bool, error) {
	if len(p.ahead) > 0 {
		s := p.ahead[0]
		p.ahead = p.ahead[1:]
		return s, true, nil
	}
	if p.done || !p.rows.Next() {
		p.done = true
		return "", false, p.rows.Err()
	}
	var s sql.NullString
	err := p.rows.Scan(&s)
	return s.String, err == nil, err
}

func (p *payloads) settle() error {
	var seen []string
	for len(seen) < 256 {
		s, ok, err := p.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		seen = append(seen, s)
	}
	p.known, p.add = true, true
	for _, s := range seen {
		if strings.HasSuffix(s, "\n") {
			p.add = false
		}
	}
	p.ahead = append(seen, p.ahead...)
	return nil
}

// Read gives the bytes of the file.
func (p *payloads) Read(b []byte) (int, error) {
	if !p.known {
		if err := p.settle(); err != nil {
			return 0, err
		}
	}
	for len(p.buf) == 0 {
		s, ok, err := p.next()
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, io.EOF
		}
		p.buf = append(p.buf[:0], s...)
		if p.add && len(s) < fullRow {
			p.buf = append(p.buf, '\n')
		}
	}
	n := copy(b, p.buf)
	p.buf = p.buf[n:]
	return n, nil
}

type sqlFile struct {
	payloads
	info Info
}

func (f *sqlFile) Info() Info   { return f.info }
func (f *sqlFile) Close() error { return f.rows.Close() }

// Check reads the file again, ordered by LINE_NUMBER, as public collectors do,
// and compares (facts/views-and-sqlplus.md 1.4: neither order is documented).
// Where the two differ, the one whose header stands first and whose times step
// back less often is kept.
func (s *SQL) Check(ctx context.Context, inst int, path string, copied Copy) (string, error) {
	found, err := s.one(ctx, inst, path)
	if err != nil {
		return "", err
	}
	rows, err := s.contents(ctx, inst, found.home, path, orderByLine)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	ordered := &payloads{rows: rows}
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	same, err := equalReaders(bufio.NewReaderSize(copied, 64<<10), ordered)
	if err != nil || same {
		return "", err
	}
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	natural, err := disorder(copied)
	if err != nil {
		return "", err
	}
	again, err := s.contents(ctx, inst, found.home, path, orderByLine)
	if err != nil {
		return "", err
	}
	byLine, err := disorder(&payloads{rows: again})
	if err := errors.Join(err, again.Close()); err != nil {
		return "", err
	}
	if natural <= byLine {
		return fmt.Sprintf("read over SQL: ordered by LINE_NUMBER the rows differ and step back %d times, as the view gives them %d times: kept as the view gives them", byLine, natural), nil
	}
	if err := s.replace(ctx, inst, found.home, path, copied); err != nil {
		return "", err
	}
	return fmt.Sprintf("read over SQL: as the view gives them the rows step back %d times, ordered by LINE_NUMBER %d times: kept ordered", natural, byLine), nil
}

func (s *SQL) replace(ctx context.Context, inst int, home, path string, copied Copy) error {
	rows, err := s.contents(ctx, inst, home, path, orderByLine)
	if err != nil {
		return err
	}
	defer rows.Close()
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return err
	}
	n, err := io.Copy(copied, &payloads{rows: rows})
	if err != nil {
		return err
	}
	return copied.Truncate(n)
}

func equalReaders(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 32<<10), make([]byte, 32<<10)
	for {
		n, err1 := io.ReadFull(a, x)
		m, err2 := io.ReadFull(b, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		for _, err := range []error{err1, err2} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if err1 != nil || err2 != nil {
			return true, nil
		}
	}
}

// disorder counts how often tim steps back, and much more when the header does
// not stand first.
func disorder(r io.Reader) (int, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	n, first, last := 0, true, int64(0)
	for {
		line, err := br.ReadSlice('\n')
		if first && len(line) > 0 {
			first = false
			if !bytes.HasPrefix(line, []byte("Trace file ")) && !bytes.HasPrefix(line, []byte("Dump file ")) {
				n += 1_000_000
			}
		}
		if i := bytes.LastIndex(line, []byte("tim=")); i >= 0 {
			tim := int64(0)
			for _, c := range line[i+4:] {
				if c < '0' || c > '9' {
					break
				}
				tim = tim*10 + int64(c-'0')
			}
			if tim < last {
				n++
			}
			last = tim
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return n, err
		}
	}
}
