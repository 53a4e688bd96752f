package plan

import (
	"fmt"
	"regexp"
)

// The forms that Events writes. Event text that comes from a file (a plan, a
// manifest, another host's journal) is sent to production sessions as it is, so
// it has to be one of these: an action such as crash() is never carried out
// because somebody wrote it there.
var (
	knownSpec = map[Kind]*regexp.Regexp{
		KindSQLTrace: regexp.MustCompile(`^sql_trace wait=(?:true|false), bind=(?:true|false)(?:, plan_stat=[a-z_]{1,30})?(?: trace_buffer_on\([0-9]{1,10}\))?$`),
		KindRing:     regexp.MustCompile(`^(?:trace_buffer_on\([0-9]{1,10}\)|immediate trace name trace_buffer_on level [0-9]{1,10})$`),
		KindError:    regexp.MustCompile(`^([1-9][0-9]{0,5}) trace name (?:trace_buffer_off|(?:trace_buffer_off; name )?errorstack level [0-3](?:, lifetime [0-9]{1,10})?)$`),
	}
	knownOff = map[Kind]*regexp.Regexp{
		KindSQLTrace: regexp.MustCompile(`^(?:sql_trace off|10046 trace name context off)$`),
		KindRing:     regexp.MustCompile(`^immediate trace name trace_buffer_off$`),
		KindError:    regexp.MustCompile(`^([1-9][0-9]{0,5}) (?:off|trace name (?:trace_buffer_off|errorstack) off)$`),
	}
)

// CheckEvent refuses an event that ringtrace does not write: its text, or what
// would turn it off.
func CheckEvent(kind Kind, ora int, spec string, off []string) error {
	form, ok := knownSpec[kind]
	if !ok {
		return fmt.Errorf("an event of kind %q is none that ringtrace sets", kind)
	}
	m := form.FindStringSubmatch(spec)
	if m == nil || kind == KindError && m[1] != fmt.Sprint(ora) {
		return fmt.Errorf("event %q is none that ringtrace sets", spec)
	}
	if len(off) == 0 {
		return fmt.Errorf("nothing says how event %q is turned off", spec)
	}
	return CheckOff(kind, ora, off)
}

// CheckOff refuses what turns off something else than an event of ours.
func CheckOff(kind Kind, ora int, off []string) error {
	form, ok := knownOff[kind]
	if !ok {
		return fmt.Errorf("an event of kind %q is none that ringtrace sets", kind)
	}
	for _, o := range off {
		if m := form.FindStringSubmatch(o); m == nil || kind == KindError && m[1] != fmt.Sprint(ora) {
			return fmt.Errorf("%q is no line with which ringtrace turns an event off", o)
		}
	}
	return nil
}
