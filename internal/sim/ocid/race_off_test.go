//go:build !race && cgo

package ocid

// raced says that the race detector is on.
const raced = false
