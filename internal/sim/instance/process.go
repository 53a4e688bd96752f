package instance

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/sim/event"
	"ringtrace/internal/sim/ring"
)

// Process is one incarnation of a server process: a new one in the same slot
// is a new Process (facts/views-and-sqlplus.md 2.3).
type Process struct {
	Inst       *Instance
	Orapid     int // V$PROCESS.PID, the slot
	Serial     int // V$PROCESS.SERIAL#
	Spid       string
	Stid       string
	Addr       uint64
	Pname      string // PMON, D000, P000; "" for a foreground
	Background bool
	Username   string // OS user
	Suffix     string // what stands in brackets in the image: PMON, TNS V1-V3
	Identifier string // TRACEFILE_IDENTIFIER
	Started    time.Time

	Events   event.Table // EVENT: stays with the process
	Unlimit  bool        // ORADEBUG UNLIMIT
	ring     *ring.Buffer
	sessions []*Session
	commands int // ORADEBUG commands received
	hung     bool
	pending  []func() // requests that wait for a hung process
	dead     bool

	file   traceFile
	traced time.Time // of its last trace record, which may be ahead of the clock
}

// backgroundList lists the background processes by the release (rank) that
// brought them; rac marks those of RAC. D000 and S000 serve shared sessions.
type background struct {
	name string
	rank int
	rac  bool
}

func backgroundList() []background {
	return []background{
		{"PMON", 1, false},
		{"CLMN", 3, false},
		{"PSP0", 1, false},
		{"VKTM", 1, false},
		{"GEN0", 1, false},
		{"MMAN", 1, false},
		{"DIAG", 1, false},
		{"DBRM", 1, false},
		{"VKRM", 2, false},
		{"PING", 1, true},
		{"DIA0", 1, false},
		{"LMON", 1, true},
		{"LMD0", 1, true},
		{"LMS0", 1, true},
		{"DBW0", 1, false},
		{"LGWR", 1, false},
		{"CKPT", 1, false},
		{"SMON", 1, false},
		{"RECO", 1, false},
		{"LREG", 2, false},
		{"LCK0", 1, true},
		{"MMON", 1, false},
		{"MMNL", 1, false},
		{"D000", 1, false},
		{"S000", 1, false},
	}
}

func (in *Instance) startBackgrounds(rac bool) {
	in.start(&Process{Pname: "", Suffix: "PSEUDO"}) // PID 1 is the pseudo process
	for _, b := range backgroundList() {
		if b.rank > in.db.Release.Rank || b.rac && !rac {
			continue
		}
		p := in.start(&Process{Pname: b.name, Suffix: b.name, Background: true})
		if b.name == "D000" || b.name == "S000" {
			p.Background = false // "non-SYSTEM background" (facts/views-and-sqlplus.md 2.2)
			continue
		}
		in.attach(&Session{
			Type: "BACKGROUND", Server: "DEDICATED", Status: "ACTIVE", Service: "SYS$BACKGROUND",
			Program: p.Image(), Machine: in.Host, OSUser: "oracle", LogonTime: in.StartupTime, Schema: "SYS",
		}, p)
	}
}

// start puts p in the lowest free slot. Under the lock, or before anyone else
// sees the database.
func (in *Instance) start(p *Process) *Process {
	pid := 0
	for i := max(in.lowSlot, 1); i < len(in.procs); i++ {
		if in.procs[i] == nil {
			pid, in.lowSlot = i, i+1
			break
		}
	}
	if pid == 0 {
		return nil
	}
	d := in.db
	in.procSer[pid] += 1 + d.rng.IntN(3)
	in.nextSpid += 1 + d.rng.IntN(9)
	p.Inst, p.Orapid, p.Serial, p.Username = in, pid, in.procSer[pid], "oracle"
	p.Addr = 0x0000000064C3A000 + uint64(in.ID)<<32 + uint64(pid)*0x10B8
	if p.Started.IsZero() {
		p.Started = in.StartupTime
	}
	p.Spid, p.Stid = strconv.Itoa(in.nextSpid), strconv.Itoa(in.nextSpid)
	switch {
	case d.Windows && d.Release.Rank >= 6: // 21c: SPID of the service, STID of the thread, except foregrounds
		p.Spid = "5300"
		if !p.Background {
			p.Spid, p.Stid = strconv.Itoa(in.nextSpid), "0"
		}
	case d.Threaded && !p.Background:
		p.Spid = strconv.Itoa(2090 + pid%3)
	}
	in.procs[pid] = p
	d.version++
	return p
}

// stop frees the slot. Under the lock.
func (p *Process) stop() {
	p.dead = true
	p.Events.Clear()
	if p.ring != nil {
		p.endRing()
	}
	if p.Inst.procs[p.Orapid] == p {
		p.Inst.procs[p.Orapid] = nil
		p.Inst.lowSlot = min(p.Inst.lowSlot, p.Orapid)
	}
	p.Inst.db.version++
}

// Image is the program as OS tools and ORADEBUG show it, with the bracketed
// suffix (facts/oradebug.md 2.1).
func (p *Process) Image() string {
	base := "oracle@" + p.Inst.Host
	if p.Inst.db.Windows {
		base = "ORACLE.EXE"
		if p.Suffix == "" {
			return base + " (SHAD)"
		}
	}
	if p.Suffix == "" {
		return base
	}
	if p.Suffix == "PSEUDO" {
		return "PSEUDO"
	}
	return base + " (" + p.Suffix + ")"
}

// ProcessLine is "Unix process pid: N, image: …" as headers and ORADEBUG
// print it.
func (p *Process) ProcessLine() string {
	if p.Inst.db.Windows {
		return fmt.Sprintf("Windows thread id: %s, image: %s", p.thread(), p.Image())
	}
	return fmt.Sprintf("Unix process pid: %s, image: %s", p.Spid, p.Image())
}

func (p *Process) thread() string {
	if p.Stid != "" && p.Stid != "0" {
		return p.Stid
	}
	return p.Spid
}

// TracePath is V$PROCESS.TRACEFILE (facts/views-and-sqlplus.md 4.1).
func (p *Process) TracePath() string {
	kind := "ora"
	if p.Pname != "" {
		kind = strings.ToLower(p.Pname)
	}
	name := p.Inst.Name + "_" + kind + "_" + p.Spid
	if p.Inst.db.Threaded && p.Spid != p.Stid {
		name = p.Inst.Name + "_" + p.Spid + "_" + p.Stid
	}
	if p.Identifier != "" {
		name += "_" + p.Identifier
	}
	return path.Join(p.Inst.db.traceDir(p.Inst), name+".trc")
}

// Alive says that the process has not ended. Under the lock.
func (p *Process) Alive() bool { return !p.dead }

// Hung says that the process takes no signal (facts/oradebug.md 2.6). Under
// the lock.
func (p *Process) Hung() bool { return p.hung }

// Session is the session the process works for: the last one mounted. Under
// the lock.
func (p *Process) Session() *Session {
	if len(p.sessions) == 0 {
		return nil
	}
	return p.sessions[len(p.sessions)-1]
}

// Ring returns size, use and wraps of the circular buffer; ok is false
// without one. Under the lock.
func (p *Process) Ring() (size, used int, wraps int64, ok bool) {
	if p.ring == nil {
		return 0, 0, 0, false
	}
	return p.ring.Size(), p.ring.Used(), p.ring.Wraps(), true
}

// Processes returns the live processes by orapid. Under the lock.
func (in *Instance) Processes() []*Process {
	var out []*Process
	for _, p := range in.procs {
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Process returns the process in a slot, nil for a free or impossible one.
// Under the lock.
func (in *Instance) Process(orapid int) *Process {
	if orapid < 1 || orapid >= len(in.procs) {
		return nil
	}
	return in.procs[orapid]
}

// Database returns the database the instance belongs to.
func (in *Instance) Database() *Database { return in.db }
