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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now)
	stop()
	os.Exit(code)
}
