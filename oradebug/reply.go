package oradebug

// ReplyKind says what sqlplus answered to an ORADEBUG command.
type ReplyKind uint8

// The kinds of reply. ReplyUnknown is not success: a localized or garbled
// answer falls here (facts/oradebug.md 0.1).
const (
	ReplyUnknown   ReplyKind = iota
	ReplyEmpty               // no line at all
	ReplyProcessed           // Statement processed.
	ReplyAttached            // Oracle pid: …
	ReplyTracefile           // a path
	ReplyEvents              // lines of eventdump
	ReplyStack               // short_stack
	ReplyFunction            // Function returned …
	ReplyVariable            // dumpvar
	ReplyHang                // Hang Analysis in …
	ReplyText                // text that proves itself by its command (help, doc, current_sql)
	ReplyFailed              // ORA-… or SP2-…
)

// String returns a word for the kind.
func (k ReplyKind) String() string {
	return [...]string{
		"unknown", "empty", "processed", "attached", "tracefile", "events",
		"stack", "function", "variable", "hang", "text", "failed",
	}[k]
}

// Reply is one answer.
type Reply struct {
	Kind   ReplyKind
	Lines  []string // without blank ends and 23ai `Help:` lines
	Attach Attach
	// Path is the trace file of tracefile_name and hanganalyze.
	Path string
	// Events are the lines of eventdump, as shown, newest first.
	Events []string
	// Value is the hexadecimal value of `Function returned`.
	Value string
	// Errors are the ORA- and SP2- lines, in order, continuation lines joined.
	Errors []ErrorLine
}

// Attach is the reply to SETORAPID, SETOSPID and SETORAPNAME.
type Attach struct {
	Orapid int
	// OSPid is the `Unix process pid` or `Windows thread id`, as digits.
	OSPid   string
	Windows bool   // Windows thread id
	NID     string // name space id of 21c headers, if shown
	Image   string // oracle@host, ORACLE.EXE, <none>
	Suffix  string // what stands in brackets behind the image: PMON, S000, TNS V1-V3
	Class   ProcessClass
}

// ProcessClass is what the bracketed suffix of an image says.
type ProcessClass uint8

// The classes of process. ClassOther is a suffix that this table does not
// know, which must not be taken for a user's process.
const (
	ClassUser       ProcessClass = iota // no suffix, (SHAD), (TNS V1-V3)
	ClassBackground                     // (PMON), (LGWR) …
	ClassSharedSrv                      // (S000)
	ClassDispatcher                     // (D000)
	ClassPX                             // (P000)
	ClassJob                            // (J009)
	ClassOther
)

// String returns a word for the class.
func (c ProcessClass) String() string {
	return [...]string{"user", "background", "shared_server", "dispatcher", "px_slave", "job_slave", "other"}[c]
}

// ErrorLine is one error in a reply.
type ErrorLine struct {
	Prefix string // ORA or SP2
	Code   int
	Text   string
}
