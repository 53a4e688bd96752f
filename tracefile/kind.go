package tracefile

// Kind says what a record is.
type Kind uint8

// The kinds of record. Section numbers are those of facts/trace-format.md.
const (
	Unknown       Kind = iota // a line that nothing here understands
	Blank                     // an empty line
	Wait                      // WAIT #c (6)
	Parse                     // PARSE #c (5)
	Exec                      // EXEC #c (5)
	Fetch                     // FETCH #c (5)
	Close                     // CLOSE #c (5)
	Unmap                     // UNMAP #c (5)
	SortUnmap                 // SORT UNMAP #c (5)
	Parsing                   // PARSING IN CURSOR #c with its SQL text (4)
	ParseError                // PARSE ERROR #c with its SQL text (9)
	Binds                     // BINDS #c with all binds (7)
	Stat                      // STAT #c (8)
	Error                     // ERROR #c (9)
	Xctend                    // XCTEND: a transaction ends (9)
	Lob                       // LOBREAD:, LOBWRITE: and their kin (9)
	RPC                       // RPC CALL:, RPC BINDS:, RPC EXEC: (9)
	Stamp                     // *** time stamp (3)
	Attribute                 // *** SESSION ID:(1.2) and its kin (3)
	Process                   // *** [ Unix process pid: n ], from trcsess (3)
	ContinuedFrom             // *** TRACE CONTINUED FROM FILE (3)
	ContinuesIn               // *** TRACE CONTINUES IN FILE (3)
	SizeLimit                 // *** DUMP FILE SIZE IS LIMITED TO n BYTES *** (3)
	FileFull                  // *** Trace file full *** (3, 10)
	Recreated                 // *** TRACE FILE RECREATED AFTER BEING REMOVED *** (3)
	RingWrap                  // Trace output buffer of n bytes wrapped m times (10)
	Header                    // first line of a header (2)
	HeaderLine                // any other line of a header (2)
	Separator                 // ===================== (4)
	EndOfStmt                 // END OF STMT whose beginning is missing (10)
	Oradebug                  // Received ORADEBUG command and its kin (9)
	Incident                  // Incident n created, dump file: x (11)
	OraMessage                // ORA-nnnnn: text at the start of a line (11)
	DumpStart                 // the line that begins an error stack or other dump (11)
	Dump                      // a line inside a dump (11)
	numKinds
)

var kindNames = [numKinds]string{
	"unknown", "blank", "wait", "parse", "exec", "fetch", "close", "unmap",
	"sort unmap", "parsing", "parse error", "binds", "stat", "error", "xctend",
	"lob", "rpc", "stamp", "attribute", "process", "continued from",
	"continues in", "size limit", "file full", "recreated", "ring wrap",
	"header", "header line", "separator", "end of stmt", "oradebug",
	"incident", "ora message", "dump start", "dump",
}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return "invalid"
}

// IsCall reports whether the record is a database call with a cursor and a
// recursion depth.
func (k Kind) IsCall() bool { return k >= Parse && k <= SortUnmap }

// IsTrace reports whether the record is SQL trace proper, not a header, a
// marker or a dump: a file without any has nothing to profile.
func (k Kind) IsTrace() bool { return k >= Wait && k <= RPC }
