package sim

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/sqlplusd"
	"ringtrace/oradebug"
)

// Rehearsal is what a script did to a simulated instance; the JSON is part of
// the contract.
type Rehearsal struct {
	Lines   []RehearsedLine `json:"lines"`
	LeftOn  []LeftOn        `json:"left_on"`
	Summary struct {
		Commands int `json:"commands"`
		Failed   int `json:"failed"`
		Armed    int `json:"armed"`
		LeftOn   int `json:"left_on"`
	} `json:"summary"`

	ExitCode int               `json:"exit_code"` // of the simulated sqlplus
	Spooled  map[string][]byte `json:"-"`         // what SPOOL wrote, by file name
}

// RehearsedLine is one command of the script.
type RehearsedLine struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Command string   `json:"command"`
	Answer  string   `json:"answer"`
	OK      bool     `json:"ok"`
	Changed []string `json:"changed"`
}

// LeftOn is a session that the script leaves armed.
type LeftOn struct {
	InstID int      `json:"inst_id"`
	SID    int      `json:"sid"`
	Serial int      `json:"serial"`
	Orapid int      `json:"orapid"`
	Events []string `json:"events"`
	Ring   *int     `json:"ring"` // bytes, null without one
	Undo   []string `json:"undo"` // commands that put it back
}

// Rehearse runs scripts one after the other as `sqlplus / as sysdba @script`
// would on instance in, and reports what they answered and changed. Scripts
// are read from the file system, spool files are kept in memory.
func Rehearse(ctx context.Context, d *instance.Database, in *instance.Instance, scripts ...string) (*Rehearsal, error) {
	for _, script := range scripts {
		if st, err := os.Stat(script); err != nil {
			return nil, err
		} else if st.IsDir() {
			return nil, fmt.Errorf("%s is a folder", script)
		}
	}
	before := d.Armed()
	r := &Rehearsal{Lines: []RehearsedLine{}, LeftOn: []LeftOn{}}
	files := &overlay{spooled: map[string]*memFile{}}
	touched := map[*instance.Process]bool{}
	pool := engine.NewPool(d)
	defer pool.Close()
	for _, script := range scripts {
		code, err := sqlplusd.Rehearse(ctx, sqlplusd.Config{
			DB: d, Engine: pool.Get, Files: files, OSAuth: true, Env: map[string]string{"ORACLE_SID": in.Name},
			Machine: in.Host, OSUser: "oracle", PID: "4711",
			After: func(s sqlplusd.Step) { r.add(s, touched) },
		}, script)
		if err != nil {
			return nil, err
		}
		r.ExitCode = max(r.ExitCode, code)
	}
	r.Spooled = files.contents()
	r.Summary.Armed = len(touched)
	r.LeftOn = append(r.LeftOn, leftOn(before, d.Armed())...)
	r.Summary.LeftOn = len(r.LeftOn)
	return r, nil
}

func (r *Rehearsal) add(s sqlplusd.Step, touched map[*instance.Process]bool) {
	l := RehearsedLine{File: s.File, Line: s.Line, Command: s.Command, Answer: strings.Join(s.Answer, "\n"), OK: !s.Failed, Changed: []string{}}
	for _, c := range s.Changed {
		who := ""
		if t := s.Target; t != nil {
			who = fmt.Sprintf("%d,%d,@%d ", t.SID, t.Serial, t.Inst.ID)
		} else if s.Process != nil {
			who = fmt.Sprintf("orapid %d ", s.Process.Orapid)
		}
		l.Changed = append(l.Changed, who+c)
		if s.Process != nil && (strings.Contains(c, ": +") || strings.HasSuffix(c, " bytes")) {
			touched[s.Process] = true
		}
	}
	r.Lines = append(r.Lines, l)
	r.Summary.Commands++
	if s.Failed {
		r.Summary.Failed++
	}
}

func leftOn(before, after map[string]instance.Armament) []LeftOn {
	var keys []string
	for k, a := range after {
		if fmt.Sprint(before[k]) != fmt.Sprint(a) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var out []LeftOn
	for _, k := range keys {
		a := after[k]
		l := LeftOn{InstID: a.InstID, SID: a.SID, Serial: a.Serial, Orapid: a.Orapid, Events: []string{}, Undo: []string{fmt.Sprintf("oradebug setorapid %d", a.Orapid)}}
		for _, e := range a.Session {
			l.Events = append(l.Events, e)
			l.Undo = append(l.Undo, undo("session_event", e)...)
		}
		for _, e := range a.Process {
			l.Events = append(l.Events, "process: "+e)
			l.Undo = append(l.Undo, undo("event", e)...)
		}
		if a.Ring > 0 {
			n := a.Ring
			l.Ring = &n
			l.Undo = append(l.Undo, "oradebug session_event immediate trace name trace_buffer_off")
		}
		out = append(out, l)
	}
	return out
}

func undo(command, event string) []string {
	spec, err := oradebug.ParseSpec(event)
	if err != nil {
		return nil
	}
	var out []string
	for i := range spec.Events { // the first way to turn each one off
		if off := spec.Events[i].TurnOff(); len(off) > 0 {
			out = append(out, "oradebug "+command+" "+off[0])
		}
	}
	return out
}

// overlay reads real files and keeps what is written.
type overlay struct {
	mu      sync.Mutex
	spooled map[string]*memFile
}

type memFile struct {
	bytes.Buffer
}

func (f *memFile) Close() error { return nil }

// Open implements sqlplusd.Files.
func (o *overlay) Open(name string) (io.ReadCloser, error) { return os.Open(name) }

// Create implements sqlplusd.Files.
func (o *overlay) Create(name string, appendTo, _ bool) (io.WriteCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name = filepath.Clean(name)
	if f := o.spooled[name]; f != nil && appendTo {
		return f, nil
	}
	f := &memFile{}
	o.spooled[name] = f
	return f, nil
}

func (o *overlay) contents() map[string][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := map[string][]byte{}
	for n, f := range o.spooled {
		out[n] = f.Bytes()
	}
	return out
}
