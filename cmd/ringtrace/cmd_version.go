package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
)

// buildInfo is the document of `version -o json`.
type buildInfo struct {
	Version  string  `json:"version"`
	Revision *string `json:"revision"`
	Time     *string `json:"time"`
	Modified *bool   `json:"modified"`
	Go       string  `json:"go"`
	OS       string  `json:"os"`
	Arch     string  `json:"arch"`
	Cgo      bool    `json:"cgo"`
}

func newVersionCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:        "version",
		Usage:       "print version and build",
		Description: "Example:\n\n    ringtrace version -o json",
		Action: func(*cli.Context) error {
			if err := rt.wantOutput("version", outputText, outputJSON); err != nil {
				return err
			}
			b := readBuildInfo()
			if rt.output == outputJSON {
				return rt.printJSON(b)
			}
			_, err := fmt.Fprintf(rt.stdout, "ringtrace %s\n", b)
			return err
		},
	}, exit.OK, exit.Usage)
}

func readBuildInfo() buildInfo {
	b := buildInfo{Version: version(), Go: goruntime.Version(), OS: goruntime.GOOS, Arch: goruntime.GOARCH, Cgo: cgoBuild}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = &s.Value
		case "vcs.time":
			b.Time = &s.Value
		case "vcs.modified":
			m := s.Value == "true"
			b.Modified = &m
		}
	}
	return b
}

// version is the module version as the Go tool stamped it; "devel" for a
// build from a working copy without a tag.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func (b buildInfo) String() string {
	s := b.Version
	if b.Revision != nil {
		s += " (" + (*b.Revision)[:min(12, len(*b.Revision))]
		if b.Modified != nil && *b.Modified {
			s += ", modified"
		}
		s += ")"
	}
	cgo := "without cgo"
	if b.Cgo {
		cgo = "with cgo"
	}
	return fmt.Sprintf("%s, %s %s/%s, %s", s, b.Go, b.OS, b.Arch, cgo)
}
