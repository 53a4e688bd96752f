package sessions

// Row is a session with the verdict on it.
type Row struct {
	Session
	Evidence Evidence

	Selected bool
	Reason   Reason // Matched when Selected
}

// Evidence holds what only a live database (or a rich export) tells about a
// row beyond the inventory columns. It is used by Classify and not printed.
type Evidence struct {
	Own        bool   // the row is the session that asks
	AudSID     int64  // V$SESSION.AUDSID; 0 unknown
	Background bool   // V$PROCESS.BACKGROUND = '1'
	PName      string // V$PROCESS.PNAME: PMON, J000, P001, S000 …
	Image      string // V$PROCESS.PROGRAM
	Paddr      string // RAWTOHEX(V$SESSION.PADDR)
	OnProcess  int    // sessions with the same (inst_id, paddr), this one included; 0 unknown
}
