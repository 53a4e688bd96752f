package lint

import (
	"strconv"
	"strings"

	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// dump judges DUMP and PDUMP.
func (c *checker) dump(t *text, base int, cmd *oradebug.Command, at place) {
	d := cmd.Dump
	nameAt := at
	rest := base + cmd.RestColumn - 1
	if i := foldIndex(t.b[min(rest, len(t.b)):], strings.ToLower(d.Name)); i >= 0 && cmd.RestColumn > 0 {
		nameAt = t.at(rest + i)
		rest += i + len(d.Name)
	}
	switch d.Name {
	case "TRACE_BUFFER_ON":
		c.ringSize(nameAt, d.Level)
	case "ERRORSTACK":
		c.errorstackLevel(t, rest, d.Level)
	default:
		c.dumpName(nameAt, d.Name, d.Level)
	}
}

// dumpName judges a dump by its class and says whether it is one.
func (c *checker) dumpName(at place, name, level string) bool {
	d, ok := catalog.LookupDump(name)
	if !ok {
		return false
	}
	switch d.Class {
	case catalog.DumpDangerous:
		c.add("RT011", at, "%s is no mere dump: it changes state, corrupts or simulates a fault", d.Name)
	case catalog.DumpHeavy:
		if d.Name == "HEAPDUMP" && ownHeap(level) {
			break
		}
		c.add("RT012", at, "%s covers the whole instance or is very large", d.Name)
	case catalog.DumpOther:
		c.add("RT012", at, "what %s writes is not published; expect much", d.Name).as(Info)
	}
	if d.Name == "SQLNET_SERVER_TRACE" {
		c.add("RT052", at, "%s writes network payload to the trace file", d.Name)
	}
	return true
}

// ownHeap says that a heap dump level leaves the SGA out: bits 2 and 32 are
// the shared and the large pool (facts/oradebug.md 1.4).
func ownHeap(level string) bool {
	n, err := strconv.Atoi(level)
	return err == nil && n > 0 && n&(2|32) == 0
}
