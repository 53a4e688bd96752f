// Package instance is the model of the simulated database: its instances,
// their processes and sessions in slots that are reused, events, circular
// buffers and trace files. It knows no SQL and no SQL*Plus; the doors in
// front of it do.
//
// A Database has one lock. Exported methods take it; methods whose comment
// says "under the lock" are for callers inside Locked.
package instance

import (
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/release"
)

// Config says what to build.
type Config struct {
	Release   *release.Release
	Instances int   // RAC nodes; 0 means 1
	Sessions  int   // user sessions over all instances; the scenario says which
	Seed      int64 // same seed, same content
	Identity  Identity
	Windows   bool
	Threaded  bool
	Now       func() time.Time
	Store     adr.Store
	DiagBase  string // ADR base; "" means /u01/app/oracle
	Assume    assume.Set
	ErrorText func(ora int) string // message text without the ORA- number
}

// Identity tells two databases of one seed apart, and two runs of one database,
// as Oracle does: by DBID, which a database gets when it is created, and by
// STARTUP_TIME. The zero value is the one of the seed alone.
type Identity struct {
	ID       uint32 `json:"id"`
	Restarts int    `json:"restarts"`
}

// dbids is how many DBIDs there are for simulated databases; all have ten digits.
const (
	firstDBID = 1_400_000_000
	dbids     = 200_000_000
)

// Database is one simulated database.
type Database struct {
	Name, UniqueName string
	DBID             int64
	Created          time.Time
	Release          *release.Release
	CDB              bool
	Threaded         bool
	Windows          bool
	PDBs             []PDB
	Users            []User
	Instances        []*Instance
	Store            adr.Store
	DiagBase         string
	Assume           assume.Set
	Password         string // of every user and of SYS
	Faults           *fault.Set
	// Outside carries out the faults that are not the database's: the missing
	// sqlplus. nil where there is no folder.
	Outside func(fault.Fault) error

	mu         sync.Mutex
	now        func() time.Time
	offset     time.Duration // Advance and clock steps
	rng        *rand.Rand
	version    uint64
	audsid     int64
	errorText  func(int) string
	carryTrace bool // assume.RingCarriesSQLTrace, resolved once
	incident   int
	fileLimit  atomic.Int64 // MAX_DUMP_FILE_SIZE in bytes; 0: unlimited
}

// PDB is a container other than the root.
type PDB struct {
	ConID int
	Name  string
	Mode  string // READ WRITE, READ ONLY, MOUNTED
}

// User is a database user.
type User struct {
	Name       string
	ID         int
	Maintained bool // by Oracle
}

// Instance is one instance of the database.
type Instance struct {
	ID          int
	Name        string
	Host        string
	StartupTime time.Time
	HostBoot    time.Time // zero point of tim from 12.1 on (facts/trace-format.md 12)
	MaxProcs    int       // parameter processes

	db        *Database
	procs     []*Process // by orapid; nil is a free slot; index 0 unused
	sessions  []*Session // by sid; nil is a free slot; index 0 unused
	procSer   []int      // last serial# by orapid
	sessSer   []int      // last serial# by sid
	freedSids []int      // most recently freed last
	lowSlot   int        // no process slot below it is free
	nextSpid  int
	alert     string
}

// New builds a database without user sessions; Quiet and the scenarios fill
// it.
func New(c Config) *Database {
	if c.Instances < 1 {
		c.Instances = 1
	}
	if c.DiagBase == "" {
		c.DiagBase = "/u01/app/oracle"
	}
	if c.Store == nil {
		c.Store = &adr.Memory{}
	}
	if c.ErrorText == nil {
		c.ErrorText = func(int) string { return "error text is not known to the simulator" }
	}
	faults := &fault.Set{}
	d := &Database{
		Faults: faults,
		Name:   "ORCL", UniqueName: "ORCL", Release: c.Release, CDB: c.Release.CDB, Threaded: c.Threaded,
		Windows: c.Windows, Store: faulty{c.Store, faults}, DiagBase: c.DiagBase, Assume: c.Assume,
		Password: "practice", now: c.Now, errorText: c.ErrorText,
		rng:        rand.New(rand.NewPCG(uint64(c.Seed), 0x72696e677472)),
		carryTrace: c.Assume.On(assume.RingCarriesSQLTrace), audsid: 1800000, incident: 10192,
	}
	d.fileLimit.Store(c.Release.FileLimit)
	d.DBID = firstDBID + (int64(d.rng.IntN(dbids))+int64(c.Identity.ID))%dbids
	started := time.Date(2025, 3, 10, 5, 42, 17, 0, time.UTC).Add(time.Duration(d.rng.IntN(86400)) * time.Second)
	d.Created = started.AddDate(-2, 0, -11)
	started = started.Add(time.Duration(c.Identity.Restarts) * time.Hour)
	if d.CDB {
		d.PDBs = []PDB{{2, "PDB$SEED", "READ ONLY"}, {3, "APPPDB", "READ WRITE"}, {4, "RPTPDB", "READ WRITE"}}
	}
	for i := 1; i <= c.Instances; i++ {
		d.addInstance(i, c, started)
	}
	return d
}

func (d *Database) addInstance(id int, c Config, started time.Time) {
	name, host := d.Name, "dbhost1"
	if c.Instances > 1 {
		name = d.Name + string(rune('0'+id%10))
		host = "dbhost" + string(rune('0'+id%10))
	}
	in := &Instance{
		ID: id, Name: name, Host: host, db: d, MaxProcs: max(640, c.Sessions*2+320),
		StartupTime: started.Add(time.Duration(id-1) * 95 * time.Second),
		HostBoot:    started.Add(-9*24*time.Hour - time.Duration(id)*time.Hour), nextSpid: 2100 + d.rng.IntN(3000),
	}
	in.procs = make([]*Process, in.MaxProcs+1)
	in.procSer = make([]int, in.MaxProcs+1)
	in.sessions = make([]*Session, in.MaxProcs*3/2+1)
	in.sessSer = make([]int, len(in.sessions))
	in.alert = path.Join(d.traceDir(in), "alert_"+name+".log")
	for i := range in.sessSer {
		in.sessSer[i] = 1 + d.rng.IntN(60000)
	}
	d.Instances = append(d.Instances, in)
	in.startBackgrounds(c.Instances > 1)
}

// ADRHome is <base>/diag/rdbms/<db_unique_name>/<instance>
// (facts/views-and-sqlplus.md 4.1).
func (d *Database) ADRHome(in *Instance) string {
	return path.Join(d.DiagBase, "diag", "rdbms", strings.ToLower(d.UniqueName), in.Name)
}

func (d *Database) traceDir(in *Instance) string { return path.Join(d.ADRHome(in), "trace") }

// TraceDir is the directory of the instance's trace files.
func (d *Database) TraceDir(in *Instance) string { return d.traceDir(in) }

// AlertLog is the path of the text alert log.
func (in *Instance) AlertLog() string { return in.alert }

// FileLimit is MAX_DUMP_FILE_SIZE in bytes; 0 is unlimited.
func (d *Database) FileLimit() int64 { return d.fileLimit.Load() }

// Locked runs f under the database's lock.
func (d *Database) Locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// Now is the simulated server's time.
func (d *Database) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clock()
}

// clock is Now under the lock.
func (d *Database) clock() time.Time { return d.now().Add(d.offset) }

// Advance moves the simulated clock, also backwards (a clock step).
func (d *Database) Advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.offset += by
	d.version++
}

// Version changes with every change of the model; the dictionary reloads its
// rows when it moved.
func (d *Database) Version() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version
}

// Instance returns the instance with that number, or nil.
func (d *Database) Instance(id int) *Instance {
	for _, in := range d.Instances {
		if in.ID == id {
			return in
		}
	}
	return nil
}

// PDBName returns the name of a container.
func (d *Database) PDBName(conID int) string {
	if conID <= 1 {
		return "CDB$ROOT"
	}
	for _, p := range d.PDBs {
		if p.ConID == conID {
			return p.Name
		}
	}
	return ""
}

// ErrorText is the message of an ORA error, without its number.
func (d *Database) ErrorText(ora int) string { return d.errorText(ora) }

// id13 draws an SQL_ID: 13 characters of Oracle's base 32.
func (d *Database) id13() string {
	const digits = "0123456789abcdfghjkmnpqrstuvwxyz"
	b := make([]byte, 13)
	for i := range b {
		b[i] = digits[d.rng.IntN(len(digits))]
	}
	return string(b)
}

// NowLocked is Now for callers inside Locked.
func (d *Database) NowLocked() time.Time { return d.clock() }

// Touch says that a caller changed a session by hand inside Locked.
func (d *Database) Touch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.version++
}
