package drill

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
)

// about counts eventdump lines of an event.
func about(lines []string, id string) int {
	n := 0
	for _, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), id) {
			n++
		}
	}
	return n
}

// set sets events and keeps eventdump's words for them.
func (s *subject) set(ctx context.Context, texts ...string) ([]string, error) {
	var lines []string
	for _, t := range texts {
		if _, err := s.send(ctx, "session_event "+t); err != nil {
			return nil, err
		}
		var err error
		if lines, err = s.events(ctx); err != nil {
			return nil, err
		}
		if len(lines) > 0 && !strings.HasSuffix(t, "off") {
			s.x.texts[t] = lines[0] // newest first (facts/oradebug.md 0)
		}
	}
	return lines, nil
}

func fired(ctx context.Context, s *subject, event string) (string, error) {
	if _, err := s.set(ctx, event); err != nil {
		return "", err
	}
	text, err := s.grownByFail(ctx, 3)
	if err != nil {
		return "", err
	}
	s.note("%d dumps", dumps(text))
	switch dumps(text) {
	case 1:
		return Yes, nil
	case 3:
		return No, nil
	}
	return "", errShows
}

func lifetime(ctx context.Context, _ *bench, s *subject) (string, error) {
	return fired(ctx, s, "942 trace name errorstack level 0, lifetime 1")
}

func occurence(ctx context.Context, _ *bench, s *subject) (string, error) {
	return fired(ctx, s, "942 {occurence:1,1} errorstack(0)")
}

// removed sets events, sends an off form and says whether the event is gone.
func removed(ctx context.Context, s *subject, set, turnOff, id string) (string, error) {
	lines, err := s.set(ctx, set)
	if err != nil {
		return "", err
	}
	if about(lines, id) == 0 {
		return "", errShows
	}
	if lines, err = s.set(ctx, turnOff); err != nil {
		return "", err
	}
	return yesNo(about(lines, id) == 0), nil
}

func offNumber(ctx context.Context, _ *bench, s *subject) (string, error) {
	// The new-style off is asked of an event with two actions.
	return removed(ctx, s, "942 trace name trace_buffer_off; name errorstack level 3", "942 off", "942")
}

func contextOff(ctx context.Context, _ *bench, s *subject) (string, error) {
	return removed(ctx, s, "942 trace name errorstack level 3", "942 trace name context off", "942")
}

func crosswise(ctx context.Context, _ *bench, s *subject) (string, error) {
	return removed(ctx, s, "sql_trace wait=true, bind=true", "10046 off", "sql_trace")
}

func lastFilter(ctx context.Context, _ *bench, s *subject) (string, error) {
	lines, err := s.set(ctx, "942 {occurence:1,1} errorstack(1)", "942 {occurence:1,2} errorstack(1)")
	if err != nil {
		return "", err
	}
	switch about(lines, "942") {
	case 1:
		return Yes, nil
	case 2:
		return No, nil
	}
	return "", errShows
}

func traceColumn(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, traceOn); err != nil {
		return "", err
	}
	if err := s.work(ctx, 1); err != nil {
		return "", err
	}
	lines, err := s.x.query(ctx, fmt.Sprintf("select 'trace ' || sql_trace from v$session where sid = %d and serial# = %d", s.target.Key.SID, s.target.Key.Serial))
	if err != nil {
		return "", err
	}
	s.note("V$SESSION: %s", strings.Join(lines, " "))
	switch text := strings.Join(lines, "\n"); {
	case strings.Contains(text, "trace ENABLED"):
		return Yes, nil
	case strings.Contains(text, "trace DISABLED"):
		return No, nil
	}
	return "", errShows
}

func alertLog(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, "session_event 942 errorstack(0)"); err != nil {
		return "", err
	}
	if text, err := s.grownByFail(ctx, 1); err != nil || dumps(text) == 0 {
		return "", fmt.Errorf("nothing fired: %w", errShows)
	}
	name := path.Base(strings.ReplaceAll(s.path, `\`, "/"))
	// The last hour alone: a file of that name may have been there before.
	lines, err := s.x.query(ctx, "select 'alerts ' || count(*) from v$diag_alert_ext where message_text like '%"+strings.ReplaceAll(name, "'", "''")+
		"%' and sys_extract_utc(originating_timestamp) >= sys_extract_utc(systimestamp) - 1/24")
	if err != nil {
		return "", err
	}
	s.note("V$DIAG_ALERT_EXT: %s", strings.Join(lines, " "))
	n := 0
	for _, l := range lines {
		if _, err := fmt.Sscanf(strings.TrimSpace(l), "alerts %d", &n); err == nil {
			return yesNo(n > 0), nil
		}
	}
	return "", errShows
}

// eventTexts adds eventdump's words for each form.
func (x *bench) eventTexts() {
	a := Answer{ID: EventTexts, Question: "eventdump's words for what was set", Fact: "oradebug.md 6", Answer: Unknown, Evidence: []string{}}
	var keys []string
	for k := range x.texts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	same := 0
	for _, k := range keys {
		a.Evidence = append(a.Evidence, fmt.Sprintf("%s\n→ %s", k, x.texts[k]))
		if k == x.texts[k] {
			same++
		}
	}
	if len(keys) > 0 {
		a.Answer = fmt.Sprintf("%d of %d as they were typed", same, len(keys))
	}
	x.record.Answers = append(x.record.Answers, a)
}
