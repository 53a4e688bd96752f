package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/tracefile"
)

// Bundle is what the manifest of a bundle says of the campaign behind it.
type Bundle struct {
	Path     string   `json:"path"` // as its files are shown, without their names
	Campaign string   `json:"campaign"`
	Watched  []int64  `json:"watched"`  // error numbers
	Redacted []string `json:"redacted"` // binds, literals, names: these are tokens
	Partial  int      `json:"partial"`
	Missing  int      `json:"missing"`
	Denied   int      `json:"denied"`
	Sessions int      `json:"sessions"`
	Traces   int      `json:"traces"`

	Simulated bool `json:"simulated"` // no database wrote these traces

	Without []SessionNote `json:"without_trace"` // why sessions have none, the most frequent first

	created time.Time
	armed   map[[3]int]time.Time // by inst_id, sid, serial
}

// maxBundles bounds what a hostile archive can make of manifests.
const maxBundles = 100

// manifest takes what a bundle says of itself. A file of that name that is not a
// bundle's, such as that of generated scripts, says nothing.
func (l *Loaded) manifest(m bundle.Member) {
	if len(l.Bundles) >= maxBundles {
		return
	}
	rc, err := m.Open()
	if err != nil {
		return // the traces are read all the same
	}
	defer rc.Close()
	d, err := bundle.ReadManifest(rc)
	if err != nil || d.Campaign == "" || d.Contents == nil {
		return
	}
	b := Bundle{
		Path: strings.TrimSuffix(m.Path, bundle.ManifestName), Campaign: valid(d.Campaign), Watched: []int64{}, Redacted: []string{},
		Partial: d.Summary.Partial, Missing: d.Summary.Missing, Denied: d.Summary.Denied,
		Sessions: d.Summary.Sessions, Traces: d.Summary.Files, Without: without(d.Files), created: d.Created, armed: map[[3]int]time.Time{}, Simulated: d.Simulated,
	}
	for _, n := range d.Watched {
		b.Watched = append(b.Watched, int64(n))
	}
	for _, w := range []string{"binds", "literals", "names"} {
		if slices.Contains(d.Redacted.What, w) {
			b.Redacted = append(b.Redacted, w)
		}
	}
	for i := range d.Files {
		if f := &d.Files[i]; f.ArmedAt != nil {
			b.armed[[3]int{f.InstID, f.SID, f.Serial}] = *f.ArmedAt
		}
	}
	l.Bundles = append(l.Bundles, b)
}

// Simulated names the campaigns whose traces no database wrote, "" if there are
// none: nobody should act on them.
func (m *Model) Simulated() string {
	for i := range m.Bundles {
		if b := &m.Bundles[i]; b.Simulated {
			return fmt.Sprintf("SIMULATED: the traces of campaign %s are those of ringtrace's simulated instance, no database wrote them", b.Campaign)
		}
	}
	return ""
}

// What an error has to do with the campaign whose bundle it is in.
const (
	apartNotWatched = "not_watched"   // the campaign did not wait for it
	apartBefore     = "before_arming" // its session was not armed yet
	apartNotArmed   = "not_armed"     // nor was it later
)

// clockSlack is by how much the clock of the host that kept the journal may run
// ahead of the one that stamped the trace.
const clockSlack = 5 * time.Second

// apart says why an error is none that the bundle's campaign caught; "" if it is,
// or if the file is in no bundle that tells.
func (b *builder) apart(e *tracefile.ErrorInfo) string {
	if e.File == nil {
		return ""
	}
	for i := range b.opt.Bundles {
		d := &b.opt.Bundles[i]
		rest, ok := strings.CutPrefix(e.File.Path, d.Path)
		if !ok || len(d.Watched) == 0 || e.ORA == 0 {
			continue
		}
		if !slices.Contains(d.Watched, e.ORA) {
			return apartNotWatched
		}
		from := d.created
		if key, ok := sessionKey(rest, e.Session); ok {
			if from, ok = d.armed[key]; !ok {
				return apartNotArmed
			}
		}
		zoned := e.Session != nil && e.Session.Clock.HasZone
		if e.HasWall && zoned && time.UnixMicro(e.Wall).Before(from.Add(-clockSlack)) {
			return apartBefore
		}
		return ""
	}
	return ""
}

// sessionKey is the inst_id, sid and serial# of a session of a bundle's file.
func sessionKey(name string, s *tracefile.Session) (key [3]int, ok bool) {
	if s == nil {
		return key, false
	}
	parts := strings.Split(name, "/")
	sid, serial, found := strings.Cut(s.SID, ".")
	if len(parts) < 3 || !found {
		return key, false
	}
	for i, text := range []string{parts[len(parts)-2], sid, serial} {
		n, err := strconv.Atoi(text)
		if err != nil {
			return key, false
		}
		key[i] = n
	}
	return key, true
}

// ApartWords says it to a person.
func ApartWords(why string) string {
	switch why {
	case apartNotWatched:
		return "the campaign did not wait for it"
	case apartBefore:
		return "from before its session was armed"
	case apartNotArmed:
		return "its session was never armed"
	}
	return ""
}

// Tokens lists what a bundle's makers replaced by made-up values.
func (m *Model) Tokens() string {
	var out []string
	for _, w := range m.Redacted {
		switch w {
		case "binds":
			out = append(out, "bind values")
		case "literals":
			out = append(out, "SQL literals")
		case "names":
			out = append(out, "names of hosts and users")
		}
	}
	if len(out) == 0 {
		return ""
	}
	list := out[len(out)-1]
	if len(out) > 1 {
		list = strings.Join(out[:len(out)-1], ", ") + " and " + list
	}
	return fmt.Sprintf("%s are TOKENS, not the real ones: they were replaced when the bundle was made (collect --redact)", list)
}

// lacks says what a bundle does not hold of its campaign's traces.
func (b *Bundle) lacks() string {
	var out []string
	for _, x := range []struct {
		n    int
		what string
	}{{b.Partial, "cut short"}, {b.Missing, "missing"}, {b.Denied, "denied"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf("the bundle of campaign %s is not whole: %s; see ringtrace collect list", b.Campaign, strings.Join(out, ", "))
}

// Lacks lists what bundles do not hold.
func (m *Model) Lacks() []string {
	var out []string
	for i := range m.Bundles {
		if s := m.Bundles[i].lacks(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// bundles hands on what the bundles say.
func (b *builder) bundles() {
	b.m.Bundles, b.m.Redacted = append([]Bundle{}, b.opt.Bundles...), []string{}
	for i := range b.opt.Bundles {
		for _, w := range b.opt.Bundles[i].Redacted {
			if !slices.Contains(b.m.Redacted, w) {
				b.m.Redacted = append(b.m.Redacted, w)
			}
		}
	}
}
