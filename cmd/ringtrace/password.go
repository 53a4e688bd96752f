package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"ringtrace/internal/exit"
)

// childEnviron is the environment for a child process: no password of ours.
func (rt *runtime) childEnviron() []string {
	out := make([]string, 0, len(rt.environ))
	for _, e := range rt.environ {
		if name, _, _ := strings.Cut(e, "="); !strings.HasPrefix(name, "RINGTRACE_PASSWORD") || strings.HasPrefix(name, "RINGTRACE_PASSWORD_FILE") {
			out = append(out, e)
		}
	}
	return out
}

// runPasswordCommand runs --password-command. What it prints on stderr goes to
// ours, because a password manager asks its questions there.
func (rt *runtime) runPasswordCommand(ctx context.Context, command string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Env = rt.childEnviron()
	cmd.Stdin = rt.stdin
	cmd.Stderr = rt.stderr
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			return nil, fmt.Errorf("ended with %d", ended.ExitCode())
		}
		return nil, err
	}
	return out.Bytes(), nil
}

// promptPassword asks on the terminal without echo and puts the terminal back
// as it was when the run is interrupted.
func (rt *runtime) promptPassword(ctx context.Context, question string) (string, error) {
	in, ok := rt.stdin.(*os.File)
	if !ok {
		return "", exit.Errorf(exit.Refused, "set RINGTRACE_PASSWORD", "no terminal to ask for the password")
	}
	fd := int(in.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", exit.Errorf(exit.Failed, "set RINGTRACE_PASSWORD", "ask for the password: %w", err)
	}
	fmt.Fprint(rt.stderr, printable(question))
	type answer struct {
		text []byte
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		read <- answer{text, err}
	}()
	select {
	case a := <-read:
		fmt.Fprintln(rt.stderr)
		if a.err != nil {
			return "", exit.Errorf(exit.Failed, "set RINGTRACE_PASSWORD", "ask for the password: %w", a.err)
		}
		return string(a.text), nil
	case <-ctx.Done():
		_ = term.Restore(fd, state) // nothing else can be done about it
		fmt.Fprintln(rt.stderr)
		return "", ctx.Err()
	}
}
