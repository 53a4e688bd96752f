package oradebug

// Spec is one event text: one or more events joined by ":".
type Spec struct {
	Events []Event
	// Semicolon says that a stray ";" ended the text. SQL*Plus users type one
	// out of habit; it is accepted, never printed and never compared.
	Semicolon bool
}

// Style tells the two syntaxes apart.
type Style uint8

// The syntaxes: new is `942 errorstack(3)` (11g and later), old is
// `942 trace name errorstack level 3`.
const (
	StyleNew Style = iota
	StyleOld
)

// String returns "new" or "old".
func (s Style) String() string {
	if s == StyleOld {
		return "old"
	}
	return "new"
}

// IDKind says how an event was named.
type IDKind uint8

// The ways to name an event. KindVariable is a substitution variable (`&ev`,
// `$EV`): nothing can be said of the event until it is replaced.
const (
	KindNumber IDKind = iota
	KindName
	KindAlias
	KindVariable
)

// String returns "number", "name", "alias" or "variable".
func (k IDKind) String() string {
	return [...]string{"number", "name", "alias", "variable"}[k]
}

// EventID names the event that is set.
type EventID struct {
	Kind IDKind
	// Number is the event or error number for KindNumber and KindAlias; a
	// hexadecimal number and a name such as DEADLOCK are resolved.
	Number int
	// Name is the event's name in lower case for KindName ("sql_trace",
	// "immediate"), the variable's text for KindVariable.
	Name string
	// Alias is the name as the catalogue has it for KindAlias ("deadlock").
	Alias string
	// Library is the library given before the name, lower case; often empty.
	Library string
}

// Event is one event of a Spec.
type Event struct {
	ID        EventID
	Immediate bool    // `immediate …`: done at once, nothing stays set
	Target    []Value // `trace[…]`, `wait_event[…]`; nil if none
	Scope     *Scope  // `[sql: …]`; nil if none
	Filters   []Filter
	Params    []Param // `wait=true, level 12`
	// Verb is "trace", "crash" or "debugger" for the old style, else empty.
	Verb string
	// Actions holds new-style actions, or the names of an old-style
	// `trace name A …; name B …` with their qualifiers as Args.
	Actions []Action
	Off     bool
	// Column is where the event begins, 1-based, in bytes. Equal ignores it.
	Column int
	// NoComma says that old-style qualifiers were not parted by commas, which
	// is seen in no accepted sample. Equal ignores it.
	NoComma bool
}

// Style returns the syntax the event is written in.
func (e *Event) Style() Style {
	if e.Verb != "" {
		return StyleOld
	}
	return StyleNew
}

// Scope limits an event to SQL statements or queues.
type Scope struct {
	Name   string // "sql" or "queue"
	Values []Value
}

// Filter is one `{…}`: alternatives parted by "|". Several filters of an
// event must all hold.
type Filter struct {
	Alternatives []FilterTerm
}

// FilterTerm is one `name: params`.
type FilterTerm struct {
	Name string // lower case, as Oracle spells it ("occurence")
	Args []Param
}

// Action is something done when the event is met.
type Action struct {
	Library string // lower case, often empty
	Name    string // lower case
	Args    []Param
	// Parens says that a new-style action was written with parentheses.
	Parens bool
	Column int
}

// Param is one parameter or old-style qualifier.
type Param struct {
	// Name is lower case; for a positional parameter it is resolved from the
	// catalogue, and is empty only where the catalogue does not know it.
	Name       string
	Value      Value
	Positional bool
	// Flag says that the name stands alone: `forever`, `off`.
	Flag   bool
	Column int
}

// Value is the text of a parameter, or a nested action.
type Value struct {
	Text   string // without the quotes
	Quoted bool
	Call   *Action
}

// Arg returns the value text of the named argument.
func (a *Action) Arg(name string) (string, bool) { return paramText(a.Args, name) }

// Param returns the value text of the named parameter.
func (e *Event) Param(name string) (string, bool) { return paramText(e.Params, name) }

func paramText(ps []Param, name string) (string, bool) {
	for i := range ps {
		if ps[i].Name == name {
			if ps[i].Flag {
				return "true", true
			}
			return ps[i].Value.String(), true
		}
	}
	return "", false
}
