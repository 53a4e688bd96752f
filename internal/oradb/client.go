package oradb

import (
	"path/filepath"
	"strings"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// clientProblem recognises a missing or unusable client library: DPI-1047
// (not found), DPI-1049 (a symbol is missing), DPI-1050 (too old), DPI-1072
// (unusable). The number behind ORA- is 0 in all of them.
func (c *Config) clientProblem(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "DPI-1047"):
		return &exit.Error{
			Code: exit.ToolMissing, Message: "no Oracle client library was found (DPI-1047: " + quoted(text) + ")",
			Hint: c.clientHint(), Err: err,
		}
	case strings.Contains(text, "DPI-1050"), strings.Contains(text, "DPI-1049"), strings.Contains(text, "DPI-1072"):
		return &exit.Error{
			Code: exit.ToolMissing, Message: "the Oracle client library cannot be used (" + fromDPI(text) + ")",
			Hint: "put a client of " + MinClient + " or later first in LD_LIBRARY_PATH (19c clients reach 11.2 servers), or " + connect.WithoutDriver,
			Err:  err,
		}
	}
	return nil
}

// clientHint tells exactly how to make a client found, from what is there.
func (c *Config) clientHint() string {
	const other = "; or " + connect.WithoutDriver
	home, _ := c.LookupEnv("ORACLE_HOME")
	if dir, ok := c.homeLibrary(); ok {
		return "type: export LD_LIBRARY_PATH=" + dir + other
	}
	hint := ""
	if home != "" {
		hint = "ORACLE_HOME=" + home + " has no lib/libclntsh.so; "
	}
	return hint + "unpack Oracle Instant Client Basic (" + MinClient + " or later, with libaio) and type: " +
		"export LD_LIBRARY_PATH=/opt/oracle/instantclient_19_26 (its folder), " +
		"or for everybody: echo FOLDER > /etc/ld.so.conf.d/oracle.conf && ldconfig" + other
}

// homeLibrary returns $ORACLE_HOME/lib if a client library is in it.
func (c *Config) homeLibrary() (string, bool) {
	home, _ := c.LookupEnv("ORACLE_HOME")
	if home == "" || !filepath.IsAbs(home) {
		return "", false
	}
	dir := filepath.Join(home, "lib")
	return dir, c.Exists(filepath.Join(dir, "libclntsh.so"))
}

// Cure returns the LD_LIBRARY_PATH with which the program has to be started
// again when err says that the client library was not found although
// ORACLE_HOME holds one. The loader reads the variable at start only: setting
// it inside the program is no use, and loading the library by its full path
// fails on the libraries that it needs in turn.
func (c *Config) Cure(err error) (path string, ok bool) {
	if err == nil || !strings.Contains(err.Error(), "DPI-1047") {
		return "", false
	}
	dir, found := c.homeLibrary()
	if !found {
		return "", false
	}
	old, _ := c.LookupEnv("LD_LIBRARY_PATH")
	for _, have := range filepath.SplitList(old) {
		if have == dir {
			return "", false // it was searched already
		}
	}
	if old == "" {
		return dir, true
	}
	return dir + string(filepath.ListSeparator) + old, true
}

// quoted returns the loader's own words out of a DPI-1047 text.
func quoted(text string) string {
	if _, rest, ok := strings.Cut(text, `library: "`); ok {
		if inner, _, ok := strings.Cut(rest, `"`); ok {
			return inner
		}
	}
	return "client library"
}

// fromDPI cuts a text to its DPI part, one line.
func fromDPI(text string) string {
	if i := strings.Index(text, "DPI-"); i >= 0 {
		text = text[i:]
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}
