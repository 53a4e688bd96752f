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
	// Debian's sshd wants this empty folder, which its service makes at boot.
	if err := os.Mkdir("/run/sshd", 0o755); err == nil {
		t.Cleanup(func() { _ = os.Remove("/run/sshd") })
	}
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			break
		}
		if time.Since(start) > 10*time.Second {
			t.Skipf("SKIPPED (1): sshd does not start here: %v", err)
		}
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
