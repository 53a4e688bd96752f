package engine

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A DATE or TIMESTAMP is stored as REAL days since 1970-01-01 in server time,
// so that `sysdate - 1/24` and `sysdate - logon_time` need no translation.

func toDays(t time.Time) float64 {
	u := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	return float64(u.Unix())/86400 + float64(u.Nanosecond())/86400e9
}

// fromDays gives the time to the microsecond, which is what a REAL holds.
func fromDays(d float64) time.Time {
	us := math.Round(d * 86400e6)
	return time.UnixMicro(int64(us)).UTC()
}

func months() []string {
	return []string{"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER"}
}

// element is one part of a date format mask.
type element struct {
	name string
	text func(t time.Time) string
}

func elements() []element {
	two := func(n int) string { return fmt.Sprintf("%02d", n) }
	return []element{ // longer names before their beginnings
		{"TZH:TZM", func(time.Time) string { return "+00:00" }},
		{"SSSSS", func(t time.Time) string { return strconv.Itoa(t.Hour()*3600 + t.Minute()*60 + t.Second()) }},
		{"MONTH", func(t time.Time) string { return fmt.Sprintf("%-9s", months()[t.Month()-1]) }},
		{"YYYY", func(t time.Time) string { return fmt.Sprintf("%04d", t.Year()) }},
		{"RRRR", func(t time.Time) string { return fmt.Sprintf("%04d", t.Year()) }},
		{"HH24", func(t time.Time) string { return two(t.Hour()) }},
		{"HH12", func(t time.Time) string { return two((t.Hour()+11)%12 + 1) }},
		{"TZR", func(time.Time) string { return "+00:00" }},
		{"TZH", func(time.Time) string { return "+00" }},
		{"TZM", func(time.Time) string { return "00" }},
		{"MON", func(t time.Time) string { return months()[t.Month()-1][:3] }},
		{"DDD", func(t time.Time) string { return fmt.Sprintf("%03d", t.YearDay()) }},
		{"DAY", func(t time.Time) string { return fmt.Sprintf("%-9s", strings.ToUpper(t.Weekday().String())) }},
		{"FF9", func(t time.Time) string { return fmt.Sprintf("%09d", t.Nanosecond()) }},
		{"FF6", func(t time.Time) string { return fmt.Sprintf("%06d", t.Nanosecond()/1000) }},
		{"FF3", func(t time.Time) string { return fmt.Sprintf("%03d", t.Nanosecond()/1000000) }},
		{"FF", func(t time.Time) string { return fmt.Sprintf("%06d", t.Nanosecond()/1000) }},
		{"MM", func(t time.Time) string { return two(int(t.Month())) }},
		{"MI", func(t time.Time) string { return two(t.Minute()) }},
		{"SS", func(t time.Time) string { return two(t.Second()) }},
		{"DD", func(t time.Time) string { return two(t.Day()) }},
		{"DY", func(t time.Time) string { return strings.ToUpper(t.Weekday().String()[:3]) }},
		{"YY", func(t time.Time) string { return two(t.Year() % 100) }},
		{"RR", func(t time.Time) string { return two(t.Year() % 100) }},
		{"HH", func(t time.Time) string { return two((t.Hour()+11)%12 + 1) }},
		{"AM", func(t time.Time) string { return t.Format("PM") }},
		{"PM", func(t time.Time) string { return t.Format("PM") }},
		{"FM", func(time.Time) string { return "" }},
		{"D", func(t time.Time) string { return strconv.Itoa(int(t.Weekday()) + 1) }},
		{"Q", func(t time.Time) string { return strconv.Itoa((int(t.Month())-1)/3 + 1) }},
	}
}

func badMask() error { return errors.New("ORA-01821: date format not recognized") }

func formatDate(t time.Time, mask string) (string, error) {
	var b strings.Builder
	up := strings.ToUpper(mask)
next:
	for i := 0; i < len(mask); {
		if mask[i] == '"' {
			n := strings.IndexByte(mask[i+1:], '"')
			if n < 0 {
				return "", badMask()
			}
			b.WriteString(mask[i+1 : i+1+n])
			i += n + 2
			continue
		}
		for _, e := range elements() {
			if strings.HasPrefix(up[i:], e.name) {
				b.WriteString(letterCase(e.text(t), mask[i:i+len(e.name)]))
				i += len(e.name)
				continue next
			}
		}
		if !strings.ContainsRune(" -/:.,;T", rune(mask[i])) {
			return "", badMask()
		}
		b.WriteByte(mask[i])
		i++
	}
	return b.String(), nil
}

// letterCase writes Mon and month as the mask does.
func letterCase(s, like string) string {
	if len(like) < 2 || s == "" || s[0] < 'A' || s[0] > 'Z' {
		return s
	}
	switch {
	case like[0] >= 'a':
		return strings.ToLower(s)
	case like[1] >= 'a':
		return s[:1] + strings.ToLower(s[1:])
	}
	return s
}

func parseDate(s, mask string) (time.Time, error) {
	layout := strings.NewReplacer("YYYY", "2006", "RRRR", "2006", "HH24", "15", "HH12", "03", "MI", "04", "SS", "05", "FF6", "000000",
		"FF3", "000", "FF", "000000", "MON", "Jan", "MM", "01", "DD", "02", "RR", "06", "YY", "06", "AM", "PM", `"T"`, "T").Replace(strings.ToUpper(mask))
	layout = strings.Replace(layout, ":05,000", ":05.000", 1)
	for _, in := range []string{s, titleMonth(s)} {
		if t, err := time.Parse(layout, in); err == nil {
			return t, nil
		}
		// Oracle takes a value that ends before its mask does.
		if len(s) < len(layout) {
			if t, err := time.Parse(strings.TrimRight(layout[:min(len(s), len(layout))], " :"), in); err == nil {
				return t, nil
			}
		}
	}
	return time.Time{}, errors.New("ORA-01861: literal does not match format string")
}

// titleMonth writes JAN and jan as Jan.
func titleMonth(s string) string {
	out := []byte(strings.ToLower(s))
	for i := range out {
		if out[i] >= 'a' && out[i] <= 'z' && (i == 0 || out[i-1] < 'A') {
			out[i] -= 'a' - 'A'
		}
	}
	return string(out)
}

// numberMask tells 9990.99 from a date mask.
func numberMask(mask string) bool {
	for _, c := range strings.ToUpper(strings.TrimPrefix(strings.ToUpper(mask), "FM")) {
		if !strings.ContainsRune("09.,DGXSL$", c) {
			return false
		}
	}
	return true
}

func formatNumber(f float64, mask string) string {
	up := strings.ToUpper(mask)
	fill := strings.HasPrefix(up, "FM")
	up = strings.TrimPrefix(up, "FM")
	if strings.Contains(up, "X") {
		s := strconv.FormatInt(int64(f), 16)
		if !strings.Contains(mask, "x") {
			s = strings.ToUpper(s)
		}
		return s
	}
	up = strings.ReplaceAll(strings.ReplaceAll(up, "D", "."), "G", ",")
	before, after, _ := strings.Cut(up, ".")
	digits := strings.Count(before, "9") + strings.Count(before, "0")
	decimals := strings.Count(after, "9") + strings.Count(after, "0")
	whole, frac, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'f', decimals, 64), ".")
	if len(whole) > digits {
		return strings.Repeat("#", len(up)+1)
	}
	if i := strings.IndexByte(before, '0'); i >= 0 {
		want := strings.Count(before[i:], "9") + strings.Count(before[i:], "0")
		for len(whole) < want {
			whole = "0" + whole
		}
	}
	if strings.Contains(before, ",") {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	out := whole
	if decimals > 0 {
		out += "." + frac
	}
	if f < 0 {
		out = "-" + out
	}
	if fill {
		return out
	}
	return fmt.Sprintf("%*s", len(up)+1, out)
}
