package sqlplusd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ringtrace/internal/sim/fault"
)

// Args is a parsed sqlplus command line.
type Args struct {
	Silent, Once, Version, NoLog bool
	Logon                        string // "" without one
	Script                       string // `file arg …` behind @
	Unknown                      string // an option that sqlplus does not know
}

// ParseArgs reads sqlplus' own arguments.
func ParseArgs(argv []string) Args {
	var a Args
	var logonWords []string
	for i := 0; i < len(argv); i++ {
		w := argv[i]
		switch up := strings.ToUpper(w); {
		case strings.HasPrefix(w, "@"):
			a.Script = strings.TrimPrefix(strings.Join(argv[i:], " "), "@")
			i = len(argv)
		case up == "-S" || up == "-SILENT":
			a.Silent = true
		case up == "-L" || up == "-LOGON":
			a.Once = true
		case up == "-V" || up == "-VERSION":
			a.Version = true
		case up == "-F" || up == "-FAST" || up == "-NOLOGINTIME" || up == "-AC":
		case up == "-R" || up == "-RESTRICT" || up == "-M" || up == "-MARKUP" || up == "-C":
			i++
		case up == "/NOLOG":
			a.NoLog = true
		case strings.HasPrefix(w, "-"):
			a.Unknown = w
		default:
			logonWords = append(logonWords, w)
		}
	}
	a.Logon = strings.Join(logonWords, " ")
	return a
}

// Main runs sqlplus with its arguments and returns the exit code.
func Main(ctx context.Context, c Config, argv []string) (int, error) {
	in := New(c)
	a := ParseArgs(argv)
	r := c.DB.Release
	if _, on := c.DB.Faults.Get(fault.SqlplusNoStart); on {
		in.out.println("Error 6 initializing SQL*Plus\nSP2-0667: Message file sp1<lang>.msb not found\nSP2-0750: You may need to set ORACLE_HOME to your Oracle software directory")
		return 1, in.out.flush()
	}
	if _, on := c.DB.Faults.Get(fault.SqlplusSplit); on {
		in.out.split = true
	}
	if a.Unknown != "" {
		in.out.println("SP2-0306: Invalid option.")
		return 1, in.out.flush()
	}
	if a.Version || !a.Silent {
		in.out.println(fmt.Sprintf("\nSQL*Plus: Release %s - Production%s", r.Version, map[bool]string{true: "", false: " on " + c.DB.Now().Format("Mon Jan 2 15:04:05 2006")}[a.Version]))
		if r.Rank >= 4 {
			in.out.println("Version " + r.Full)
		}
		in.out.println("")
		if a.Version {
			return 0, in.out.flush()
		}
		in.out.println("Copyright (c) 1982, Oracle.  All rights reserved.\n")
	}
	in.silent = a.Silent
	if a.Silent {
		in.set["SQLPROMPT"] = ""
	}
	defer in.drop()
	if code, done := in.first(ctx, a); done {
		return code, in.out.flush()
	}
	if a.Script != "" {
		in.start(a.Script, false)
	}
	if err := in.out.flush(); err != nil {
		return 1, err
	}
	err := in.loop(ctx)
	if err == nil && !a.Silent && in.conn != nil {
		in.out.println("Disconnected from " + r.Banner)
		if r.Rank >= 4 {
			in.out.println("Version " + r.Full)
		}
	}
	return in.finish(err)
}

func (in *Interp) finish(err error) (int, error) {
	spool := in.spoolOff()
	switch {
	case errors.Is(err, errQuit):
		return 139, nil
	case err != nil:
		return 1, err
	}
	if ferr := in.out.flush(); ferr != nil {
		return 1, ferr
	}
	if in.exit != nil {
		return *in.exit, spool
	}
	return 0, spool
}

// first logs on as the command line says. done means that sqlplus ends here.
func (in *Interp) first(ctx context.Context, a Args) (code int, done bool) {
	if a.NoLog {
		return 0, false
	}
	l := parseLogon(a.Logon)
	for try := 1; ; try++ {
		if l.user == "" && !l.slash {
			in.out.prompt("Enter user-name: ")
			line, ok := in.base.read()
			if !ok {
				return 1, true
			}
			l = parseLogon(line)
		}
		if !l.slash && !l.hasPassword {
			in.out.prompt("Enter password: ")
			l.password, _ = in.base.read()
		}
		err := in.logon(l)
		if err == nil {
			break
		}
		in.out.println("ERROR:")
		in.out.println(err.Error())
		in.out.println("")
		in.out.println("")
		if a.Once { // facts/views-and-sqlplus.md 3.3, two blanks
			in.out.println("SP2-0751: Unable to connect to Oracle.  Exiting SQL*Plus")
			return 1, true
		}
		if try == 3 {
			in.out.println("SP2-0157: unable to CONNECT to ORACLE after 3 attempts, exiting SQL*Plus")
			return 1, true
		}
		l = logon{}
	}
	if !a.Silent {
		in.out.println("\nConnected to:\n" + in.c.DB.Release.Banner)
		if in.c.DB.Release.Rank >= 4 {
			in.out.println("Version " + in.c.DB.Release.Full)
		}
		in.out.println("")
	}
	if err := in.loginScripts(ctx); err != nil {
		return 1, true
	}
	return 0, false
}

// Rehearse runs one script on a session that is connected as SYSDBA, and
// returns the exit code.
func Rehearse(ctx context.Context, c Config, script string) (int, error) {
	in := New(c)
	in.silent = true
	in.set["SQLPROMPT"] = ""
	defer in.drop()
	who := logon{slash: true, role: "SYSDBA"}
	if c.DB.Threaded { // the operating system's word does not count there
		who = logon{user: "SYS", password: c.DB.Password, hasPassword: true, role: "SYSDBA"}
	}
	if err := in.logon(who); err != nil {
		return 1, err
	}
	in.start(`"`+script+`"`, false)
	if len(in.sources) < 2 {
		return 1, fmt.Errorf("%s cannot be read", script)
	}
	return in.finish(in.loop(ctx))
}

// sleepFor is Config.Sleep in real time.
func sleepFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RealSleep is a Config.Sleep that waits.
func RealSleep() func(context.Context, time.Duration) error { return sleepFor }
