//go:build unix

package daemon

import (
	"os/exec"
	"syscall"
)

// supported says that this system can run the server in the background.
const supported = true

// detach gives the server a session of its own, so that nothing of the
// caller's terminal reaches it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// alive says whether a process is there.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
