package collect_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"
	"time"

	"ringtrace/internal/collect"
)

// startSshd starts a server on the loopback with keys of its own, for the time
// of the test.
func startSshd(t *testing.T, sshd string) collect.Source {
	t.Helper()
	dir := t.TempDir()
	key := func(name string) string {
		p := filepath.Join(dir, name)
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", p).CombinedOutput()
		if err != nil {
			t.Fatalf("ssh-keygen: %v %s", err, out)
		}
		return p
	}
	host, mine := key("host"), key("mine")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	must(t, l.Close())
	config := filepath.Join(dir, "sshd_config")
	must(t, os.WriteFile(config, []byte(fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %s\nAuthorizedKeysFile %s.pub\nStrictModes no\nPidFile none\nPermitRootLogin yes\nUsePAM no\n", port, host, mine)), 0o600))
	cmd := exec.Command(sshd, "-D", "-e", "-f", config)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 100 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	me, err := user.Current()
	must(t, err)
	control, err := os.MkdirTemp("", "rt")
	must(t, err)
	s := &collect.SSH{
		Host: me.Username + "@127.0.0.1", Environ: os.Environ(), Control: control,
		Options: []string{"-F", "none", "-p", fmt.Sprint(port), "-i", mine, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"},
	}
	t.Cleanup(func() {
		_ = s.Hangup()
		_ = os.RemoveAll(control)
	})
	return s
}
