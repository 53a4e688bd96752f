package oraerr

import (
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

const howTo = "give ORA numbers such as --ora 1555,ORA-00942"

// Parse reads one number: 60, 00060, -60, ORA-60, ora-00060. The error is an
// *exit.Error with code Usage that says what to write instead.
func Parse(s string) (Code, error) {
	t := strings.TrimSpace(s)
	digits := t
	if len(t) >= 3 && strings.EqualFold(t[:3], "ora") {
		digits = strings.TrimLeft(t[3:], " ")
		if rest, ok := strings.CutPrefix(digits, "-"); ok {
			digits = rest
		} else if len(t) == 3 {
			return Code{}, refuse(howTo, "%q has no number", s)
		}
	} else if rest, ok := strings.CutPrefix(t, "-"); ok {
		digits = rest
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return Code{}, refuse(hintFor(t), "%q is not an ORA number", s)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > MaxCode {
		return Code{}, refuse(howTo, "%q is larger than any ORA number (%d)", s, MaxCode)
	}
	if n == 0 {
		return Code{}, refuse(howTo, "%q: ORA-00000 is success, not an error", s)
	}
	return Describe(n), nil
}

// ParseList reads comma lists, each value being one; order is kept and a
// number that comes again, however it is written, counts once. The error is
// that of the first bad entry.
func ParseList(values ...string) ([]Code, error) {
	var out []Code
	seen := map[int]bool{}
	for _, v := range values {
		for _, entry := range strings.Split(v, ",") {
			if strings.TrimSpace(entry) == "" {
				return nil, refuse(howTo, "empty entry in %q", v)
			}
			c, err := Parse(entry)
			if err != nil {
				return nil, err
			}
			if !seen[c.Number] {
				seen[c.Number] = true
				out = append(out, c)
			}
		}
	}
	return out, nil
}

func refuse(hint, format string, args ...any) error {
	return exit.Errorf(exit.Usage, hint, format, args...)
}

// facilities are message prefixes that ORADEBUG events know nothing of.
var facilities = map[string]string{
	"TNS": "TNS- errors belong to the network layer and are raised outside the server's session",
	"PLS": "PLS- errors come from the PL/SQL compiler under ORA-06550: give --ora 6550",
	"SP2": "SP2- errors are sqlplus's own and never reach the server",
	"LRM": "LRM- errors come from parameter files and never reach a session",
	"DPI": "DPI- errors are the client library's own and never reach the server",
	"DIA": "DIA- errors are adrci's own and never reach a session",
	"RMA": "RMAN- errors are RMAN's own: give the ORA- number below them",
	"IMP": "IMP- errors are the import tool's own: give the ORA- number below them",
	"EXP": "EXP- errors are the export tool's own: give the ORA- number below them",
	"CRS": "CRS- errors belong to the cluster software and never reach a session",
	"PRO": "PROC- errors belong to the cluster software and never reach a session",
	"OCI": "OCI- errors are the client library's own and never reach the server",
	"NID": "NID- errors are another tool's own and never reach a session",
	"KUP": "KUP- errors come under ORA-29913: give --ora 29913",
	"JZN": "JZN- errors come under an ORA- error: give that one",
	"OSD": "OSD- lines follow an ORA- error: give that one",
}

func hintFor(t string) string {
	up := strings.ToUpper(t)
	if i := strings.IndexByte(up, '-'); i >= 3 {
		if h, ok := facilities[up[:min(i, 3)]]; ok {
			return h
		}
		return "only ORA- errors can trigger an event; " + howTo
	}
	switch {
	case strings.ContainsAny(t, " \t;|/"):
		return "part the numbers by commas: --ora 1555,942"
	case strings.HasPrefix(up, "0X"):
		return "give the number in decimal"
	case strings.EqualFold(t, "deadlock"):
		return "DEADLOCK is another name for ORA-00060: give --ora 60"
	}
	return howTo
}
