package sessions

import (
	"regexp"
	"strings"
	"time"
)

// timeLayouts are the forms of a logon time that can be read only one way.
// Those without a zone are the database's own digits and are kept in UTC.
var timeLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999 Z07:00",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006/01/02 15:04:05",
	"20060102150405",
	"02.01.2006 15:04:05", // a dotted date is day first everywhere
	"02-Jan-2006 15:04:05",
	"02-Jan-2006 15.04.05.999999999 PM", // NLS_TIMESTAMP_FORMAT's default
	"02-Jan-2006 15.04.05.999999999",
	"02-Jan-2006 3.04.05.999999999 PM",
	"02-Jan-2006 3:04:05 PM",
}

var (
	// 30-NOV-26, the default NLS_DATE_FORMAT DD-MON-RR.
	twoDigitYear = regexp.MustCompile(`^(\d{1,2})-([A-Za-z]{3})-(\d{2})(\s|$)`)
	oneDigitDay  = regexp.MustCompile(`^\d-`)
	dateOnly     = regexp.MustCompile(`^(\d{1,2}-[A-Za-z]{3}-\d{4}|\d{4}[-/]\d\d[-/]\d\d|\d\d\.\d\d\.\d{4})$`)
	slashDate    = regexp.MustCompile(`^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}(\s|$)`)
)

// timeHint is what to type instead of a time that was refused.
const timeHint = "export it with to_char(logon_time,'YYYY-MM-DD HH24:MI:SS'), or leave the column out"

// ParseTime reads a logon time: RFC 3339, YYYY-MM-DD HH24:MI:SS,
// DD-MON-YYYY HH24:MI:SS (English month; with a two-digit year by Oracle's RR
// rule, 00-49 in this century), DD.MM.YYYY HH24:MI:SS, and the default
// timestamp form with AM or PM. A time without a zone is taken as the
// database's own digits. Refused are forms that two people would read
// differently (01/02/2026) and dates without a time of day, because midnight
// would be taken for the time of logon.
func ParseTime(v string) (time.Time, error) {
	t, _, err := parseTime(v)
	if err != nil {
		return time.Time{}, usagef(err.hint, "%s", err.message)
	}
	return t, nil
}

// parseTime also reports whether the value is a date that lacks only the time
// of day.
func parseTime(v string) (t time.Time, dayOnly bool, err *cellError) {
	v = strings.TrimSpace(v)
	for _, layout := range timeLayouts[:2] { // what ringtrace and most exports write
		if t, err := time.Parse(layout, v); err == nil {
			return t, false, nil
		}
	}
	s := fourDigitYear(v)
	switch {
	case slashDate.MatchString(s):
		return t, false, &cellError{"logon_time " + quoteShort(v) + " can be read day first or month first", timeHint}
	case dateOnly.MatchString(s):
		return t, true, &cellError{"logon_time " + quoteShort(v) + " has no time of day", timeHint}
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, upperMeridiem(s)); err == nil {
			return t, false, nil
		}
	}
	return t, false, &cellError{"logon_time " + quoteShort(v) + " is not a time", timeHint}
}

// fourDigitYear applies the RR rule to DD-MON-RR and pads a one-digit day.
func fourDigitYear(s string) string {
	if m := twoDigitYear.FindStringSubmatch(s); m != nil {
		head := m[1] + "-" + m[2] + "-"
		century := "20"
		if m[3] >= "50" {
			century = "19"
		}
		s = head + century + s[len(head):]
	}
	if oneDigitDay.MatchString(s) {
		s = "0" + s
	}
	return s
}

// upperMeridiem: time.Parse takes a month in any letter case, AM and PM not.
func upperMeridiem(s string) string {
	if n := len(s); n > 2 && (strings.EqualFold(s[n-2:], "am") || strings.EqualFold(s[n-2:], "pm")) {
		return s[:n-2] + strings.ToUpper(s[n-2:])
	}
	return s
}

var zoneAtEnd = regexp.MustCompile(`(Z|z|[+-]\d\d:?\d\d)$`)

// hasZone reports whether a time that was accepted names its zone.
func hasZone(v string) bool {
	v = strings.TrimSpace(v)
	return zoneAtEnd.MatchString(v) && strings.Contains(v, ":")
}
