//go:build !linux

package main

import (
	"io/fs"
	"time"
)

func processCPU() (time.Duration, bool)      { return 0, false }
func serverCPU(uint32) (time.Duration, bool) { return 0, false }
func ownerIsUs(fs.FileInfo) bool             { return false }
