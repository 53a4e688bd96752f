//go:build race && cgo

package ocid

// raced says that the race detector is on, which does not go together with
// the address sanitizer.
const raced = true
