package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ringtrace/internal/sim/ocid"
)

// Started is what `sim up` prints.
type Started struct {
	Dir        string  `json:"dir"`
	OracleHome string  `json:"oracle_home"`
	OracleSID  string  `json:"oracle_sid"`
	Connect    string  `json:"connect"`
	User       string  `json:"user"`
	Password   string  `json:"password"`
	PID        int     `json:"pid"`
	Instances  []Place `json:"instances"`
}

// Launch says how to start a server process.
type Launch struct {
	Layout  Layout
	Program string        // the ringtrace binary
	Args    []string      // its arguments for the server, without the program's name
	Environ []string      // of the server
	Wait    time.Duration // for it to be ready
	GCC     string        // "" when there is none
}

// Prepare makes the simulated ORACLE_HOME. note is what the user should know
// (no compiler), empty when all is well.
func (u Launch) Prepare(ctx context.Context) (note string, err error) {
	l := u.Layout
	if !supported {
		return "", errors.New("a simulated instance in a folder needs a Unix system; -c sim: works everywhere")
	}
	if c, err := Dial(l); err == nil {
		return "", fmt.Errorf("%s: a simulated instance runs here already, process %d", l.Dir, c.State.PID)
	}
	for _, d := range []string{l.Dir, l.Bin(), l.Lib(), filepath.Join(l.Home(), "sqlplus", "admin"), filepath.Join(l.Home(), "network", "admin")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return "", err
		}
	}
	link := filepath.Join(l.Home(), "bin", "ringtrace")
	if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.Symlink(u.Program, link); err != nil {
		return "", err
	}
	wrapper := "#!/bin/sh\n# the simulated SQL*Plus: ringtrace, told so by the variable\n" +
		"_RINGTRACE_SIM_SQLPLUS=" + quote(l.Dir) + " exec " + quote(link) + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(l.Bin(), "sqlplus"), []byte(wrapper), 0o700); err != nil {
		return "", err
	}
	if u.GCC == "" {
		// One that another version left would speak to us in vain.
		if err := os.Remove(filepath.Join(l.Lib(), "libclntsh.so")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return "no C compiler was found: godror cannot reach this instance, sqlplus can (install gcc and run sim up again)", nil
	}
	return "", ocid.Build(ctx, u.GCC, l.Lib())
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Env writes the file to source. It works under `set -eu`, may be sourced
// again, and sets nothing of ours. Ours come first in the paths, also after
// another instance's file was sourced.
func (u Launch) Env(p Places) error {
	l := u.Layout
	text := "# simulated Oracle instance; source this file in a shell\n" +
		"ORACLE_HOME=" + quote(l.Home()) + "\nORACLE_SID=" + quote(p.SID) + "\n" +
		"case \"${PATH:-}:\" in\n\"$ORACLE_HOME/bin\":*) ;;\n*) PATH=\"$ORACLE_HOME/bin${PATH:+:$PATH}\" ;;\nesac\n" +
		"case \"${LD_LIBRARY_PATH:-}:\" in\n\"$ORACLE_HOME/lib\":*) ;;\n*) LD_LIBRARY_PATH=\"$ORACLE_HOME/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\" ;;\nesac\n" +
		"export ORACLE_HOME ORACLE_SID PATH LD_LIBRARY_PATH\nunset TWO_TASK\n"
	return os.WriteFile(l.EnvFile(), []byte(text), 0o600)
}

// Start starts the server, waits until it answers, and writes env.sh. The
// server holds nothing of the caller's open.
func (u Launch) Start(ctx context.Context) (*Started, error) {
	l := u.Layout
	log, err := os.OpenFile(l.Log(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the server has its own
	cmd := exec.Command(filepath.Join(l.Bin(), "ringtrace"), u.Args...)
	cmd.Dir = "/"
	cmd.Env = u.Environ
	cmd.Stdout, cmd.Stderr = log, log
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the simulated instance: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	deadline := time.NewTimer(u.Wait)
	defer deadline.Stop()
	for {
		if c, err := Dial(l); err == nil && c.State.PID == cmd.Process.Pid {
			return u.started(ctx, c)
		}
		select {
		case err := <-ended:
			text, _ := os.ReadFile(l.Log()) // what there is
			return nil, fmt.Errorf("the simulated instance ended at once (%v): %s", err, strings.TrimSpace(string(text)))
		case <-deadline.C:
			return nil, errors.Join(fmt.Errorf("the simulated instance did not answer within %v", u.Wait), cmd.Process.Kill())
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), cmd.Process.Kill())
		case <-time.After(15 * time.Millisecond):
		}
	}
}

func (u Launch) started(ctx context.Context, c *Client) (*Started, error) {
	data, err := c.Do(ctx, Request{Op: "ping"})
	if err != nil {
		return nil, err
	}
	var p Places
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, err
	}
	if err := u.Env(p); err != nil {
		return nil, err
	}
	l := u.Layout
	return &Started{
		Dir: l.Dir, OracleHome: l.Home(), OracleSID: p.SID, Connect: p.Connect, User: p.User, Password: p.Password,
		PID: c.State.PID, Instances: p.Instances,
	}, nil
}
