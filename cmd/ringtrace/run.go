package main

import (
	"context"
	"io"
	"time"

	"ringtrace/internal/exit"
)

// run is the whole program with everything it takes from the outside handed
// in. args[0] is the program's name. The result is the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string, now func() time.Time) int {
	rt := newRuntime(stdin, stdout, stderr, environ, now)
	err := newApp(rt).RunContext(ctx, args)
	code := codeOf(ctx, err)
	if code != exit.OK {
		rt.printError(code, err)
	}
	return int(code)
}
