package oraerr

import "strings"

// MaxCode bounds an ORA number. Oracle's own bound is not published; the
// highest number listed is 65535 (facts/oradebug.md 5).
const MaxCode = 65535

// Code is one error number with what is known of it.
type Code struct {
	Number int
	// Text is Oracle's short text, empty for codes this package does not know.
	Text string
	// Noisy codes are raised so often that an unbounded event on them floods
	// the disk (facts/oradebug.md 7 #25, #26 and 7.1).
	Noisy bool
	// IsEvent says that the number is a debugging event and no error.
	IsEvent bool
	// Mapped numbers are events that 11g and later turn into named ones:
	// 10046 10053 10298 10299 10730.
	Mapped bool
	// Application numbers, 20000 to 20999, mean what the application says.
	Application bool
	// Incident codes write an incident by themselves: 600 7445 4030 4031.
	Incident bool
	// Client codes are raised by the client or the listener, so that an event
	// in the server never sees them.
	Client bool
	// NeverFirst codes only ever follow another error on the stack, so that
	// an event on them does not fire for the first one.
	NeverFirst bool
	// Note says in one sentence what a person should know; empty if nothing.
	Note string
}

// Describe returns what is known of a number.
func Describe(n int) Code {
	c := Code{
		Number: n, Text: texts[n],
		Noisy: noisy[n] != "", IsEvent: isEvent(n), Mapped: mapped[n],
		Application: n >= 20000 && n <= 20999, Incident: incident[n], Client: client[n],
		NeverFirst: n == 6512,
	}
	c.Note = c.note()
	return c
}

func (c *Code) note() string {
	var out []string
	add := func(on bool, s string) {
		if on {
			out = append(out, s)
		}
	}
	add(c.Mapped, "a mapped event: it switches tracing on and is no error")
	add(c.IsEvent && !c.Mapped, "a debugging event, not an error")
	add(c.Application, "an application error: its meaning is the application's own")
	add(c.NeverFirst, "only ever follows another error, so the event does not fire for the first one")
	add(c.Noisy && !c.NeverFirst, noisy[c.Number])
	add(c.Incident, "writes an incident by itself")
	add(c.Client, "raised by the client or the listener, so the server's event never sees it")
	return strings.Join(out, "; ")
}

// noisy is the deny list of facts/oradebug.md 7.1 with the high-frequency
// codes of 7 #26. 60 is rare and not in it; 6508 is only suspected there and
// left out.
var noisy = map[int]string{
	1:     "raised by every insert that hits a duplicate key, often on purpose",
	28:    "raised at logoff of killed sessions",
	54:    "raised by every NOWAIT that has to wait",
	100:   "raised at every end of fetch",
	942:   "raised whenever a name does not exist, also inside Oracle, which keeps it out of its own error ring",
	1002:  "raised by common fetch loops",
	1013:  "raised whenever a user or a time-out cancels a call",
	1017:  "raised by every failed logon",
	1403:  "raised by every PL/SQL SELECT INTO that finds nothing, and by Oracle itself, which keeps it out of its own error ring",
	1410:  "raised often while objects are rebuilt",
	3113:  "raised when a connection breaks",
	3114:  "raised when a connection breaks",
	3135:  "raised when a connection breaks",
	6512:  "follows every PL/SQL error",
	12514: "raised by the listener",
}

var mapped = map[int]bool{10046: true, 10053: true, 10298: true, 10299: true, 10730: true}

var incident = map[int]bool{600: true, 7445: true, 4030: true, 4031: true}

// client is facts/oradebug.md 7 #28 (3114, 12170, 24338) and the connect
// errors of the TNS layer, which the client or the listener raises (recall).
var client = map[int]bool{
	3114: true, 12154: true, 12162: true, 12170: true, 12505: true, 12514: true, 12516: true, 12518: true,
	12519: true, 12520: true, 12521: true, 12528: true, 12533: true, 12541: true, 12543: true, 12545: true,
	24338: true,
}
