// Package daemon runs a simulated database in a directory: `sim up` starts
// it, sqlplus and the OCI shim of the simulated ORACLE_HOME talk to it, `sim
// down` ends it.
package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ringtrace/internal/atomicfile"
)

// Layout is what `sim up` makes of a directory.
type Layout struct{ Dir string }

// Home is the simulated ORACLE_HOME.
func (l Layout) Home() string { return filepath.Join(l.Dir, "oracle_home") }

// Diag is where the trace files are.
func (l Layout) Diag() string { return filepath.Join(l.Dir, "diag") }

// Bin is where sqlplus is.
func (l Layout) Bin() string { return filepath.Join(l.Home(), "bin") }

// Lib is where libclntsh.so is.
func (l Layout) Lib() string { return filepath.Join(l.Home(), "lib") }

// EnvFile is the file to source.
func (l Layout) EnvFile() string { return filepath.Join(l.Dir, "env.sh") }

func (l Layout) state() string { return filepath.Join(l.Dir, "sim.json") }

// Log is where the server process writes what goes wrong.
func (l Layout) Log() string { return filepath.Join(l.Dir, "sim.log") }

// Left lists what an instance has left in the folder, and whether that is all
// there is.
func (l Layout) Left() (paths []string, all bool) {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, false
	}
	ours := []string{l.Home(), l.EnvFile(), l.state(), l.Log(), l.Diag()}
	all = true
	for _, e := range entries {
		if p := filepath.Join(l.Dir, e.Name()); slices.Contains(ours, p) {
			paths = append(paths, p)
		} else {
			all = false
		}
	}
	return paths, all && len(paths) > 0
}

// State is what the server process leaves for its clients.
type State struct {
	PID     int    `json:"pid"`
	Sockets string `json:"sockets"` // short private folder with the sockets ctl and oci
	Spec    Spec   `json:"spec"`
}

// Spec is how the server was started.
type Spec struct {
	Release   string   `json:"release"`
	Instances int      `json:"instances"`
	Sessions  int      `json:"sessions"`
	Seed      int64    `json:"seed"`
	Scenario  string   `json:"scenario"`
	Idle      int64    `json:"idle_s"`
	Assume    []string `json:"assume,omitempty"` // NAME or NAME:off
	Windows   bool     `json:"windows,omitempty"`
	Threaded  bool     `json:"threaded,omitempty"`
	Faults    []string `json:"faults,omitempty"` // KIND or KIND=VALUE, on from the start
}

// ErrNotRunning says that no server answers for a directory.
var ErrNotRunning = errors.New("no simulated instance runs here")

// Read returns the state of the server in a directory.
func (l Layout) Read() (State, error) {
	var s State
	data, err := os.ReadFile(l.state())
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s: %w", l.Dir, ErrNotRunning)
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w", l.state(), err)
	}
	return s, nil
}

func (l Layout) write(s State) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(context.Background(), l.state(), append(data, '\n'), atomicfile.Options{Force: true})
}
