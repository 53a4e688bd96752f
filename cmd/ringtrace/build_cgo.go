//go:build cgo

package main

// cgoBuild tells whether the godror door is built in.
const cgoBuild = true
