package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/collect"
	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// remoteCounter counts the lines of a trace file on --host, over ssh. It is nil
// without that flag. hangup is to be called at the end in any case.
func (rt *runtime) remoteCounter(c *cli.Context, t connect.Target) (count func(string) (int64, int64, bool), hangup func(), err error) {
	none := func() {}
	host := c.String("host")
	if host == "" {
		return nil, none, nil
	}
	if t.Kind == connect.Sim {
		return nil, none, exit.Errorf(exit.Usage, "leave out --host", "the trace files of %s are not on another host", t)
	}
	if err := collect.CheckHost(host); err != nil {
		return nil, none, exit.Errorf(exit.Usage, "give a host as you would to ssh, e.g. --host oracle@db1", "--host: %w", err)
	}
	program := rt.lookPath("ssh")
	if program == "" {
		return nil, none, exit.Errorf(exit.ToolMissing, "install OpenSSH's client, or leave out --host: times are measured without it", "ssh is not on PATH")
	}
	control, err := os.MkdirTemp("", "rt-")
	if err != nil {
		return nil, none, exit.Errorf(exit.Failed, "set TMPDIR to a folder that can be written", "%w", err)
	}
	s := &collect.SSH{Host: host, Program: program, Environ: rt.childEnviron(), Control: control}
	hangup = func() {
		_ = s.Hangup() // no connection may be left: nothing to end
		_ = os.RemoveAll(control)
	}
	said := false
	return func(path string) (int64, int64, bool) {
		if path == "" {
			path = "/dev/null" // nothing was traced yet: the way there takes as long
		}
		lines, bytes, err := s.Count(c.Context, path)
		if err != nil && path != "/dev/null" && !said && c.Context.Err() == nil {
			said = true
			rt.warnf("trace lines are not counted: %v", err)
		}
		return lines, bytes, err == nil
	}, hangup, nil
}
