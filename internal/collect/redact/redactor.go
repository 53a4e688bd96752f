package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"strings"
	"sync"

	"ringtrace/internal/bundle"
	"ringtrace/internal/exit"
)

// What says what is taken out.
type What struct{ Binds, Literals, Names bool }

// ParseWhat reads a comma list of binds, literals, names, or none.
func ParseWhat(text string) (What, error) {
	var w What
	none := false
	for _, word := range strings.Split(text, ",") {
		switch strings.TrimSpace(word) {
		case "binds":
			w.Binds = true
		case "literals":
			w.Literals = true
		case "names":
			w.Names = true
		case "none":
			none = true
		default:
			return w, exit.Errorf(exit.Usage, "give --redact binds,literals,names or --redact none", "--redact: %q cannot be taken out", word)
		}
	}
	if none && w != (What{}) {
		return w, exit.Errorf(exit.Usage, "give either none, or a list of binds, literals, names", "--redact: none and something cannot go together")
	}
	return w, nil
}

// List returns the words of what is taken out.
func (w What) List() []string {
	out := []string{}
	for _, x := range []struct {
		on   bool
		word string
	}{{w.Binds, "binds"}, {w.Literals, "literals"}, {w.Names, "names"}} {
		if x.on {
			out = append(out, x.word)
		}
	}
	return out
}

// Redactor takes values out of the texts of one bundle. Learn from all of them
// first, then Seal it, then let them through.
type Redactor struct {
	what    What
	key     []byte
	values  map[string]bool // of binds and literals; true: it cannot stand anywhere by chance
	short   map[string]bool // those that are searched nowhere but where they can stand alone
	names   map[string]bool
	size    int
	over    bool // more values than are kept
	sealed  bool
	free    *matcher
	hosts   *matcher
	certain *matcher // of the values those that are true

	mu       sync.Mutex
	replaced int64
	blanked  int64
	left     []string // where a value was still found
}

// maxValues bounds the memory for values, in bytes.
const maxValues = 32 << 20

// maxShort bounds how many short values are kept.
const maxShort = 100_000

// New returns a Redactor. The key must be secret and the same for all files
// that are to have the same tokens.
func New(key []byte, what What) *Redactor {
	return &Redactor{what: what, key: key, values: map[string]bool{}, short: map[string]bool{}, names: map[string]bool{}}
}

// KeyID names a key without telling it.
func KeyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("ringtrace redaction key "), key...))
	return hex.EncodeToString(sum[:4])
}

// everywhere are users that every database has: they tell nothing, and stand in
// every dump.
var everywhere = map[string]bool{
	"SYS": true, "SYSTEM": true, "SYSDBA": true, "SYSOPER": true, "SYSBACKUP": true, "SYSDG": true, "SYSKM": true, "SYSRAC": true, "SYSMAN": true, "SYS$UMF": true,
}

// LearnName adds a user, host or client name.
func (r *Redactor) LearnName(s string) {
	if r.what.Names && len(s) >= 2 && !everywhere[s] {
		r.names[s] = true
		if short, _, ok := strings.Cut(s, "."); ok && len(short) >= 2 {
			r.names[short] = true
		}
	}
}

func (r *Redactor) learn(v []byte) { r.learnValue(string(v)) }

func (r *Redactor) learnValue(v string) {
	if len(v) < minValue || harmless(v) {
		if v != "" && len(r.short) < maxShort {
			r.short[strings.Clone(v)] = true
		}
		return
	}
	if _, known := r.values[v]; known {
		return
	}
	if r.size += len(v) + 64; r.size > maxValues {
		r.over = true
		return
	}
	r.values[strings.Clone(v)] = isCertain(v)
}

// known reports whether a literal is, or holds, a value that was learned.
func (r *Redactor) known(v []byte) bool {
	_, is := r.values[string(v)]
	return is || r.short[string(v)] || r.free.find(v, minValue) >= 0 || r.holds(v) >= 0
}

// minValue is how long a value must be to be searched in other text: shorter
// ones stand everywhere by chance. In its own place every value is replaced.
const minValue = 4

// harmless reports values that say nothing and would wreck every text: short
// numbers, and words of SQL.
func harmless(v string) bool {
	if isPlainWord(v) {
		return true
	}
	digits := strings.Trim(v, "0123456789.-+") == ""
	return digits && len(v) < 8
}

// Learn reads a trace and keeps its values.
func (r *Redactor) Learn(in io.Reader) error {
	p := newParser(r, in)
	p.learning = true
	_, err := io.Copy(io.Discard, p)
	return err
}

// Seal ends the learning.
func (r *Redactor) Seal() {
	names := maps.Clone(r.names) // a name can be learned later, from a note
	r.free = newMatcher(false, r.values, names)
	r.hosts = newMatcher(false, names)
	r.certain, r.sealed = newMatcher(true, r.values), true
}

// Trace returns the redacted text of a trace: as many bytes as in.
func (r *Redactor) Trace(in io.Reader) io.Reader { return newParser(r, in) }

// Name redacts a file name.
func (r *Redactor) Name(s string) string {
	if !r.what.Names {
		return s
	}
	out := []byte(s)
	newMatcher(false, r.names).replace(out, r.token)
	return string(out)
}

func (r *Redactor) count(replaced, blanked int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replaced += replaced
	r.blanked += blanked
}

// Verdict is an error if a value was found in what came out.
func (r *Redactor) Verdict() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) == 0 {
		return nil
	}
	return exit.Errorf(exit.Failed, "no bundle was written; report this with the version, and collect with --redact none where the values may be seen",
		"the redacted text still holds a value that was to be taken out (%s)", strings.Join(r.left, "; "))
}

// Report says what was done, for the manifest.
func (r *Redactor) Report() bundle.Redaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := KeyID(r.key)
	out := bundle.Redaction{What: r.what.List(), KeyID: &id, Values: r.replaced, Blanked: r.blanked, Notes: []string{}}
	if r.blanked > 0 {
		out.Notes = append(out.Notes, "memory dumps, cursor dumps, process state and text of unknown form are blanked: letters are x, digits 0")
	}
	if r.what.Binds || r.what.Literals {
		out.Notes = append(out.Notes, "sql_id and hash values are those of the original SQL text and can confirm a guess of it", "journal.jsonl and scripts are copies in which values were replaced: their checksums are those of the originals")
	}
	if r.over {
		out.Notes = append(out.Notes, "there were more values than are kept in memory: all SQL literals were replaced, and values beyond the first were searched in their own places only")
	}
	return out
}
