package oradb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// Explain turns an error of the driver into what the user meets: an exit code
// and what to type. The text is the database's own first line; it never holds
// the connection parameters. An error that has a code already is kept.
func (c *Config) Explain(err error) error {
	if err == nil {
		return nil
	}
	var known *exit.Error
	if errors.As(err, &known) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if e := c.clientProblem(err); e != nil {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return exit.Errorf(exit.CannotConnect, connect.HintNetwork+", or give a longer --connect-timeout; "+connect.HintHung, "connect %s: no answer in time", c.Target)
	}
	number, text := oraError(err)
	code, hint, ok := connect.Fault(c.Target, number, c.LookupEnv)
	switch {
	case ok:
	case number == 0 && errors.Is(err, driver.ErrBadConn):
		code, hint, text = exit.CannotConnect, connect.HintLost, "the connection was lost"
	default:
		code = exit.Failed
	}
	if c.Target.Kind == connect.Local && (number == 12154 || number == 1017 || number == 12162 || number == 12560 || number == 1034 || number == 27101) {
		hint = connect.LocalHint(c.LookupEnv)
	}
	return &exit.Error{Code: code, Message: c.Target.String() + ": " + text, Hint: hint, Err: err}
}

var oraText = regexp.MustCompile(`\bORA-(\d{5}): ?([^\n]*)`)

// oraError returns the ORA number of an error and its first line. A driver's
// error is asked first, because the text around it may hold parameters; a
// number of 0 is a driver's own error (DPI-…).
func oraError(err error) (number int, text string) {
	var coded interface {
		Code() int
		Message() string
	}
	if errors.As(err, &coded) && (coded.Code() != 0 || coded.Message() != "") {
		line, _, _ := strings.Cut(coded.Message(), "\n")
		if coded.Code() == 0 {
			return 0, line
		}
		if strings.HasPrefix(line, "ORA-") {
			return coded.Code(), line
		}
		return coded.Code(), fmt.Sprintf("ORA-%05d: %s", coded.Code(), line)
	}
	if m := oraText.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n, strings.TrimSpace("ORA-" + m[1] + ": " + m[2])
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return 0, line
}
