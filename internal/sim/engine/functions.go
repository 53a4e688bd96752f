package engine

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
)

type values = []driver.Value

// register adds Oracle's functions to SQLite. The registry of the driver is
// global, so this happens once in a process; the functions themselves hold no
// state.
var register = sync.OnceValue(func() error {
	for _, f := range functions() {
		fn := f.call
		err := sqlite.RegisterDeterministicScalarFunction(f.name, f.args,
			func(_ *sqlite.FunctionContext, a values) (driver.Value, error) { return fn(a) })
		if err != nil {
			return fmt.Errorf("function %s: %w", f.name, err)
		}
	}
	return nil
})

type function struct {
	name string
	args int32 // -1: any number
	call func(a values) (driver.Value, error)
}

func functions() []function {
	return []function{
		{"nvl2", 3, func(a values) (driver.Value, error) {
			if a[0] != nil {
				return a[1], nil
			}
			return a[2], nil
		}},
		{"decode", -1, decode},
		{"to_number", -1, toNumber},
		{"to_char", -1, toChar},
		{"to_date", -1, toDate},
		{"to_timestamp", -1, toDate},
		{"ora_seconds", 1, func(a values) (driver.Value, error) {
			f, ok := number(a[0])
			if !ok {
				return nil, nil
			}
			return math.Floor(f*86400+1e-6) / 86400, nil
		}},
		{"ora_divisor", 1, func(a values) (driver.Value, error) {
			if f, ok := number(a[0]); ok && f == 0 {
				return nil, errors.New("ORA-01476: divisor is equal to zero")
			}
			return a[0], nil
		}},
		{"ora_trunc", -1, trunc},
		{"ora_round", -1, round},
		{"ora_mod", 2, mod},
		{"ora_substr", -1, substr},
		{"ora_substrb", -1, substr},
		{"ora_instr", -1, instr},
		{"ora_instrb", -1, instr},
		{"ora_length", 1, length(func(s string) int { return len([]rune(s)) })},
		{"ora_lengthb", 1, length(func(s string) int { return len(s) })},
		{"ora_replace", -1, replace},
		{"ora_translate", 3, translateChars},
		{"lpad", -1, pad(true)},
		{"rpad", -1, pad(false)},
		{"initcap", 1, initcap},
		{"regexp_like", -1, regexpLike},
		{"regexp_substr", -1, regexpSubstr},
		{"ora_extract", 2, extract},
		{"add_months", 2, addMonths},
		{"lnnvl", 1, func(a values) (driver.Value, error) { f, ok := number(a[0]); return !ok || f == 0, nil }},
	}
}

func number(v driver.Value) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
		return f, err == nil
	}
	return 0, false
}

func text(v driver.Value) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case []byte:
		return string(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		s := strconv.FormatFloat(x, 'f', -1, 64)
		return strings.Replace(strings.Replace(s, "-0.", "-.", 1), "0.", ".", boolInt(strings.HasPrefix(s, "0.")))
	}
	return fmt.Sprint(v)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// empty gives NULL for the empty string.
func empty(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

func whole(f float64) driver.Value {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return int64(f)
	}
	return f
}

func decode(a values) (driver.Value, error) {
	same := func(x, y driver.Value) bool {
		if x == nil || y == nil {
			return x == nil && y == nil
		}
		if p, ok := x.(string); ok {
			return p == text(y)
		}
		p, ok1 := number(x)
		q, ok2 := number(y)
		return ok1 && ok2 && p == q
	}
	if len(a) < 3 {
		return nil, errors.New("ORA-00938: not enough arguments for function")
	}
	for i := 1; i+1 < len(a); i += 2 {
		if same(a[0], a[i]) {
			return a[i+1], nil
		}
	}
	if len(a)%2 == 0 {
		return a[len(a)-1], nil
	}
	return nil, nil
}

func toNumber(a values) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	s := strings.TrimSpace(text(a[0]))
	if len(a) > 1 && strings.ContainsAny(strings.ToUpper(text(a[1])), "X") {
		n, err := strconv.ParseInt(s, 16, 64)
		if err != nil {
			return nil, errors.New("ORA-01722: invalid number")
		}
		return n, nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, errors.New("ORA-01722: invalid number")
	}
	return f, nil
}

func toChar(a values) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	if len(a) == 1 {
		return text(a[0]), nil
	}
	f, ok := number(a[0])
	if !ok {
		return nil, errors.New("ORA-01722: invalid number")
	}
	mask := text(a[1])
	if numberMask(mask) {
		return formatNumber(f, mask), nil
	}
	s, err := formatDate(fromDays(f), mask)
	if err != nil {
		return nil, err
	}
	return empty(s), nil
}

func toDate(a values) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	mask := "DD-MON-RR"
	if len(a) > 1 {
		mask = text(a[1])
	}
	t, err := parseDate(text(a[0]), mask)
	if err != nil {
		return nil, err
	}
	return toDays(t), nil
}

func trunc(a values) (driver.Value, error) {
	f, ok := number(a[0])
	if !ok {
		return nil, nil
	}
	if len(a) == 1 {
		return whole(math.Trunc(f + math.Copysign(1e-9, f))), nil
	}
	if n, isInt := a[1].(int64); isInt {
		p := math.Pow10(int(n))
		return whole(math.Trunc(f*p) / p), nil
	}
	t := fromDays(f)
	switch strings.ToUpper(text(a[1])) {
	case "MM", "MON", "MONTH":
		return toDays(time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)), nil
	case "YYYY", "YEAR", "YY":
		return toDays(time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)), nil
	case "HH24", "HH":
		return toDays(t.Truncate(time.Hour)), nil
	case "MI":
		return toDays(t.Truncate(time.Minute)), nil
	case "DD", "DDD":
		return math.Floor(f + 1e-9), nil
	}
	return nil, errors.New("ORA-01898: too many precision specifiers")
}

func round(a values) (driver.Value, error) {
	f, ok := number(a[0])
	if !ok {
		return nil, nil
	}
	p := 1.0
	if len(a) > 1 {
		n, _ := number(a[1])
		p = math.Pow10(int(n))
	}
	return whole(math.Round(f*p) / p), nil
}

func mod(a values) (driver.Value, error) {
	x, ok := number(a[0])
	y, ok2 := number(a[1])
	if !ok || !ok2 {
		return nil, nil
	}
	if y == 0 {
		return whole(x), nil
	}
	return whole(math.Mod(x, y)), nil
}

func length(count func(string) int) func(values) (driver.Value, error) {
	return func(a values) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		return int64(count(text(a[0]))), nil
	}
}

func substr(a values) (driver.Value, error) {
	if len(a) < 2 || a[0] == nil || a[1] == nil {
		return nil, nil
	}
	s := []rune(text(a[0]))
	p, _ := number(a[1])
	i := int(p)
	if i > 0 {
		i--
	} else if i < 0 {
		i += len(s)
	}
	if i < 0 || i >= len(s) {
		return nil, nil
	}
	n := len(s) - i
	if len(a) > 2 {
		l, _ := number(a[2])
		n = min(n, int(l))
	}
	if n < 1 {
		return nil, nil
	}
	return string(s[i : i+n]), nil
}

// instr finds the n-th occurrence, from the end for a negative position.
func instr(a values) (driver.Value, error) {
	if len(a) < 2 || a[0] == nil || a[1] == nil {
		return nil, nil
	}
	s, sub, pos, nth := []rune(text(a[0])), []rune(text(a[1])), 1, 1
	if len(a) > 2 {
		f, _ := number(a[2])
		pos = int(f)
	}
	if len(a) > 3 {
		f, _ := number(a[3])
		nth = int(f)
	}
	step, i := 1, pos-1
	if pos < 0 {
		step, i = -1, len(s)+pos
	}
	for ; i >= 0 && i < len(s) && pos != 0; i += step {
		if i+len(sub) <= len(s) && string(s[i:i+len(sub)]) == string(sub) {
			if nth--; nth == 0 {
				return int64(i + 1), nil
			}
		}
	}
	return int64(0), nil
}

func replace(a values) (driver.Value, error) {
	if a[0] == nil || len(a) < 2 || text(a[1]) == "" { // as NULL; SQLite also hands over chr(0) so
		return a[0], nil
	}
	with := ""
	if len(a) > 2 {
		with = text(a[2])
	}
	return empty(strings.ReplaceAll(text(a[0]), text(a[1]), with)), nil
}

func translateChars(a values) (driver.Value, error) {
	if a[0] == nil || a[1] == nil || a[2] == nil {
		return nil, nil
	}
	from, to := []rune(text(a[1])), []rune(text(a[2]))
	var b strings.Builder
	for _, r := range text(a[0]) {
		hit := false
		for i, f := range from {
			if r == f {
				if i < len(to) {
					b.WriteRune(to[i])
				}
				hit = true
				break
			}
		}
		if !hit {
			b.WriteRune(r)
		}
	}
	return empty(b.String()), nil
}

func pad(left bool) func(values) (driver.Value, error) {
	return func(a values) (driver.Value, error) {
		if len(a) < 2 || a[0] == nil || a[1] == nil {
			return nil, nil
		}
		f, _ := number(a[1])
		s, n, fill := []rune(text(a[0])), int(f), " "
		if len(a) > 2 {
			fill = text(a[2])
		}
		if n < 1 || fill == "" {
			return nil, nil
		}
		if len(s) >= n {
			return string(s[:n]), nil
		}
		more := []rune(strings.Repeat(fill, n))[:n-len(s)]
		if left {
			return string(more) + string(s), nil
		}
		return string(s) + string(more), nil
	}
}

func initcap(a values) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	up := true
	out := []rune(strings.ToLower(text(a[0])))
	for i, r := range out {
		letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f
		if letter && up {
			out[i] = []rune(strings.ToUpper(string(r)))[0]
		}
		up = !letter
	}
	return string(out), nil
}

func compile(a values, i int) (*regexp.Regexp, error) {
	p := text(a[1])
	if len(a) > i && strings.Contains(text(a[i]), "i") {
		p = "(?i)" + p
	}
	r, err := regexp.Compile(p)
	if err != nil {
		return nil, errors.New("ORA-12726: unmatched bracket in regular expression")
	}
	return r, nil
}

func regexpLike(a values) (driver.Value, error) {
	if len(a) < 2 || a[0] == nil || a[1] == nil {
		return nil, nil
	}
	r, err := compile(a, 2)
	if err != nil {
		return nil, err
	}
	return r.MatchString(text(a[0])), nil
}

func regexpSubstr(a values) (driver.Value, error) {
	if len(a) < 2 || a[0] == nil || a[1] == nil {
		return nil, nil
	}
	r, err := compile(a, 4)
	if err != nil {
		return nil, err
	}
	return empty(r.FindString(text(a[0]))), nil
}

func extract(a values) (driver.Value, error) {
	f, ok := number(a[1])
	if !ok {
		return nil, nil
	}
	t := fromDays(f)
	switch text(a[0]) {
	case "year":
		return int64(t.Year()), nil
	case "month":
		return int64(t.Month()), nil
	case "day":
		return int64(t.Day()), nil
	case "hour":
		return int64(t.Hour()), nil
	case "minute":
		return int64(t.Minute()), nil
	case "second":
		return whole(float64(t.Second()) + float64(t.Nanosecond()/1000)/1e6), nil
	}
	return nil, errors.New("ORA-00907: missing right parenthesis")
}

func addMonths(a values) (driver.Value, error) {
	f, ok := number(a[0])
	n, ok2 := number(a[1])
	if !ok || !ok2 {
		return nil, nil
	}
	return toDays(fromDays(f).AddDate(0, int(n), 0)), nil
}
