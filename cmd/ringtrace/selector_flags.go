package main

import (
	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// selectorFlags say which sessions are meant; sessions, generate, enable,
// watch, estimate, disable and flush share them.
func selectorFlags() []cli.Flag {
	text := func(name, what string) cli.Flag {
		return &cli.StringSliceFlag{Name: name, Usage: what + "; repeatable, ! before it excludes"}
	}
	return []cli.Flag{
		text("username", "sessions of database user `NAME`, in exactly these letters"),
		text("service", "sessions of service `NAME`"),
		text("program", "sessions of client program `NAME`"),
		text("module", "sessions with `MODULE`"),
		text("action", "sessions with `ACTION`"),
		text("client-id", "sessions with client identifier `ID`"),
		text("client-info", "sessions with client info `TEXT`"),
		text("machine", "sessions of client machine `NAME`"),
		text("osuser", "sessions of client operating-system user `NAME`"),
		text("sql-id", "sessions that run statement `SQL_ID` now"),
		text("pdb", "sessions in pluggable database `NAME`"),
		text("status", "sessions in `STATUS` ACTIVE, INACTIVE, CACHED or SNIPED"),
		text("inst", "sessions on instance `NUMBER`"),
		text("sid", "session `SID[,SERIAL#[,@INST]]`"),
		&cli.BoolFlag{Name: "all-app", Usage: "every application session"},
		&cli.BoolFlag{Name: "like", Usage: `take the values as patterns: % any text, _ one character, \% and \_ themselves`},
		&cli.BoolFlag{Name: "ignore-case", Usage: "compare without letter case"},
	}
}

// selectorOf reads selectorFlags.
func selectorOf(c *cli.Context) (*sessions.Selector, error) {
	s := &sessions.Selector{Like: c.Bool("like"), IgnoreCase: c.Bool("ignore-case"), AllApp: c.Bool("all-app")}
	for _, f := range sessions.Fields() {
		for _, v := range c.StringSlice(f.Flag()) {
			if err := s.Add(f, v); err != nil {
				return nil, err
			}
		}
	}
	for _, v := range c.StringSlice("inst") {
		if err := s.AddInst(v); err != nil {
			return nil, err
		}
	}
	for _, v := range c.StringSlice("sid") {
		if err := s.AddSID(v); err != nil {
			return nil, err
		}
	}
	return s, s.Normalize()
}

// requiredSelectorOf reads selectorFlags for a verb that must not act on every
// session by default.
func requiredSelectorOf(c *cli.Context) (*sessions.Selector, error) {
	s, err := selectorOf(c)
	if err == nil && s.IsZero() && !s.AllApp {
		err = exit.Errorf(exit.Usage, "give a selector such as --username APP or --service SALES, or --all-app for every application session",
			"%s needs a selector", c.Command.Name)
	}
	return s, err
}
