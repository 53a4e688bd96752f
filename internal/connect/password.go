package connect

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/shell"
)

// PasswordEnv names the environment variable of the main connection's
// password. It is taken out of the environment of every child.
const PasswordEnv = "RINGTRACE_PASSWORD"

// Passwords finds the password of one connection. At most one of File and
// Command is given; both beat the environment, and the prompt comes last.
type Passwords struct {
	File    string // --password-file
	Command string // --password-command

	LookupEnv func(string) (string, bool)
	EnvName   string // PasswordEnv when empty
	// Run runs a shell command and returns its standard output.
	Run func(ctx context.Context, command string) ([]byte, error)
	// Prompt asks on the terminal without echo; nil when there is none.
	Prompt func(ctx context.Context, question string) (string, error)
}

// Get returns the password for the target; empty for one that needs none.
func (p *Passwords) Get(ctx context.Context, t Target) (string, error) {
	if p.File != "" && p.Command != "" {
		return "", exit.Errorf(exit.Usage, "give one of them", "--password-file and --password-command are both given")
	}
	if t.Kind != Remote {
		return "", nil
	}
	env := p.EnvName
	if env == "" {
		env = PasswordEnv
	}
	switch {
	case p.File != "":
		return p.fromFile()
	case p.Command != "":
		return p.fromCommand(ctx)
	}
	if v, ok := p.LookupEnv(env); ok && v != "" {
		return oneLine("the variable "+env, []byte(v))
	}
	if p.Prompt == nil {
		return "", exit.Errorf(exit.Refused,
			"set "+env+", or give --password-file FILE or --password-command COMMAND", "no terminal to ask for the password of %s", t.User)
	}
	pw, err := p.Prompt(ctx, "password for "+t.String()+": ")
	if err != nil {
		return "", err
	}
	if pw == "" {
		return "", exit.Errorf(exit.CannotConnect, "type the password of "+t.User, "no password given")
	}
	return pw, nil
}

func (p *Passwords) fromFile() (string, error) {
	f, err := os.Open(p.File)
	if err != nil {
		return "", exit.Errorf(exit.Usage, "check the name behind --password-file", "password file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", exit.Errorf(exit.Failed, "check the name behind --password-file", "password file: %w", err)
	}
	if mode := info.Mode(); mode.IsRegular() && mode.Perm()&0o077 != 0 {
		return "", exit.Errorf(exit.Refused, "type: chmod 600 "+shell.Quote(p.File), "password file %s can be read by others (mode %04o)", p.File, mode.Perm())
	} else if mode.IsDir() {
		return "", exit.Errorf(exit.Usage, "name a file with one line", "password file %s is a folder", p.File)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxPassword+2))
	if err != nil {
		return "", exit.Errorf(exit.Failed, "check the name behind --password-file", "password file: %w", err)
	}
	return oneLine("password file "+p.File, data)
}

func (p *Passwords) fromCommand(ctx context.Context) (string, error) {
	out, err := p.Run(ctx, p.Command)
	if err != nil {
		return "", exit.Errorf(exit.Failed, "run it by hand: it must print the password and exit with 0", "password command: %w", err)
	}
	return oneLine("the output of the password command", out)
}

// maxPassword bounds a password in bytes; Oracle takes 30, and 1,024 from 23ai.
const maxPassword = 1024

// oneLine takes the single line that a password is. The text itself is never
// part of a message.
func oneLine(what string, data []byte) (string, error) {
	data = bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	s := string(data)
	switch {
	case s == "":
		return "", exit.Errorf(exit.Usage, "put the password into its first line", "%s is empty", what)
	case len(s) > maxPassword:
		return "", exit.Errorf(exit.Usage, "it must hold the password and nothing else", "%s is longer than a password can be", what)
	case strings.ContainsAny(s, "\n\r\x00"):
		return "", exit.Errorf(exit.Usage, "it must hold the password in one line and nothing else", "%s holds more than one line", what)
	}
	return s, nil
}
