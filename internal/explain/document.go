package explain

// Document is what `explain -o json` prints for one event text (contract:
// explain -o json). Values of parameters are strings, as they were written;
// a word that stands alone, such as forever, has the value "true".
type Document struct {
	Input     string   `json:"input"`
	Events    []Event  `json:"events"`
	Canonical *string  `json:"canonical"`
	TurnOff   []string `json:"turn_off"`
	Warnings  []string `json:"warnings"`
	Errors    []Fault  `json:"errors"`
}

// Event is one event of the text.
type Event struct {
	ID        string            `json:"id"`
	Alias     *string           `json:"alias"`
	Kind      string            `json:"kind"` // number, name or alias
	Target    *string           `json:"target"`
	Scope     *string           `json:"scope"`
	Filters   []string          `json:"filters"`
	Params    map[string]string `json:"params"`
	Actions   []Action          `json:"actions"`
	Style     string            `json:"style"` // new or old
	Immediate bool              `json:"immediate"`
	Off       bool              `json:"off"`
	// Meaning is one sentence; Mapped is what 11g and later store instead;
	// Old and New are the equivalents in either syntax, empty where none is
	// known.
	Meaning string   `json:"meaning"`
	Mapped  *string  `json:"mapped"`
	Old     []string `json:"old"`
	New     []string `json:"new"`
}

// Action is one action, or one name of an old-style event.
type Action struct {
	Name    string            `json:"name"`
	Args    map[string]string `json:"args"`
	Risk    string            `json:"risk"` // safe, risky or dangerous
	Meaning string            `json:"meaning"`
}

// Fault is why Oracle would refuse the text.
type Fault struct {
	Column  int    `json:"column"`
	ORA     int    `json:"ora"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Refused reports whether Oracle would refuse the text.
func (d *Document) Refused() bool { return len(d.Errors) > 0 }
