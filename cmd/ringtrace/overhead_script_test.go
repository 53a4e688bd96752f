package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdTracecounts demands that the lines and bytes that a measurement told of
// its file state are in the trace files of an instance, less what stands around
// the workload; and that the null state wrote no trace file and a .trm.
//
//	tracecounts FILE DIR
func cmdTracecounts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tracecounts FILE DIR")
	}
	var doc struct {
		Tests []struct {
			Name   string
			K      int64
			Rounds int64
			States []struct {
				State string
				Lines *int64
				Bytes *int64
			}
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	var told, toldBytes int64
	for _, t := range doc.Tests {
		for _, s := range t.States {
			if s.Lines == nil || s.Bytes == nil {
				ts.Fatalf("%s, %s: no lines", t.Name, s.State)
			}
			switch {
			case s.State == "file" && *s.Lines < t.Rounds*t.K && strings.HasPrefix(t.Name, "short"):
				ts.Fatalf("%s: %d lines of %d executions", t.Name, *s.Lines, t.Rounds*t.K)
			case s.State == "file":
				told, toldBytes = told+*s.Lines, toldBytes+*s.Bytes
			}
		}
	}
	var lines, size, files, maps int64
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.Contains(path, "_RTOVH") {
			return err
		}
		switch filepath.Ext(path) {
		case ".trm":
			maps++
		case ".trc":
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files, lines, size = files+1, lines+int64(bytes.Count(data, []byte("\n"))), size+int64(len(data))
		}
		return nil
	}))
	// Each of warm-up and rounds makes a file for file and one for buffered.
	if want := int64(2 * 3 * len(doc.Tests)); files != want || maps < want {
		ts.Fatalf("%d trace files and %d maps, want %d and at least as many", files, maps, want)
	}
	if !(told > 0 && told < lines && toldBytes < size) {
		ts.Fatalf("told %d lines, %d bytes; the files have %d, %d", told, toldBytes, lines, size)
	}
}
