package control

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
	"ringtrace/oradebug"
	"ringtrace/sessions"
)

// headroomShare is the part of the free PGA that rings may take: a quarter.
const headroomShare = 4

// Preflight looks whether arming can do harm, before anything is sent to any
// target.
type Preflight struct {
	Query sessions.Querier
	// Own runs ORADEBUG commands in the connection's own process; see
	// Console.Own. nil: not checked.
	Own func(ctx context.Context, commands ...string) ([]oradebug.Reply, error)
	// DiskFree gives the free bytes of the file system that holds a path of the
	// database's host; ok is false where it cannot be seen from here.
	DiskFree func(path string) (free int64, ok bool)

	InstID    int
	Sessions  []sessions.Session // the targets on this instance
	RingBytes int64
	Version   string
}

// Run returns what a person should know, and an error that refuses the run
// (exit 6 or 7).
func (p *Preflight) Run(ctx context.Context) (notes []string, err error) {
	if err := p.oradebug(ctx); err != nil {
		return nil, err
	}
	for _, check := range []func(context.Context) (string, error){p.waits, p.memory, p.pdbMemory, p.disk, p.dumpFileSize, p.diagnostics, p.traced} {
		note, err := check(ctx)
		if err != nil {
			return notes, err
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// Allowed asks whether this connection may use ORADEBUG at all: setmypid and
// eventdump in its own process change nothing.
func Allowed(replies []oradebug.Reply) error {
	for i := range replies {
		r := &replies[i]
		switch {
		case r.HasError(1031):
			return exit.Errorf(exit.NotAllowed, "connect as SYSDBA: -c '/ as sysdba', or -c 'sys@host/service as sysdba'", "this connection may not use ORADEBUG: %s", r.Errors[0])
		case r.HasError(32519):
			return exit.Errorf(exit.NotAllowed, "_disable_oradebug_commands restricts it, as in Oracle Free; `ringtrace generate --style logon-trigger` writes a way without ORADEBUG", "ORADEBUG is switched off in this database: %s", r.Errors[0])
		case r.HasError(88):
			return exit.Errorf(exit.NotAllowed, "connect by a dedicated server: SERVER=DEDICATED in the connect descriptor, or :dedicated behind the service", "this connection is a shared server: %s", r.Errors[0])
		case len(r.Errors) > 0:
			return exit.Errorf(exit.NotAllowed, "try by hand: oradebug setmypid, oradebug eventdump session", "ORADEBUG does not work here: %s", r.Errors[0])
		}
	}
	return nil
}

func (p *Preflight) oradebug(ctx context.Context) error {
	if p.Own == nil {
		return nil
	}
	replies, err := p.Own(ctx, "eventdump session")
	if err != nil {
		var dial *DialError
		if errors.As(err, &dial) {
			return err
		}
		return exit.Errorf(exit.CannotConnect, "see `ringtrace doctor`", "ORADEBUG in our own process: %w", err)
	}
	if err := Allowed(replies); err != nil {
		return fmt.Errorf("instance %d: %w", p.InstID, err)
	}
	return nil
}

// waits refuses while somebody waits for an ORADEBUG request to be carried
// out: a target that does not answer is there already
// (facts/oradebug.md 1.3, reported).
func (p *Preflight) waits(ctx context.Context) (string, error) {
	n, ok, err := p.number(ctx, "select count(*) from gv$session where inst_id = "+itoa(p.InstID)+" and event = 'oradebug request completion' and state = 'WAITING'")
	if err != nil || !ok {
		return unreadable("waits for oradebug request completion", err), nil
	}
	if n > 0 {
		return "", exit.Errorf(exit.Refused, "find the waiting session in V$SESSION (EVENT = 'oradebug request completion') and let it end first",
			"%d sessions wait for oradebug request completion on instance %d: a process does not answer", n, p.InstID)
	}
	return "", nil
}

// memory compares the rings with what PGA_AGGREGATE_LIMIT leaves.
func (p *Preflight) memory(ctx context.Context) (string, error) {
	l, ok, err := p.limit(ctx)
	if err != nil || !ok {
		return unreadable("PGA_AGGREGATE_LIMIT", err), nil
	}
	return "", p.fits(p.RingBytes*int64(len(p.Sessions)), l)
}

// pgaLimit is a PGA_AGGREGATE_LIMIT and what of it is taken, in bytes.
type pgaLimit struct {
	of          string
	limit, used int64
}

func (l pgaLimit) String() string {
	return fmt.Sprintf("PGA_AGGREGATE_LIMIT of %s (%s, %s allocated)", l.of, quantity.Bytes(l.limit), quantity.Bytes(l.used))
}

// limit reads the instance's; ok is false if there is none, or it cannot be
// read.
func (p *Preflight) limit(ctx context.Context) (l pgaLimit, ok bool, err error) {
	l.of = fmt.Sprintf("instance %d", p.InstID)
	if p.RingBytes == 0 || !atLeast(p.Version, 12) { // the parameter came with 12.1
		return l, false, nil
	}
	l.limit, ok, err = p.number(ctx, "select max(to_number(value)) from gv$parameter where inst_id = "+itoa(p.InstID)+" and name = 'pga_aggregate_limit'")
	if err != nil || !ok || l.limit == 0 { // 0: no limit is set
		return l, false, err
	}
	l.used, ok, err = p.number(ctx, "select sum(pga_alloc_mem) from gv$process where inst_id = "+itoa(p.InstID))
	return l, ok, err
}

func (p *Preflight) fits(need int64, l pgaLimit) error {
	if need <= (l.limit-l.used)/headroomShare {
		return nil
	}
	return exit.Errorf(exit.Refused, "give a smaller --ring, or fewer sessions",
		"%s of %s are %s, more than a quarter of what %s leaves", quantity.Count(need/p.RingBytes, "ring"), quantity.Bytes(p.RingBytes), quantity.Bytes(need), l)
}

// pdbMemory does the same for each PDB that has a limit of its own.
func (p *Preflight) pdbMemory(ctx context.Context) (string, error) {
	count := map[string]int64{}
	for i := range p.Sessions {
		if name := p.Sessions[i].ConName; name != "" {
			count[name]++
		}
	}
	if len(count) == 0 {
		return "", nil
	}
	limits, err := p.pdbLimits(ctx)
	if err != nil {
		return unreadable("PGA_AGGREGATE_LIMIT of the PDBs", err), nil
	}
	for name, l := range limits {
		if n := count[name]; n > 0 {
			if err := p.fits(n*p.RingBytes, l); err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// pdbLimits reads those of PDBs that have one, by name.
func (p *Preflight) pdbLimits(ctx context.Context) (map[string]pgaLimit, error) {
	if p.RingBytes == 0 || !atLeast(p.Version, 12) {
		return nil, nil
	}
	rows, err := p.rows(ctx, "select c.name, max(to_number(v.value)), (select sum(x.pga_alloc_mem) from gv$process x where x.inst_id = "+itoa(p.InstID)+" and x.con_id = c.con_id) "+
		"from gv$system_parameter v join v$containers c on c.con_id = v.con_id where v.inst_id = "+itoa(p.InstID)+" and v.name = 'pga_aggregate_limit' and v.con_id > 2 group by c.name, c.con_id")
	out := map[string]pgaLimit{}
	for _, r := range rows {
		if limit := atoi(r[1]); limit > 0 {
			out[r[0]] = pgaLimit{of: "PDB " + r[0], limit: limit, used: atoi(r[2])}
		}
	}
	return out, err
}

// Room is how many more rings fit.
type Room struct {
	limits []pgaLimit
	left   []int
	pdbs   map[string]int // index of each, by name
}

// Room asks how many more rings fit on the instance, of which armed are there
// already, by PDB ("" counts them all): all of them together may take a quarter
// of what the limits would leave without them. Limits that cannot be read are
// none.
func (p *Preflight) Room(ctx context.Context, armed map[string]int) *Room {
	r := &Room{pdbs: map[string]int{}}
	add := func(name string, l pgaLimit) {
		n := int64(armed[name])
		r.limits = append(r.limits, l)
		r.left = append(r.left, int(((l.limit-l.used+n*p.RingBytes)/headroomShare)/p.RingBytes-n))
		r.pdbs[name] = len(r.left) - 1
	}
	if l, ok, err := p.limit(ctx); ok && err == nil {
		add("", l)
	}
	if limits, err := p.pdbLimits(ctx); err == nil {
		for name, l := range limits {
			add(name, l)
		}
	}
	return r
}

// Take takes the room of one ring for a session in a PDB; full says which
// limit it would break, empty if it fits.
func (r *Room) Take(pdb string) (full string) {
	var take []int
	for _, name := range []string{"", pdb} {
		i, ok := r.pdbs[name]
		if !ok || name == pdb && pdb == "" && len(take) > 0 {
			continue
		}
		if r.left[i] <= 0 {
			return r.limits[i].String()
		}
		take = append(take, i)
	}
	for _, i := range take {
		r.left[i]--
	}
	return ""
}

// disk looks at the place where flushes will write.
func (p *Preflight) disk(context.Context) (string, error) {
	if p.DiskFree == nil || len(p.Sessions) == 0 {
		return "", nil
	}
	file := ""
	for i := range p.Sessions {
		if f := p.Sessions[i].Tracefile; f != "" {
			file = f
			break
		}
	}
	dir := path.Dir(file)
	free, ok := p.DiskFree(dir)
	if file == "" || !ok {
		return "", nil
	}
	need := p.RingBytes * int64(len(p.Sessions))
	switch {
	case free < need:
		return "", exit.Errorf(exit.Refused, "make room there, or give a smaller --ring or fewer sessions",
			"a flush of all rings writes %s, and %s has %s free", quantity.Bytes(need), dir, quantity.Bytes(free))
	case free < 4*need:
		return fmt.Sprintf("%s has %s free; a flush of all rings writes %s, errorstack dumps come on top", dir, quantity.Bytes(free), quantity.Bytes(need)), nil
	}
	return "", nil
}

// dumpFileSize warns where MAX_DUMP_FILE_SIZE cuts a flush off
// (facts/oradebug.md 4).
func (p *Preflight) dumpFileSize(ctx context.Context) (string, error) {
	v, ok, err := p.text(ctx, "select max(value) from gv$parameter where inst_id = "+itoa(p.InstID)+" and name = 'max_dump_file_size'")
	if err != nil || !ok {
		return unreadable("MAX_DUMP_FILE_SIZE", err), nil
	}
	limit, bounded := DumpFileLimit(v)
	if !bounded || limit >= 4*p.RingBytes {
		return "", nil
	}
	return fmt.Sprintf("MAX_DUMP_FILE_SIZE is %s: a flush of %s and its errorstack dump may be cut off (no setting is changed; `ringtrace doctor` says how you can)", v, quantity.Bytes(p.RingBytes)), nil
}

// osBlock is the unit of a bare number; 512 bytes on most platforms.
const osBlock = 512

// DumpFileLimit reads MAX_DUMP_FILE_SIZE: bytes, and whether there is a limit
// (facts/views-and-sqlplus.md 4.2).
func DumpFileLimit(v string) (bytes int64, bounded bool) {
	v = strings.ToUpper(strings.TrimSpace(v))
	unit := int64(osBlock)
	for suffix, u := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if n, ok := strings.CutSuffix(v, suffix); ok {
			v, unit = n, u
		}
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil { // UNLIMITED
		return 0, false
	}
	return n * unit, true
}

// diagnostics tells of DIAGNOSTICS_CONTROL (21c): SYSDBA is exempt.
func (p *Preflight) diagnostics(ctx context.Context) (string, error) {
	if !atLeast(p.Version, 21) {
		return "", nil
	}
	v, ok, err := p.text(ctx, "select max(value) from gv$parameter where inst_id = "+itoa(p.InstID)+" and name = 'diagnostics_control'")
	if err != nil || !ok || strings.EqualFold(v, "IGNORE") {
		return unreadable("DIAGNOSTICS_CONTROL", err), nil
	}
	return "DIAGNOSTICS_CONTROL is " + v + ": debug events are refused or reported for users without ENABLE DIAGNOSTICS; SYSDBA may set them", nil
}

// traced tells of targets that V$SESSION shows as traced: arming will find
// somebody else's sql_trace there and skip them.
func (p *Preflight) traced(ctx context.Context) (string, error) {
	rows, err := p.rows(ctx, "select sid, serial# from gv$session where inst_id = "+itoa(p.InstID)+" and sql_trace = 'ENABLED'")
	if err != nil {
		return unreadable("V$SESSION.SQL_TRACE", err), nil
	}
	on := map[string]bool{}
	for _, r := range rows {
		on[r[0]+","+r[1]] = true
	}
	var hit []string
	for i := range p.Sessions {
		if s := &p.Sessions[i]; on[fmt.Sprintf("%d,%d", s.SID, s.Serial)] {
			hit = append(hit, s.Key().String())
		}
	}
	if len(hit) == 0 {
		return "", nil
	}
	return fmt.Sprintf("V$SESSION shows SQL_TRACE enabled in %d of the sessions (%s): somebody traces them already, see DBA_ENABLED_TRACES", len(hit), hit[0]), nil
}

func unreadable(what string, err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return what + " could not be checked: " + line
}

func atLeast(version string, major int) bool {
	a, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(a)
	return err != nil || n >= major // unknown is not old
}

func atoi(s string) int64 {
	n, _ := strconv.ParseFloat(s, 64)
	return int64(n)
}

func (p *Preflight) number(ctx context.Context, q string) (n int64, ok bool, err error) {
	s, ok, err := p.text(ctx, q)
	return atoi(s), ok, err
}

func (p *Preflight) text(ctx context.Context, q string) (s string, ok bool, err error) {
	rows, err := p.rows(ctx, q)
	if err != nil || len(rows) == 0 || rows[0][0] == "" {
		return "", false, err
	}
	return rows[0][0], true, nil
}

func (p *Preflight) rows(ctx context.Context, q string) ([][]string, error) {
	return textRows(ctx, p.Query, q)
}

// textRows reads all rows as text; NULL is empty.
func textRows(ctx context.Context, q sessions.Querier, query string) ([][]string, error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		cells := make([]sql.NullString, len(cols))
		dest := make([]any, len(cols))
		for i := range cells {
			dest[i] = &cells[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		row := make([]string, len(cols))
		for i := range cells {
			row[i] = cells[i].String
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
