package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

// checkCollect refuses before anything is disarmed what the collection behind
// it would refuse.
func (rt *runtime) checkCollect(c *cli.Context) error {
	out := c.String("collect")
	switch {
	case out == "" && c.String("redact") != "":
		return exit.Errorf(exit.Usage, "give --collect FILE, or leave out --redact", "--redact is for the bundle that --collect writes")
	case out == "":
		return nil
	case c.String("journal") != "" || c.Bool("orphans"):
		return exit.Errorf(exit.Usage, "collect afterwards: ringtrace collect --out "+quoteArg(out), "--collect follows campaigns of this state directory, not --journal or --orphans")
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		return exit.Errorf(exit.Refused, "give another name", "%s exists", out)
	}
	if c.String("redact") != "" || !rt.isTerminal() || rt.yes {
		_, err := rt.redactWhat(c)
		return err
	}
	return nil
}

// thenCollect gathers the traces after disable has ended with err, which it
// joins with its own. In JSON the collection's document is part of ours.
func (rt *runtime) thenCollect(c *cli.Context, v *visit, err error) error {
	out := c.String("collect")
	if code := exit.CodeOf(err); out == "" || err != nil && !slices.Contains([]exit.Code{exit.Partial, exit.Failed, exit.NothingMatch}, code) || c.Context.Err() != nil {
		err = rt.printRun(v.doc, err)
		v.sayClosed(out == "")
		return err
	}
	var cerr error
	if rt.output == outputJSON {
		var doc []byte
		if doc, cerr = rt.collectInto(c, v, out); len(doc) > 0 {
			v.doc.Collected = doc
		}
		err = rt.printRun(v.doc, err)
	} else {
		err = rt.printRun(v.doc, err)
		v.sayClosed(false)
		_, cerr = rt.collectInto(c, v, out)
	}
	v.tellOthers(c)
	if err != nil && cerr != nil {
		rt.warnf("collect: %v", cerr)
	}
	return joinExit(err, cerr)
}

// sayClosed names the campaigns of which nothing is left on, and the command
// that collects their traces.
func (v *visit) sayClosed(collect bool) {
	rt := v.rt
	if rt.output != outputText || rt.dryRun || len(v.doc.Sessions) == 0 {
		return
	}
	for _, id := range v.ids {
		if k, err := v.state.Dir.Load(id); err != nil || !k.Closed {
			continue // what is left has been told
		}
		fmt.Fprintf(rt.stdout, "nothing is left on; campaign %s is closed\n", id)
		if collect {
			fmt.Fprintf(rt.stdout, "its traces: %s\n", rt.collectFrom(id, ""))
		}
	}
}

// tellOthers names the campaigns whose traces are not in the bundle, which holds
// one campaign.
func (v *visit) tellOthers(c *cli.Context) {
	for i, id := range v.ids {
		if i < len(v.ids)-1 {
			v.rt.warnf("%s holds the traces of one campaign; those of %s: %s", c.String("collect"), id, v.rt.collectFrom(id, c.String("redact")))
		}
	}
}

// collectInto runs the verb collect with the connection of this run.
func (rt *runtime) collectInto(c *cli.Context, v *visit, out string) (doc []byte, err error) {
	args := []string{"collect", "--connect", rt.connect, "--out", out, "--output", rt.output}
	if n := len(v.ids); n > 0 { // the newest, as collect would take it
		args = append(args, "--campaign", v.ids[n-1])
	}
	if text := c.String("redact"); text != "" {
		args = append(args, "--redact", text)
	}
	for _, name := range []string{"password-file", "password-command", "connect-timeout", "command-timeout", "via", "sqlplus", "state-dir", "config"} {
		for _, value := range rt.typedValues(name) {
			args = append(args, "--"+name, value)
		}
	}
	for name, on := range map[string]bool{"--quiet": rt.quiet, "--verbose": rt.verbose, "--yes": rt.yes, "--dry-run": rt.dryRun, "--no-color": rt.noColor} {
		if on {
			args = append(args, name)
		}
	}
	var buf bytes.Buffer
	inner := newRuntime(rt.stdin, rt.stdout, rt.stderr, rt.environ, rt.now)
	inner.passwordOf = rt.passwordOf
	if rt.output == outputJSON {
		inner.stdout = &buf
	}
	err = inner.execute(c.Context, args)
	return buf.Bytes(), err
}
