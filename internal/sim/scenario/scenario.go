package scenario

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/tracegen"
)

//go:embed builtin/*.toml
var builtin embed.FS

// Scenario is a declarative workload.
type Scenario struct {
	Name  string
	About string
	Step  []Step
}

// Step is one thing that happens.
type Step struct {
	Do         string // work, raise, churn, kill, die, switch, connect, sleep, fault
	Fault      string // fault: KIND or KIND=VALUE; a session's fault without a value takes user and sessions
	Server     string // connect: DEDICATED, SHARED, NONE or POOLED
	User       string // whose sessions; empty: all eligible ones
	Sessions   int    // how many of them; 0: all
	Statements int    // work, hog: per session
	Ora        int    // raise
	Times      int    // repeat the step; 0 is once
	Pause      string // simulated time that passes after each time, "10s"
}

// kinds lists what a step may do.
func kinds() []string {
	return []string{"work", "raise", "churn", "kill", "die", "switch", "connect", "sleep", "fault"}
}

// Names lists the scenarios that come with the program.
func Names() []string {
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		return nil // the folder is part of the program
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".toml"))
	}
	sort.Strings(out)
	return out
}

// Load finds a scenario by its name, or reads a file.
func Load(name string) (*Scenario, error) {
	data, err := builtin.ReadFile(path.Join("builtin", name+".toml"))
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = os.ReadFile(name); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no scenario %q and no such file; the scenarios are %s", name, strings.Join(Names(), " "))
		}
	}
	if err != nil {
		return nil, err
	}
	return Parse(name, string(data))
}

// Parse reads a scenario from its text; errors name the file and the line.
func Parse(name, text string) (*Scenario, error) {
	var s Scenario
	meta, err := toml.Decode(text, &s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", name, extra[0])
	}
	for i := range s.Step {
		st := &s.Step[i]
		ok := false
		for _, k := range kinds() {
			ok = ok || st.Do == k
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: step %d: do = %q; there are %s", name, i+1, st.Do, strings.Join(kinds(), " "))
		case st.Do == "connect" && (st.User == "" || !servers(st.Server)):
			return nil, fmt.Errorf("%s: step %d: connect needs user, and server DEDICATED, SHARED, NONE or POOLED", name, i+1)
		case st.Do == "raise" && (st.Ora < 1 || st.Ora > 65535):
			return nil, fmt.Errorf("%s: step %d: raise needs ora = a number from 1 to 65535", name, i+1)
		case st.Sessions < 0 || st.Statements < 0 || st.Times < 0:
			return nil, fmt.Errorf("%s: step %d: a count is negative", name, i+1)
		}
		if err := st.checkFault(); err != nil {
			return nil, fmt.Errorf("%s: step %d: %w", name, i+1, err)
		}
		if st.Pause != "" {
			if _, err := time.ParseDuration(st.Pause); err != nil {
				return nil, fmt.Errorf("%s: step %d: pause = %q is no duration such as 10s", name, i+1, st.Pause)
			}
		}
	}
	return &s, nil
}

// checkFault refuses a fault that does not exist or lacks its value.
func (st *Step) checkFault() error {
	if st.Do != "fault" {
		if st.Fault != "" {
			return fmt.Errorf("fault = %q belongs to do = \"fault\"", st.Fault)
		}
		return nil
	}
	if fault.Kinds()[fault.Kind(st.Fault)] == "session" {
		return nil
	}
	_, err := fault.Parse(st.Fault)
	return err
}

func servers(s string) bool {
	switch s {
	case "", "DEDICATED", "SHARED", "NONE", "POOLED":
		return true
	}
	return false
}

// Run carries the scenario out. Pauses pass on the simulated clock, not on
// the wall's.
func Run(ctx context.Context, d *instance.Database, g *tracegen.Generator, s *Scenario) error {
	for i := range s.Step {
		st := &s.Step[i]
		for range max(st.Times, 1) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := st.run(d, g); err != nil {
				return fmt.Errorf("%s: step %d: %w", s.Name, i+1, err)
			}
			if pause, err := time.ParseDuration(st.Pause); err == nil {
				d.Advance(pause)
			}
		}
	}
	return nil
}

func (st *Step) run(d *instance.Database, g *tracegen.Generator) error {
	switch st.Do {
	case "sleep":
		return nil // the pause is all
	case "connect":
		return st.connect(d)
	case "fault":
		if f, err := fault.Parse(st.Fault); err == nil {
			return d.Fault(f)
		} // else a session's fault, for the targets
	}
	targets := st.targets(d)
	if len(targets) == 0 {
		return fmt.Errorf("no session of %q is there to %s", st.User, st.Do)
	}
	for _, s := range targets {
		var like instance.Logon
		var proc *instance.Process
		d.Locked(func() { like, proc = logonLike(s), s.Proc })
		switch st.Do {
		case "work":
			g.Work(s, max(st.Statements, 1))
		case "raise":
			g.Work(s, max(st.Statements, 5))
			g.Fail(s, st.Ora)
		case "churn":
			d.Logoff(s)
			n, err := d.Logon(s.Inst, like)
			if err != nil {
				return err
			}
			d.Locked(func() { n.Eligible = true })
		case "kill":
			d.Kill(s)
		case "fault":
			if err := d.Fault(fault.Fault{Kind: fault.Kind(st.Fault), Value: fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.Inst.ID)}); err != nil {
				return err
			}
		case "die":
			if proc != nil {
				d.Die(proc)
			}
		case "switch":
			d.SwitchSession(s, like)
		}
	}
	return nil
}

// connect opens sessions. Those with a process of their own are targets.
func (st *Step) connect(d *instance.Database) error {
	for range max(st.Sessions, 1) {
		s, err := d.Logon(d.Instances[0], instance.Logon{User: st.User, Server: st.Server, Program: "JDBC Thin Client", Machine: "appsrv09", OSUser: "webapp"})
		if err != nil {
			return err
		}
		d.Locked(func() { s.Eligible = s.Server == "DEDICATED" })
	}
	return nil
}

// logonLike describes a connection like an existing one.
func logonLike(s *instance.Session) instance.Logon {
	return instance.Logon{
		User: s.Username, Service: s.Service, Program: s.Program, Machine: s.Machine, OSUser: s.OSUser, ClientPID: s.ClientPID,
		Driver: s.ClientDriver, Module: s.Module, PDB: s.Inst.Database().PDBName(s.ConID),
	}
}

func (st *Step) targets(d *instance.Database) []*instance.Session {
	var out []*instance.Session
	d.Locked(func() {
		for _, in := range d.Instances {
			for _, s := range in.Sessions() {
				if !s.Eligible || s.Killed || s.Proc == nil || st.User != "" && !strings.EqualFold(st.User, s.Username) {
					continue
				}
				if st.Sessions == 0 || len(out) < st.Sessions {
					out = append(out, s)
				}
			}
		}
	})
	return out
}
