package tracefile

import "bytes"

// Damage says in what way a record is damaged; empty for a sound one.
type Damage string

// The ways in which a line can be damaged.
const (
	Sound       Damage = ""
	Cut         Damage = "line is cut"
	Malformed   Damage = "line does not have the form of its kind"
	Glued       Damage = "another record stood on the same line"
	NoEnd       Damage = "end mark is missing"
	WrongTime   Damage = "time lies a month and more behind the one before"
	LineTooLong Damage = "line is longer than this reader keeps"
)

// Record is one trace record. Which fields hold something depends on Kind; a
// number that was cut is left at zero and the record carries Damage.
// Byte slices belong to the Reader and live until its next Scan; see Clone.
type Record struct {
	Kind   Kind
	Damage Damage
	Line   int64 // number of the first line, from 1
	Lines  int64 // lines that the record takes, 0 for the rest of a glued line
	Offset int64 // of the first byte in the stream
	Raw    []byte

	Cursor uint64 // cursor number; 0 for none
	Slot   bool   // the cursor number is a small slot number (up to 11.1)

	// Calls: PARSE EXEC FETCH CLOSE UNMAP and LOB calls. Complete says that
	// every value needed to count the call was there, even if the line is cut
	// later.
	Complete bool
	HasTim   bool
	CPU      int64 // c, us
	Elapsed  int64 // e of calls, ela of waits, us
	Disk     int64 // p, blocks
	Query    int64 // cr, blocks
	Current  int64 // cu, blocks
	Misses   int64 // mis
	Rows     int64 // r
	Depth    int64 // dep
	Goal     int64 // og
	PlanHash int64 // plh; 0 also when the release does not print it
	Type     int64 // CLOSE type
	Tim      int64 // tim, end time in the trace's own unit

	// Waits. Name is the event; for LOB calls the name of the call, for
	// attributes that of the attribute, for header lines the key.
	Name   []byte
	Params []byte // the three parameters, undecoded; see DecodeParams
	Object int64  // obj#

	// PARSING and PARSE ERROR: Text is the SQL text. Other kinds: the value.
	Text    []byte
	Length  int64 // len
	User    int64 // uid
	Command int64 // oct
	LoginID int64 // lid
	Hash    int64 // hv
	SQLID   []byte
	Address []byte
	Code    int64 // ORA number of ERROR and PARSE ERROR; command number of ORADEBUG; pid of a process marker

	// XCTEND.
	Rollback, ReadOnly bool

	// STAT: Text is the operation without its figures.
	Plan PlanLine

	// BINDS. Continued: the section goes on behind a time stamp; its first bind
	// replaces the last one before if it has the same position.
	Binds     []Bind
	Continued bool

	// Stamps and attributes.
	Stamp Clock
	// RingWrap: size of the buffer and number of wraps. SizeLimit: the limit.
	Bytes, Count int64
}

// Bind is one bind variable of a BINDS section.
type Bind struct {
	Position int    // from 0
	Type     int    // oacdty; 0 unknown
	Charset  int    // csi
	Actual   int    // avl, bytes; -1 when it was not printed
	Same     bool   // "No oacdef for this bind": an earlier bind of that name
	HasValue bool   // false: NULL, or an OUT bind
	Quoted   bool   // the value stood in double quotes
	Value    []byte // without quotes
	Damaged  bool
}

// PlanLine is one row source of an execution plan as STAT prints it, values
// cumulative over its children.
type PlanLine struct {
	ID, Parent, Position int
	Rows, Object         int64
	Operation            []byte
	CR, PR, PW, Time     int64 // Time in us
	Cost, Size, Card     int64
	Starts               int64 // str; -1 when the release does not print it
	HasStats             bool
}

// Param is one named parameter of a wait.
type Param struct {
	Name  []byte
	Value int64
}

// Clone returns a copy of the record that shares no memory with the reader.
func (rec *Record) Clone() *Record {
	c := *rec
	for _, b := range []*[]byte{&c.Raw, &c.Name, &c.Params, &c.Text, &c.SQLID, &c.Address, &c.Plan.Operation, &c.Stamp.Container} {
		*b = bytes.Clone(*b)
	}
	c.Binds = append([]Bind(nil), rec.Binds...)
	for i := range c.Binds {
		c.Binds[i].Value = bytes.Clone(c.Binds[i].Value)
	}
	return &c
}

// Start returns the time at which the call or wait began, in the unit of Tim.
func (rec *Record) Start() int64 { return rec.Tim - rec.Elapsed }
