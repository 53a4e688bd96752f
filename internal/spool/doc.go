// Package spool writes a plan as files: one enable, one disable and one collect
// script for every part, and manifest.json; all of them or none.
package spool
