//go:build !unix

package daemon

import "os/exec"

// supported says that this system can run the server in the background.
const supported = false

func detach(*exec.Cmd) {}

func alive(int) bool { return false }
