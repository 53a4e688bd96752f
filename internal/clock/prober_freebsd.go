package clock

import "golang.org/x/sys/unix"

// ThisHost returns the Prober of this system.
func ThisHost(Linux) Prober { return FreeBSD{Sysctl: unix.Sysctl} }
