package drill

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

const (
	on64k    = "session_event immediate trace name trace_buffer_on level 65536"
	off      = "session_event immediate trace name trace_buffer_off"
	traceOn  = "session_event sql_trace wait=true, bind=true"
	traceOff = "session_event sql_trace off"
	founding = "session_event sql_trace wait=true, bind=true trace_buffer_on(65536)"
)

func carriesSQLTrace(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, on64k, traceOn); err != nil {
		return "", err
	}
	text, err := s.grownByWork(ctx, 5)
	if err != nil {
		return "", err
	}
	if records(text) > 0 {
		return No, nil
	}
	text, err = s.grownBy(ctx, off)
	if err == nil && records(text) == 0 {
		err = errShows
	}
	return Yes, err
}

func carriesMarkers(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, on64k); err != nil {
		return "", err
	}
	text, err := s.grownBy(ctx, "eventdump session")
	if err != nil {
		return "", err
	}
	if markerLine.MatchString(text) {
		return No, nil
	}
	text, err = s.grownBy(ctx, off)
	if err == nil && !strings.Contains(text, "eventdump session") {
		err = errShows
	}
	return Yes, err
}

// pga is the memory of A's process, in bytes.
func (s *subject) pga(ctx context.Context) (int, error) {
	lines, err := s.x.query(ctx, fmt.Sprintf("select 'pga ' || pga_alloc_mem from v$process where pid = %d and serial# = %d", s.target.Process.Orapid, s.target.Process.ProcessSerial))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, l := range lines {
		if _, err := fmt.Sscanf(strings.TrimSpace(l), "pga %d", &n); err == nil {
			s.note("V$PROCESS.PGA_ALLOC_MEM is %d", n)
			return n, nil
		}
	}
	return 0, fmt.Errorf("V$PROCESS answers %q", lines)
}

// onAtSet reads the marker that ends the command: where the buffer was
// allocated, and carries markers, it is in the buffer already. Else memory tells.
func onAtSet(ctx context.Context, x *bench, s *subject) (string, error) {
	before, err := s.pga(ctx)
	if err != nil {
		return "", err
	}
	text, err := s.grownBy(ctx, founding)
	if err != nil {
		return "", err
	}
	if x.known(RingCarriesMarkers) == Yes {
		return yesNo(!strings.Contains(text, "Finished processing ORADEBUG command")), nil
	}
	after, err := s.pga(ctx)
	return yesNo(after-before >= 60000), err
}

func actionAllocates(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known(RingCarriesSQLTrace) != Yes {
		return "", fmt.Errorf("SQL trace does not go through a ring, so it cannot tell: %w", errShows)
	}
	if _, err := s.send(ctx, founding); err != nil {
		return "", err
	}
	text, err := s.grownByWork(ctx, 5)
	return yesNo(records(text) == 0), err
}

func offFrees(ctx context.Context, x *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, on64k, traceOn); err != nil {
		return "", err
	}
	full, err := s.pga(ctx)
	if err != nil {
		return "", err
	}
	if _, err := s.send(ctx, off); err != nil {
		return "", err
	}
	if x.known(RingCarriesSQLTrace) == Yes {
		text, err := s.grownByWork(ctx, 5)
		return yesNo(records(text) > 0), err
	}
	if x.known(RingCarriesMarkers) == Yes {
		text, err := s.grownBy(ctx, "eventdump session")
		return yesNo(markerLine.MatchString(text)), err
	}
	empty, err := s.pga(ctx)
	return yesNo(full-empty >= 60000), err
}

const stack0 = "session_event immediate trace name errorstack level 0"

func errorstackFlushes(ctx context.Context, x *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, on64k, traceOn, "eventdump session"); err != nil {
		return "", err
	}
	if err := s.work(ctx, 5); err != nil {
		return "", err
	}
	shown := func(text string) bool { return records(text) > 0 }
	if x.known(RingCarriesSQLTrace) != Yes {
		if x.known(RingCarriesMarkers) != Yes {
			return "", errShows
		}
		shown = func(text string) bool { return strings.Contains(text, "'eventdump session'") }
	}
	text, err := s.grownBy(ctx, stack0)
	if err != nil {
		return "", err
	}
	if shown(text) {
		return Yes, nil
	}
	text, err = s.grownBy(ctx, off)
	if err == nil && !shown(text) {
		err = errShows
	}
	return No, err
}

func survivesErrorstack(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known(RingCarriesSQLTrace) != Yes {
		return "", fmt.Errorf("SQL trace does not go through a ring, so it cannot tell: %w", errShows)
	}
	if _, err := s.send(ctx, on64k, traceOn, stack0); err != nil {
		return "", err
	}
	text, err := s.grownByWork(ctx, 5)
	if err != nil {
		return "", err
	}
	if records(text) > 0 {
		return No, nil
	}
	text, err = s.grownBy(ctx, off)
	if err == nil && records(text) == 0 {
		err = errShows
	}
	return Yes, err
}

// dumpReachesFile: the dump is trace text too, and may go into the ring that it
// has just written.
func dumpReachesFile(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, on64k, "session_event 942 errorstack(0)"); err != nil {
		return "", err
	}
	text, err := s.grownByFail(ctx, 1)
	if err != nil {
		return "", err
	}
	if dumps(text) > 0 {
		return Yes, nil
	}
	text, err = s.grownBy(ctx, off)
	if err == nil && dumps(text) == 0 {
		err = errShows
	}
	return No, err
}

func wrapMarker(ctx context.Context, x *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, "session_event immediate trace name trace_buffer_on level 4096", traceOn); err != nil {
		return "", err
	}
	const size = 4096
	switch {
	case x.known(RingCarriesSQLTrace) == Yes:
		if err := s.work(ctx, 60); err != nil {
			return "", err
		}
	case x.known(RingCarriesMarkers) == Yes:
		many := make([]string, 60)
		for i := range many {
			many[i] = "eventdump session"
		}
		if _, err := s.send(ctx, many...); err != nil {
			return "", err
		}
	default:
		return "", errShows
	}
	text, err := s.grownBy(ctx, off)
	if err != nil {
		return "", err
	}
	if m := wrapLine.FindString(text); m != "" {
		s.note("%s", m)
		return Yes, nil
	}
	if len(text) < size*9/10 {
		return "", fmt.Errorf("only %d bytes came out, so nothing was lost: %w", len(text), errShows)
	}
	return No, nil
}

const fires = "session_event 942 trace name trace_buffer_off; name errorstack level 0"

func bothSpecs(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known(RingCarriesSQLTrace) != Yes {
		return "", fmt.Errorf("SQL trace does not go through a ring, so it cannot tell: %w", errShows)
	}
	if _, err := s.send(ctx, on64k, traceOn, fires); err != nil {
		return "", err
	}
	if err := s.work(ctx, 5); err != nil {
		return "", err
	}
	text, err := s.grownByFail(ctx, 1)
	if err != nil {
		return "", err
	}
	s.note("%d dumps", dumps(text))
	return yesNo(dumps(text) == 1 && records(text) > 0), nil
}

func inOrder(ctx context.Context, _ *bench, s *subject) (string, error) {
	if _, err := s.send(ctx, "session_event 942 trace name errorstack level 0; name processstate level 1"); err != nil {
		return "", err
	}
	text, err := s.grownByFail(ctx, 1)
	if err != nil {
		return "", err
	}
	stack, state := dumpLine.FindStringIndex(text), strings.Index(text, "PROCESS STATE")
	if stack == nil || state < 0 {
		return "", errShows
	}
	return yesNo(stack[0] < state), nil
}

func comesBack(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known(RingCarriesSQLTrace) != Yes || x.known(ActionFormAllocates) != Yes {
		return "", fmt.Errorf("the action form has no ring that shows: %w", errShows)
	}
	if _, err := s.send(ctx, founding, fires); err != nil {
		return "", err
	}
	if err := s.work(ctx, 5); err != nil {
		return "", err
	}
	if err := s.fail(ctx); err != nil {
		return "", err
	}
	text, err := s.grownByWork(ctx, 5)
	return yesNo(records(text) == 0), err
}

func secondOn(ctx context.Context, x *bench, s *subject) (string, error) {
	if x.known(RingCarriesSQLTrace) != Yes {
		return "", errShows
	}
	if _, err := s.send(ctx, on64k, traceOn); err != nil {
		return "", err
	}
	if err := s.work(ctx, 5); err != nil {
		return "", err
	}
	text, err := s.grown(ctx, "a second trace_buffer_on", func() error {
		_, err := s.try(ctx, "session_event immediate trace name trace_buffer_on level 131072")
		return err
	})
	if err != nil {
		return "", err
	}
	if records(text) > 0 {
		return "it writes what the first one holds", nil
	}
	text, err = s.grownBy(ctx, off)
	if records(text) > 0 {
		return "what the first one holds is kept", err
	}
	return "what the first one holds is lost", err
}

func smallest(ctx context.Context, x *bench, s *subject) (string, error) {
	var out []string
	for _, size := range []int{1, 64, 1024, 4096} {
		if _, err := s.send(ctx, fmt.Sprintf("session_event immediate trace name trace_buffer_on level %d", size), traceOn); err != nil {
			return "", err
		}
		if err := s.work(ctx, 20); err != nil {
			return "", err
		}
		text, err := s.grownBy(ctx, off)
		if err != nil {
			return "", err
		}
		text = strings.TrimPrefix(strings.TrimPrefix(text, wrapLine.FindString(text)), "\n")
		text = lastMarker.ReplaceAllString(text, "") // written behind the ring
		out = append(out, fmt.Sprintf("%d: %d bytes written", size, len(text)))
		if _, err := s.send(ctx, traceOff); err != nil {
			return "", err
		}
	}
	if x.known(RingCarriesSQLTrace) != Yes && x.known(RingCarriesMarkers) != Yes {
		return "", errShows
	}
	return strings.Join(out, ", "), nil
}

// lastMarker ends the command that released the ring.
var lastMarker = regexp.MustCompile(`\n\*\*\* [^\n]*\nFinished processing ORADEBUG command[^\n]*\n*$`)

func pgaDifference(ctx context.Context, _ *bench, s *subject) (string, error) {
	before, err := s.pga(ctx)
	if err != nil {
		return "", err
	}
	if _, err := s.send(ctx, "session_event immediate trace name trace_buffer_on level 1048576"); err != nil {
		return "", err
	}
	after, err := s.pga(ctx)
	return fmt.Sprintf("%d bytes", after-before), err
}

// ended tells what became of a ring that held trace when something happened to
// its session.
func (s *subject) atEnd(ctx context.Context, what string, end func() error) (wrote bool, err error) {
	if s.x.known(RingCarriesSQLTrace) != Yes && s.x.known(RingCarriesMarkers) != Yes {
		return false, errShows
	}
	if _, err := s.send(ctx, on64k, traceOn, "eventdump session"); err != nil {
		return false, err
	}
	if err := s.work(ctx, 5); err != nil {
		return false, err
	}
	text, err := s.grown(ctx, what, end)
	return held(s.x, text), err
}

// held reports whether a text is what such a ring held.
func held(x *bench, text string) bool {
	return x.known(RingCarriesSQLTrace) == Yes && records(text) > 0 || strings.Contains(text, "'eventdump session'")
}
