package sqlplus

import (
	"errors"
	"slices"
	"strings"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// connected is what is known of the session when a logon did not work out.
type connected int

const (
	unknown connected = iota // not asked, or not understood
	no                       // a statement got SP2-0640 or ORA-01012
	yes                      // a statement was refused by the database
)

// attempt is a logon that did not work out. glogin.sql and login.sql run at
// start and after every CONNECT (facts/views-and-sqlplus.md 3.3) and may print
// error lines of their own: a notice about ORA-01578, a file that SP2-0310 does
// not find. None of them is the reason why there is no session.
type attempt struct {
	banner []string // printed at start, before there was a CONNECT
	answer []string // CONNECT's, and behind it that of the login scripts
	probed []string // what the first statement afterwards got
	on     connected
}

// probe notes what the first statement got.
func (a *attempt) probe(lines []string) {
	a.probed = lines
	switch e := FindError(lines); {
	case e == nil: // not understood
	case e.Code() == 1012:
		a.on = no
	default:
		a.on = yes
	}
}

// header stands above an error of CONNECT's own (facts/views-and-sqlplus.md
// 3.3); that of a statement in a login script is `ERROR at line 1:` (3.4).
const header = "ERROR:"

// isDone recognises that CONNECT has made a connection.
func isDone(line string) bool {
	line = strings.TrimSpace(line)
	return line == "Connected." || line == "Connected to an idle instance."
}

// made tells that CONNECT made a connection, which may be gone meanwhile, and
// the lines that the login scripts printed then. Of errors above it only those
// about a password that is going to expire leave a session.
func (a *attempt) made() (login []string, ok bool) {
	i := slices.IndexFunc(a.answer, isDone)
	if i < 0 {
		return nil, false
	}
	if e := FindError(a.answer[:i]); e != nil && e.Code() != 28002 && e.Code() != 28011 {
		return nil, false
	}
	return a.answer[i+1:], true
}

// cause is the error that kept the session from being, nil for none that is
// known.
func (a *attempt) cause() *OracleError {
	if a.on == yes {
		return FindError(a.probed)
	}
	if _, ok := a.made(); ok {
		return nil
	}
	if e := underHeader(a.answer); e != nil {
		return e
	}
	own := slices.DeleteFunc(slices.Clone(a.answer), func(l string) bool { return slices.Contains(a.banner, l) })
	if e := FindError(own); e != nil {
		return e
	}
	return FindError(a.probed)
}

// underHeader is the first error below the line that announces one.
func underHeader(lines []string) *OracleError {
	i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == header })
	if i < 0 {
		return nil
	}
	return FindError(lines[i+1:])
}

// explainConnect says why there is no session: err is the conversation's, or
// nil.
func (o *Options) explainConnect(err error, a *attempt) error {
	found := a.cause()
	login, made := a.made()
	target := o.Target.String()
	byHand := "try it by hand: sqlplus /nolog, then connect " + target
	switch {
	case asCanceled(err):
		return err
	case found != nil && found.Code() != 0:
		return o.explainOracle(found)
	case errors.Is(err, ErrTimedOut) && made:
		return exit.Errorf(exit.CannotConnect, byHand+", and look what glogin.sql and login.sql wait for; or give a longer --connect-timeout",
			"connect %s: it was connected, and then glogin.sql or login.sql did not end within %v: %w", target, o.ConnectTimeout, err)
	case errors.Is(err, ErrTimedOut):
		hint := "check the network path (tnsping), and the instance; or give a longer --connect-timeout"
		if o.Target.Kind == connect.Local { // there is no network in between
			hint = "see whether the instance works: its alert log, ps -ef | grep pmon; or give a longer --connect-timeout"
		}
		return exit.Errorf(exit.CannotConnect, hint+"; "+connect.HintHung, "connect %s: not done within %v: %w", target, o.ConnectTimeout, err)
	case err != nil:
		return exit.Errorf(exit.CannotConnect, byHand, "connect %s: %w", target, err)
	case found != nil:
		return &exit.Error{Code: exit.CannotConnect, Message: target + ": " + o.hide(found.Text), Err: found, Hint: byHand}
	case made && a.on == no:
		said := firstLine(o.hide(strings.Join(login, "\n")))
		if said == "" {
			said = "nothing"
		}
		return exit.Errorf(exit.CannotConnect, byHand+", and look whether glogin.sql or login.sql disconnects",
			"connect %s: it was connected, and no longer when glogin.sql and login.sql had run (they printed: %s)", target, said)
	}
	text := firstLine(o.hide(strings.Join(append(slices.Clone(a.probed), a.answer...), "\n")))
	if text == "" {
		text = "nothing"
	}
	return exit.Errorf(exit.CannotConnect, byHand+"; a glogin.sql or login.sql may be in the way",
		"connect %s: the database's answer was not understood: %s", target, text)
}
