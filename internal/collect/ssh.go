package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"time"
)

// SSH reads files of another host with the user's own OpenSSH client: its
// configuration, keys and agent. It handles no password; one connection is
// shared by all files (ControlMaster).
type SSH struct {
	Host    string   // as the user would give it to ssh
	Program string   // "ssh" if empty
	Options []string // before the host
	Environ []string // of the child
	Control string   // a short private folder for the shared connection; empty: none

	down      error // it could not be reached: not tried again for every file
	noArchive bool  // its tar sends what we cannot read
}

// Down says why the host could not be reached; nil: it was, or was not tried.
func (s *SSH) Down() error { return s.down }

// sshFailed is the exit code of ssh itself.
const sshFailed = 255

// failed makes an error of what ssh said, and remembers that the host cannot be
// reached: each try can take ConnectTimeout.
func (s *SSH) failed(err error, said string) error {
	text := firstLine(strings.TrimSpace(said))
	text = strings.TrimPrefix(text, "ssh: ")
	var x *exec.ExitError
	ended := errors.As(err, &x) // a quiet ssh says nothing
	if text == "" || !ended {
		err = fmt.Errorf("ssh failed: %w", err)
	} else {
		err = errors.New(text)
	}
	if ended && x.ExitCode() == sshFailed {
		s.down = err
	}
	return err
}

// Name implements Source.
func (s *SSH) Name() string { return "ssh " + s.Host }

// Direct implements Source.
func (s *SSH) Direct() bool { return false }

// CheckHost refuses what ssh would take for an option.
func CheckHost(host string) error {
	if host == "" || strings.HasPrefix(host, "-") || strings.ContainsAny(host, " \t\r\n\x00'\"") {
		return fmt.Errorf("%q is no host name", host)
	}
	return nil
}

func (s *SSH) command(ctx context.Context, script string) *exec.Cmd {
	program := s.Program
	if program == "" {
		program = "ssh"
	}
	args := append([]string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20"}, s.Options...)
	if s.Control != "" {
		args = append(args, "-o", "ControlMaster=auto", "-o", "ControlPersist=30", "-o", "ControlPath="+s.Control+"/%C")
	}
	// The remote login shell may be any; sh reads what we mean.
	cmd := exec.CommandContext(ctx, program, append(args, "--", s.Host, "sh -c "+quote(script))...)
	cmd.Env = s.Environ
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// quote makes one word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// What the remote scripts end with.
const (
	sshMissing = 44
	sshDenied  = 45
	sshSpecial = 46
	sshEscapes = 47
)

// guarded is what an exit code of guard stands for; nil: of something else.
func guarded(code int) error {
	switch code {
	case sshMissing:
		return fs.ErrNotExist
	case sshDenied:
		return fs.ErrPermission
	case sshSpecial:
		return ErrNotRegular
	case sshEscapes:
		return ErrEscapes
	}
	return nil
}

// guard checks a file the way Local does: it exists, is regular and readable,
// and lies in its ADR home whatever links are on the way. It sets z, m and i: size,
// modification time and inode.
func guard(name string) string {
	home, rest := adrHome(name)
	return "export LC_ALL=C; h=" + quote(home) + "; f=" + quote(home+"/"+rest) + `
[ -e "$f" ] || { d=$(dirname -- "$f"); [ -x "$d" ] || [ ! -e "$d" ] || exit 45; exit 44; }
[ -f "$f" ] || exit 46
r=$(cd -P -- "$h" && pwd -P) || exit 45
d=$(cd -P -- "$(dirname -- "$f")" && pwd -P) || exit 45
case "$d/" in "$r"/*) ;; *) exit 47 ;; esac
[ ! -h "$f" ] || exit 47
[ -r "$f" ] || exit 45
m=$(stat -c %Y -- "$f" 2>/dev/null || echo 0)
i=$(ls -di -- "$f" | awk 'NR==1{print $1}')
z=$(wc -c <"$f" | tr -d ' ')
`
}

// Open implements Source.
func (s *SSH) Open(ctx context.Context, inst int, name string, offset int64) (File, error) {
	if s.down != nil {
		return nil, s.down
	}
	cmd := s.command(ctx, guard(name)+s.sparse()+transfer(offset))
	var said bytes.Buffer
	cmd.Stderr = &limitedBuffer{&said}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start ssh: %w", err)
	}
	f := &sshFile{cmd: cmd, out: out, data: out, said: &said, host: s.Host, src: s}
	line, err := readLine(out)
	if err != nil {
		if cerr := f.wait(name); cerr != nil {
			return nil, cerr
		}
		return nil, fmt.Errorf("ssh %s: it answered nothing", s.Host)
	}
	var size, modified int64
	var inode, how string
	if _, err := fmt.Sscanf(line, "%d %d %s %s", &size, &modified, &inode, &how); err != nil {
		_ = f.Close() // what it said instead is the error
		return nil, fmt.Errorf("ssh %s: %q was not expected (does the login shell print something?)", s.Host, line)
	}
	f.info = Info{Path: name, Size: size, ID: s.Host + ":" + inode}
	if modified > 0 {
		f.info.Modified = time.Unix(modified, 0).UTC()
	}
	f.left = size - offset
	if how == inArchive {
		if err := f.unpack(offset); err != nil {
			_ = f.Close() // what came is of no use
			if ctx.Err() != nil || s.noArchive {
				return nil, err
			}
			s.noArchive = true // once more, zeros and all
			return s.Open(ctx, inst, name, offset)
		}
	}
	return f, nil
}

func readLine(r io.Reader) (string, error) {
	var line []byte
	b := make([]byte, 1)
	for len(line) < 512 {
		if _, err := io.ReadFull(r, b); err != nil {
			return "", err
		}
		if b[0] == '\n' {
			return string(line), nil
		}
		line = append(line, b[0])
	}
	return string(line), nil
}

type sshFile struct {
	cmd  *exec.Cmd
	out  io.Reader // what comes
	data io.Reader // the file in it
	said *bytes.Buffer
	host string
	src  *SSH
	info Info
	left int64 // bytes of the announced size
	over bool
}

func (f *sshFile) Info() Info { return f.info }

// Read gives the file up to the size that was announced. A connection that
// breaks is an error, never the end of the file.
func (f *sshFile) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, f.checked()
	}
	n, err := f.data.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	if errors.Is(err, io.EOF) && f.left > 0 {
		if werr := f.wait(f.info.Path); werr != nil {
			return n, werr
		}
		return n, fmt.Errorf("%d bytes before its end: %w", f.left, io.ErrUnexpectedEOF)
	}
	if errors.Is(err, io.EOF) {
		err = f.checked()
	}
	return n, err
}

func (f *sshFile) wait(name string) error {
	if f.over {
		return nil
	}
	f.over = true
	err := f.cmd.Wait()
	var x *exec.ExitError
	if !errors.As(err, &x) {
		return err
	}
	if kind := guarded(x.ExitCode()); kind != nil {
		return fmt.Errorf("%s on %s: %w", name, f.host, kind)
	}
	if f.info.Path != "" { // in the middle: the next file may get through
		return fmt.Errorf("ssh ended: %w: %s", err, firstLine(strings.TrimSpace(f.said.String())))
	}
	return f.src.failed(err, f.said.String())
}

// Close ends the transfer, also in the middle.
func (f *sshFile) Close() error {
	if f.over {
		return nil
	}
	if f.left > 0 {
		_ = f.cmd.Process.Kill() // it would wait for us to read on
	}
	_, _ = io.Copy(io.Discard, f.out) // what the file grew meanwhile
	f.over = true
	_ = f.cmd.Wait() // every announced byte was read, or nobody wants them
	return nil
}

// limitedBuffer keeps the beginning of what ssh says.
type limitedBuffer struct{ b *bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := 4096 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// List implements Source.
func (s *SSH) List(ctx context.Context, _ int, dir, prefix string) ([]Info, error) {
	if s.down != nil {
		return nil, s.down
	}
	script := "export LC_ALL=C; cd -- " + quote(dir) + ` 2>/dev/null || { [ -e ` + quote(dir) + ` ] && exit 45; exit 0; }
for f in ` + quote(prefix) + `*; do [ -f "$f" ] && [ ! -h "$f" ] || continue
i=$(ls -di -- "./$f" | awk 'NR==1{print $1}')
printf '%s %s\0' "$i" "$f"; done`
	cmd := s.command(ctx, script)
	var said bytes.Buffer
	cmd.Stderr = &limitedBuffer{&said}
	out, err := cmd.Output()
	if err != nil {
		var x *exec.ExitError
		if errors.As(err, &x) && x.ExitCode() == sshDenied {
			return nil, fmt.Errorf("%s on %s: %w", dir, s.Host, fs.ErrPermission)
		}
		return nil, s.failed(err, said.String())
	}
	var list []Info
	for _, e := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if inode, name, ok := strings.Cut(e, " "); ok {
			list = append(list, Info{Path: dir + "/" + name, Size: -1, ID: s.Host + ":" + inode})
		}
	}
	return list, nil
}

// Hangup ends the shared connection.
func (s *SSH) Hangup() error {
	if s.Control == "" {
		return nil
	}
	program := s.Program
	if program == "" {
		program = "ssh"
	}
	args := append(append([]string{}, s.Options...), "-o", "ControlPath="+s.Control+"/%C", "-O", "exit", "--", s.Host)
	cmd := exec.Command(program, args...)
	cmd.Env = s.Environ
	return cmd.Run() // no connection is left: nothing to end
}
