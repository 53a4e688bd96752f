package quantity

import (
	"math"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// Size is a number of bytes that reads as flags do; it satisfies flag.Value.
type Size int64

// Set reads text as ParseSize does.
func (z *Size) Set(text string) error {
	v, err := ParseSize(text)
	if err == nil {
		*z = Size(v)
	}
	return err
}

// String prints the size in bytes.
func (z *Size) String() string {
	if z == nil {
		return "0"
	}
	return strconv.FormatInt(int64(*z), 10)
}

// ParseSize reads a number of bytes, or one followed by k or m in either case
// (1024 and 1024²). Units with a B are refused, because KB is 1000 to some and
// 1024 to others. The error is an *exit.Error with code Usage and a hint.
func ParseSize(text string) (int64, error) {
	s := strings.TrimSpace(text)
	digits := strings.TrimLeft(s, "0123456789")
	number, unit := s[:len(s)-len(digits)], digits
	if number == "" {
		return 0, exit.Errorf(exit.Usage, "write a number of bytes: 256000, 250k or 1m", "%q is not a size", text)
	}
	var factor int64
	switch strings.ToLower(unit) {
	case "":
		factor = 1
	case "k":
		factor = 1 << 10
	case "m":
		factor = 1 << 20
	default:
		return 0, exit.Errorf(exit.Usage, unitHint(number, unit), "%q is not a size: unknown unit %q", text, unit)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n > math.MaxInt64/factor {
		return 0, exit.Errorf(exit.Usage, "write a number of bytes: 256000, 250k or 1m", "%q is too large for a size", text)
	}
	return n * factor, nil
}

// unitHint says what the writer of number and unit most likely meant.
func unitHint(number, unit string) string {
	switch strings.ToLower(unit)[0] {
	case 'k':
		return "write " + number + "k for " + number + " × 1024 bytes, or " + number + "000 for thousands"
	case 'm':
		return "write " + number + "m for " + number + " × 1024² bytes, or " + number + "000000 for millions"
	case 'b':
		return "write " + number + " for bytes"
	}
	return "the units are k (1024) and m (1024²); without one it is bytes"
}
