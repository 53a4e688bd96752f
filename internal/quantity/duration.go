// Package quantity reads and prints the durations and sizes that flags, the
// environment and the config file take.
package quantity

import (
	"math"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

const day = 24 * time.Hour

// Duration is a time.Duration that reads as flags do; it satisfies flag.Value.
type Duration time.Duration

// Set reads text as ParseDuration does.
func (d *Duration) Set(text string) error {
	v, err := ParseDuration(text)
	if err == nil {
		*d = Duration(v)
	}
	return err
}

// String prints the duration so that Set reads it back.
func (d *Duration) String() string {
	if d == nil || *d == 0 {
		return "0s"
	}
	s := time.Duration(*d).String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// ParseDuration reads 90s, 1h30m, 250ms, 7d or a bare number, which means
// seconds (docs/scripting.md). A negative duration is refused: no flag has a
// use for one. The error is an *exit.Error with code Usage and a hint.
func ParseDuration(text string) (time.Duration, error) {
	s := strings.TrimSpace(text)
	refuse := func(why string) error {
		return exit.Errorf(exit.Usage, "write 90s, 15m, 24h, 7d, or a bare number of seconds", "%q is not a duration: %s", text, why)
	}
	if s == "" {
		return 0, refuse("it is empty")
	}
	if strings.HasPrefix(s, "-") {
		return 0, refuse("it is negative")
	}
	if isDecimal(s) {
		return scaled(s, time.Second, refuse)
	}
	if number, ok := strings.CutSuffix(s, "d"); ok && isDecimal(number) {
		return scaled(number, day, refuse)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, refuse("the units are ms, s, m, h and d")
	}
	return d, nil
}

// isDecimal admits digits with at most one point: neither 1e9 nor 0x10, NaN or
// Inf, which strconv would take.
func isDecimal(s string) bool {
	digits, points := 0, 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			points++
		default:
			return false
		}
	}
	return digits > 0 && points <= 1
}

func scaled(number string, unit time.Duration, refuse func(string) error) (time.Duration, error) {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f*float64(unit) >= math.MaxInt64 {
		return 0, refuse("it is too long")
	}
	return time.Duration(math.Round(f * float64(unit))), nil
}
