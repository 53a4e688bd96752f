// Package clock measures what reading the clock costs on this host: what
// PostgreSQL's pg_test_timing does, with the median first.
//
// The loop reads the clock as fast as it can and keeps the differences. On
// Linux on amd64 it calls the kernel's vDSO through a few lines of assembly,
// as C programs (and Oracle, facts/clock-and-overhead.md C) do; elsewhere it
// calls the Go runtime's clock, whose extra cost is printed as a bias. The
// headline is the interpolated median: on a busy host the average holds the
// time that other processes ran (facts/clock-and-overhead.md 0 and B).
//
// Nothing here changes the clock source; advice names commands.
package clock
