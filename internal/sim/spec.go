package sim

import (
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/oraerr"
	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// Spec says which database to simulate: what stands behind `sim:` without a
// directory, and what `sim up` is told.
type Spec struct {
	Release   string // "" is 19c
	Instances int    // 0 is 1
	Sessions  int    // user sessions of the default scenario
	Seed      int64
	Identity  instance.Identity // of a folder's instance; zero: that of the seed
	Windows   bool
	Threaded  bool
	Assume    assume.Set
}

// DefaultSessions is how many user sessions the scenario `quiet` has.
const DefaultSessions = 60

// maxSessions bounds what a person may ask for by mistake.
const maxSessions = 200_000

// ParseSpec reads `?seed=1&sessions=60&release=19c`, with or without the
// question mark; further keys are instances, windows, threaded and
// assume=NAME or assume=NAME:off.
func ParseSpec(s string) (Spec, error) {
	spec := Spec{Sessions: DefaultSessions, Instances: 1, Seed: 1}
	values, err := url.ParseQuery(strings.TrimPrefix(s, "?"))
	if err != nil {
		return spec, fmt.Errorf("sim:%s: %w", s, err)
	}
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		for _, v := range values[k] {
			if err := spec.set(k, v); err != nil {
				return spec, err
			}
		}
	}
	if _, err := release.Find(spec.Release); err != nil {
		return spec, err
	}
	return spec, nil
}

func (s *Spec) set(key, value string) error {
	count := func(least, most int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("sim: %s=%s is no number from %d to %d", key, value, least, most)
		}
		return n, nil
	}
	var err error
	switch key {
	case "release":
		s.Release = value
	case "seed":
		if s.Seed, err = strconv.ParseInt(value, 10, 64); err != nil {
			return fmt.Errorf("sim: seed=%s is no whole number", value)
		}
	case "sessions":
		s.Sessions, err = count(0, maxSessions)
	case "instances":
		s.Instances, err = count(1, 9)
	case "windows":
		s.Windows, err = isOn(key, value)
	case "threaded":
		s.Threaded, err = isOn(key, value)
	case "assume":
		err = s.Suppose(value)
	default:
		return fmt.Errorf("sim: unknown key %q; there are release seed sessions instances windows threaded assume", key)
	}
	return err
}

// isOn reads a switch; the key alone switches it on.
func isOn(key, value string) (bool, error) {
	switch strings.ToLower(value) {
	case "", "1", "true", "on":
		return true, nil
	case "0", "false", "off":
		return false, nil
	}
	return false, fmt.Errorf("sim: %s=%s is neither on nor off", key, value)
}

// Suppose sets one assumption: NAME or NAME:off.
func (s *Spec) Suppose(text string) error {
	name, setting, _ := strings.Cut(text, ":")
	set, ok := s.Assume.With(assume.Switch(name), setting != "off")
	if !ok || setting != "" && setting != "on" && setting != "off" {
		return fmt.Errorf("sim: there is no assumption %q; write NAME or NAME:off, docs/simulator.md lists them", text)
	}
	s.Assume = set
	return nil
}

// New builds the simulated database of a Spec, with the scenario `quiet`.
// store and diagBase are where trace files go; nil and "" keep them in memory.
func New(spec Spec, now func() time.Time, store adr.Store, diagBase string) (*instance.Database, error) {
	r, err := release.Find(spec.Release)
	if err != nil {
		return nil, err
	}
	d := instance.New(instance.Config{
		Release: r, Instances: spec.Instances, Sessions: spec.Sessions, Seed: spec.Seed, Identity: spec.Identity, Windows: spec.Windows, Threaded: spec.Threaded,
		Now: now, Store: store, DiagBase: diagBase, Assume: spec.Assume, ErrorText: errorText,
	})
	d.Quiet(spec.Sessions)
	return d, nil
}

// errorText fills the placeholders of Oracle's text: nobody needs to know
// which constraint was violated.
func errorText(ora int) string {
	text := oraerr.Text(ora)
	if text == "" {
		return "Message " + strconv.Itoa(ora) + " not found; product=RDBMS; facility=ORA"
	}
	return strings.ReplaceAll(text, "%s", "SIMULATED")
}
