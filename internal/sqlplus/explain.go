package sqlplus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// explainStart turns the death of a child that never answered into what to do
// about it. said is what it printed.
func (o *Options) explainStart(err error, said, stderr []string) error {
	text := strings.Join(append(append([]string{}, said...), stderr...), "\n")
	home := filepath.Dir(filepath.Dir(o.Program))
	switch {
	case asCanceled(err):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC):
		return exit.Errorf(exit.ToolMissing, "give --sqlplus FILE of a program that you may run", "start sqlplus %s: %w", o.Program, err)
	case strings.Contains(text, "libsqlplus"), strings.Contains(text, "error while loading shared libraries"), strings.Contains(text, "Error 46 initializing"):
		// facts/views-and-sqlplus.md 3.3
		return exit.Errorf(exit.ToolMissing, "type: export LD_LIBRARY_PATH="+filepath.Join(home, "lib")+" (the home or Instant Client that this sqlplus belongs to)",
			"sqlplus %s does not find its libraries: %s", o.Program, firstLine(text))
	case strings.Contains(text, "SP2-0667"), strings.Contains(text, "SP2-0750"), strings.Contains(text, "Error 6 initializing"):
		seen, _ := o.lookup("ORACLE_HOME")
		if seen == "" {
			seen = "not set"
		}
		return exit.Errorf(exit.ToolMissing, "type: export ORACLE_HOME="+home+" (ORACLE_HOME is "+seen+"; it must be the home that this sqlplus belongs to)",
			"sqlplus %s does not find its message files: %s", o.Program, firstLine(text))
	case errors.Is(err, ErrTimedOut):
		return exit.Errorf(exit.ToolMissing, "start it by hand: "+o.Program+" -S -L /nolog, and look what it waits for (glogin.sql?); or give a longer --connect-timeout",
			"sqlplus %s does not answer: %w", o.Program, err)
	}
	// Other error lines are what a glogin.sql printed: it has no connection yet.
	if e := underHeader(said); e != nil && e.Code() != 0 {
		return o.explainOracle(e)
	}
	message := fmt.Sprintf("sqlplus %s does not work: %v", o.Program, err)
	if text != "" && !strings.Contains(message, firstLine(text)) {
		message += " (it printed: " + firstLine(text) + ")"
	}
	return &exit.Error{Code: exit.ToolMissing, Message: message, Hint: "start it by hand: " + o.Program + " -S -L /nolog; or give --sqlplus FILE", Err: err}
}

func (o *Options) explainOracle(e *OracleError) error {
	code, hint, ok := connect.Fault(o.Target, e.Code(), o.lookup)
	if !ok {
		code = exit.CannotConnect
		hint = "look the number up, and try it by hand: sqlplus /nolog, then connect " + o.Target.String()
	}
	switch {
	case e.Code() == 20: // no process for SYSDBA either
		hint = "wait, or have sessions ended: the instance has no process left; " + connect.HintHung
	case o.Target.Kind == connect.Local && code == exit.CannotConnect:
		hint = "ORACLE_SID and ORACLE_HOME must name the instance and its home, exactly as in /etc/oratab, and it must be up: ps -ef | grep pmon (seen: " +
			connect.Variables(o.lookup) + ")"
	}
	return &exit.Error{Code: code, Message: o.Target.String() + ": " + o.hide(e.Text), Hint: hint, Err: e}
}

// hide takes the password out of a text that goes to the user.
func (o *Options) hide(s string) string {
	if o.Password == "" {
		return s
	}
	return strings.ReplaceAll(s, o.Password, masked)
}

func firstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			return printable(l)
		}
	}
	return ""
}
