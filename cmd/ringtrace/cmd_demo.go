package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

func newDemoCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:  "demo",
		Usage: "play the whole story on a simulated instance, and leave a folder to look around in",
		Description: `Makes a simulated database with 300 sessions in this process, writes the scripts for one application, arms its sessions,
lets them work until ORA-01555 hits one of them, writes a second ring by hand, collects, reports and disarms. Needs no
Oracle, no sqlplus and no compiler, and touches nothing but the folder. The same seed gives the same bytes.

Example:

    ringtrace demo
    ringtrace demo --out /tmp/demo --seed 7`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "./ringtrace-demo", Usage: "leave everything in `DIR`"},
			&cli.Int64Flag{Name: "seed", Value: 1, Usage: "play the story of seed `N`"},
			&cli.BoolFlag{Name: "force", Usage: "replace what an earlier demo left in the folder"},
		},
		Action: rt.demo,
	}, exit.OK, exit.Failed, exit.Refused, exit.Interrupted)
}

func (rt *runtime) demo(c *cli.Context) error {
	if err := rt.wantOutput("demo", outputText, outputJSON); err != nil {
		return err
	}
	dir := c.String("out")
	if dir == "" {
		return exit.Errorf(exit.Usage, "give --out DIR, or leave it out for ./ringtrace-demo", "--out names no folder")
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return exit.Errorf(exit.Refused, "give another --out", "%s exists and is no folder", dir)
	}
	if list, err := os.ReadDir(dir); err == nil && len(list) > 0 && !c.Bool("force") {
		return exit.Errorf(exit.Refused, "give another --out, or --force to replace what an earlier demo left there", "%s exists and is not empty", dir)
	}
	if rt.dryRun {
		rt.notef("dry run: the demo would write README.md, scripts, dialogue, bundle.zip, report.html and report.json to %s", dir)
		return nil
	}
	private, err := os.MkdirTemp("", "ringtrace-demo-")
	if err != nil {
		return exit.Errorf(exit.Failed, "set TMPDIR to a folder that you may write to", "make folder for the demo's state: %w", err)
	}
	defer os.RemoveAll(private)
	d := &demo{ctx: c.Context, dir: dir, seed: c.Int64("seed"), sessions: demoSessions, private: private, say: func(format string, args ...any) {
		if rt.output == outputText {
			fmt.Fprintf(rt.stdout, format+"\n", args...)
		}
	}}
	defer d.close()
	if err := d.clear(); err != nil {
		return err
	}
	if err := d.play(); err != nil {
		d.undo()
		if c.Context.Err() != nil {
			return exit.Errorf(exit.Interrupted, "ringtrace demo plays it again", "the simulated database is gone, and what was half done in %s is removed", dir)
		}
		return err
	}
	if rt.output == outputJSON {
		return rt.printJSON(map[string]any{"out": dir, "seed": d.seed, "campaign": d.campaign, "files": d.files})
	}
	return nil
}
