package tracefile

import "time"

// Clock is a time stamp as a trace prints it.
type Clock struct {
	Micros    int64 // wall clock as if it were UTC, us since 1970
	Zone      int   // offset from UTC in seconds, when HasZone
	HasZone   bool
	Valid     bool
	Container []byte // of the PDB marker, e.g. CDB$ROOT
	ConID     int    // 0 for none
}

// UTC returns the instant in us since 1970, taking a stamp without zone as UTC.
func (c Clock) UTC() int64 {
	if c.HasZone {
		return c.Micros - int64(c.Zone)*1e6
	}
	return c.Micros
}

// Time returns the stamp in its own zone; without a zone, in UTC.
func (c Clock) Time() time.Time {
	t := time.UnixMicro(c.UTC()).UTC()
	if c.HasZone {
		return t.In(time.FixedZone("", c.Zone))
	}
	return t
}

// parseClock reads "2007-08-20 18:15:12.223" (to 12.1) or
// "2018-09-14T10:19:26.416982-05:00" (12.2 on), facts 3, and returns what is
// left of b. Either separator, any number of fractional digits, a missing zone and
// one behind a blank are all taken.
func parseClock(b []byte) (Clock, []byte, bool) {
	var c Clock
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || (b[10] != ' ' && b[10] != 'T') || b[13] != ':' || b[16] != ':' {
		return c, b, false
	}
	century, y, mo, d := twoDigits(b[0], b[1]), twoDigits(b[2], b[3]), twoDigits(b[5], b[6]), twoDigits(b[8], b[9])
	h, mi, s := twoDigits(b[11], b[12]), twoDigits(b[14], b[15]), twoDigits(b[17], b[18])
	if century|y|mo|d|h|mi|s < 0 || mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60 {
		return c, b, false
	}
	y += 100 * century
	micros, rest := int64(0), b[19:]
	if len(rest) > 0 && rest[0] == '.' {
		n := 1
		for ; n < len(rest) && isDigit(rest[n]); n++ {
			if n <= 6 {
				micros = micros*10 + int64(rest[n]-'0')
			}
		}
		rest = rest[n:]
		for ; n <= 6; n++ {
			micros *= 10
		}
	}
	t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
	if t.Day() != d && s < 60 { // 30 February
		return c, b, false
	}
	c.Micros, c.Valid = t.UnixMicro()+micros, true
	if len(rest) >= 7 && rest[0] == ' ' && (rest[1] == '+' || rest[1] == '-') && isDigit(rest[2]) {
		rest = rest[1:]
	}
	switch {
	case len(rest) >= 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':':
		zh, zm := twoDigits(rest[1], rest[2]), twoDigits(rest[4], rest[5])
		if zh|zm >= 0 && zh < 24 && zm < 60 {
			c.HasZone, c.Zone = true, zh*3600+zm*60
			if rest[0] == '-' {
				c.Zone = -c.Zone
			}
			rest = rest[6:]
		}
	case len(rest) > 0 && rest[0] == 'Z':
		c.HasZone, rest = true, rest[1:]
	}
	return c, rest, true
}

// twoDigits returns the number that two digits make; -1 if they are none.
func twoDigits(tens, ones byte) int {
	tens -= '0'
	ones -= '0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return 10*int(tens) + int(ones)
}

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(b) > 0
}

// parseContainer reads " (SALES_PDB(5))" behind a stamp.
func parseContainer(c *Clock, rest []byte) bool {
	if len(rest) < 5 || rest[0] != ' ' || rest[1] != '(' || rest[len(rest)-1] != ')' || rest[len(rest)-2] != ')' {
		return false
	}
	in := rest[2 : len(rest)-2]
	for i := len(in) - 1; i > 0; i-- {
		if in[i] == '(' {
			id, ok := digits(in[i+1:])
			if !ok {
				return false
			}
			c.Container, c.ConID = in[:i], id
			return true
		}
	}
	return false
}
