package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
	"ringtrace/internal/exit"
)

func newConfigCommand(rt *runtime) *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "show settings and where they come from, check the config file",
		Description: "A flag beats its environment variable, the variable beats the config file, the\n" +
			"file beats the default. The file is TOML: global flags at the top, those of a\n" +
			"verb in a table of its name; it holds no passwords.\n\n" +
			"Example:\n\n    ringtrace config show generate",
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:      "show",
				Usage:     "print the effective settings and where each comes from",
				ArgsUsage: "[VERB [SUBCOMMAND]]",
				Description: "Without VERB: the global flags, and whatever the environment or the config\n" +
					"file sets for any verb.\n\n" +
					"Example:\n\n    ringtrace config show generate\n    RINGTRACE_OUTPUT=json ringtrace config show --all",
				Flags:  []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "print every flag of every verb"}},
				Action: rt.configShow,
			}, exit.OK),
			exits(&cli.Command{
				Name:        "path",
				Usage:       "print the path of the config file",
				Description: "The file need not exist.\n\nExample:\n\n    ringtrace config path",
				Action:      rt.configPathAction,
			}, exit.OK),
			exits(&cli.Command{
				Name:        "check",
				Usage:       "tell every mistake in the config file and the environment",
				Description: "Example:\n\n    ringtrace config check --config new.toml",
				Action:      rt.configCheck,
			}, exit.OK),
		},
	}
}

// settingRow is one element of `config show -o json`; Value is null where a
// flag has no value.
type settingRow struct {
	Name   string  `json:"name"`
	Env    string  `json:"env"`
	Value  *string `json:"value"`
	Source string  `json:"source"`
	Origin string  `json:"origin"`
}

func (rt *runtime) configShow(c *cli.Context) error {
	if err := rt.wantOutput("config show", outputText, outputJSON); err != nil {
		return err
	}
	for _, problem := range rt.settingProblems {
		rt.warnf("%v", problem)
	}
	path, known := rt.settler.tree.lookup(c.Args().Slice())
	if !known {
		return exit.Errorf(exit.Usage, "`ringtrace --help` lists the verbs", "unknown verb %q", strings.Join(c.Args().Slice(), " "))
	}
	rows := rt.settingRows(path, c.Bool("all"))
	if rt.output == outputJSON {
		return rt.printJSON(struct {
			Config   string       `json:"config"`
			Settings []settingRow `json:"settings"`
		}{rt.settler.confFile, rows})
	}
	w := tabwriter.NewWriter(rt.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tVALUE\tSOURCE")
	for _, r := range rows {
		value, from := "-", r.Source
		if r.Value != nil {
			value = printable(strings.ReplaceAll(*r.Value, "\n", " | "))
		}
		if r.Origin != "" {
			from = printable(r.Origin)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Name, value, from)
	}
	return w.Flush()
}

// settingRows lists the settings that `config show` prints: the global ones,
// and those of the verb at path; for the root, those that somebody set.
func (rt *runtime) settingRows(path []*argv.Command, all bool) []settingRow {
	s := rt.settler
	rows := []settingRow{}
	for _, this := range rt.settings {
		if len(this.path) == 1 {
			rows = append(rows, s.row(this))
		}
	}
	for _, at := range s.tree.paths()[1:] {
		if len(path) > 1 && !within(path, at) {
			continue
		}
		settings, _, _ := s.level(at, nil) // problems were told by the run itself or by check
		for _, this := range settings {
			if all || len(path) > 1 || this.source != fromDefault {
				rows = append(rows, s.row(this))
			}
		}
	}
	return rows
}

// within reports that at leads to path or is path.
func within(path, at []*argv.Command) bool {
	if len(at) > len(path) {
		return false
	}
	for i, c := range at {
		if path[i] != c {
			return false
		}
	}
	return true
}

func (s *settler) row(this setting) settingRow {
	r := settingRow{
		Name: dotted(this.path, this.spec), Env: envName(this.path, this.spec.Name()),
		Source: this.source.String(), Origin: this.origin,
	}
	values := this.values
	if this.source == fromDefault {
		if doc, ok := s.scratchFlag(this).(cli.DocGenerationFlag); ok {
			if d := defaultValue(doc); d != "" {
				values = []string{d}
			}
		}
	}
	if len(values) > 0 {
		text := strings.Join(values, "\n")
		if this.spec.Name() == "connect" {
			text = maskConnect(text)
		}
		r.Value = &text
	}
	return r
}

// defaultValue prints a default as one would write it.
func defaultValue(f cli.DocGenerationFlag) string {
	if b, ok := f.(onOff); ok {
		return fmt.Sprint(b.Value)
	}
	return strings.Trim(f.GetDefaultText(), `"`)
}

func (rt *runtime) configPathAction(*cli.Context) error {
	if err := rt.wantOutput("config path", outputText, outputJSON); err != nil {
		return err
	}
	path := rt.settler.confFile
	if path == "" {
		return exit.Errorf(exit.Usage, "give --config FILE, or set HOME", "no place for a config file: neither --config, XDG_CONFIG_HOME nor HOME is set")
	}
	if rt.output == outputJSON {
		return rt.printJSON(map[string]string{"path": path})
	}
	_, err := io.WriteString(rt.stdout, path+"\n")
	return err
}

// configCheck tells all mistakes of the file and of the environment, for any
// verb.
func (rt *runtime) configCheck(*cli.Context) error {
	if err := rt.wantOutput("config check", outputText, outputJSON); err != nil {
		return err
	}
	problems := rt.allSettingProblems()
	if rt.output == outputJSON {
		list := []jsonProblem{}
		for _, p := range problems {
			list = append(list, jsonProblem{p.Error(), exit.HintOf(p)})
		}
		if err := rt.printJSON(map[string]any{"config": rt.settler.confFile, "problems": list}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintf(rt.stdout, "%s\n", printable(p.Error()))
			if hint := exit.HintOf(p); hint != "" {
				fmt.Fprintf(rt.stdout, "    %s\n", printable(hint))
			}
		}
	}
	if len(problems) > 0 {
		return exit.Errorf(exit.Usage, "", "%d wrong in the config file or the environment", len(problems))
	}
	rt.notef("nothing wrong in %s and the environment", rt.settler.confFile)
	return nil
}

type jsonProblem struct {
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// allSettingProblems are the problems of this run, and those that another
// verb would meet in the environment.
func (rt *runtime) allSettingProblems() []error {
	problems := rt.settingProblems
	seen := map[string]bool{}
	for _, p := range problems {
		seen[p.Error()] = true
	}
	for _, at := range rt.settler.tree.paths() {
		_, more, _ := rt.settler.level(at, nil)
		for _, p := range more {
			if !seen[p.Error()] {
				seen[p.Error()] = true
				problems = append(problems, p)
			}
		}
	}
	return problems
}
