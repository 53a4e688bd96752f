// Command ringtrace writes, checks and carries out ORADEBUG scripts that put
// Oracle sessions on an in-memory trace ring, and reads what they leave.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	// A reader that leaves (`| head`) must not kill a run between a step and
	// its record: caught, the signal becomes a write error. Ignored, it would
	// stay ignored in sqlplus.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if dir := os.Getenv(simSQLPlus); dir != "" { // we are the sqlplus of a simulated ORACLE_HOME
		os.Exit(beSQLPlus(dir))
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup a terminal that closes ends nothing
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now)
	os.Exit(code)
}

// beSQLPlus runs this process as the sqlplus of the simulated instance in a
// folder: SIGINT interrupts the call, as in the real one.
func beSQLPlus(dir string) int {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	rt := newRuntime(os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now)
	code, err := rt.simSQLPlusMain(context.Background(), dir, os.Args[1:], interrupt)
	if err != nil {
		rt.warnf("%v", err)
	}
	return code
}
