package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update writes docs/cli.md and the updated cmp files of testscripts again.
var update = flag.Bool("update", false, "write generated files again")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ringtrace": main, "ringtrace-killed": killedMain})
}

// TestScripts runs testdata/script/*.txtar. A script starts in an empty $WORK
// with HOME there, none of the caller's RINGTRACE_, ORACLE_ and XDG_
// variables, and these commands beside testscript's own:
//
//	exits N ringtrace …   run it and demand exit code N
//	json STREAM PATH VALUE  demand a value in the JSON document on a stream, e.g.
//	                        json stdout sessions.0.sid 12, json stdout sessions.length 3
//	mode FILE PERM        demand a file's permission bits, e.g. 0600
//	shortform FILE DIR N RING  demand that enable's line agrees with its record
//	unpack ZIP DIR        unpack a zip file
//	tracecounts FILE DIR  demand that lines of a measurement are in trace files
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			return os.MkdirAll(env.WorkDir, 0o700)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"contract": cmdContract,
			"exits":    cmdExits,
			"json":     cmdJSON,
			"mode":     cmdMode,
			"paste":    cmdPaste,

			"shortform": cmdShortform,
			"unpack":    cmdUnpack,

			"tracecounts": cmdTracecounts,
		},
	})
}
