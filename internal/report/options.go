package report

// Options select and shape a report.
type Options struct {
	SQL       []string // SQL ids; empty means all
	ORA       []int64  // error numbers; empty means all
	Read      []string // what narrowed the reading, in words: "session 12.34"
	Top       int      // statements in text and HTML; 0 means 20
	Recursive bool     // recursive SYS statements one by one in text and HTML
	AllRows   bool     // the whole story that was kept, not its tail
	TailUS    int64    // how much of the story before the error; 0 means 10 s or 50 calls
	Sort      string   // a key of SortKeys; empty means self
	Redact    Redact
	Bundles   []Bundle     // where the traces are from, by Load
	ReadOnce  bool         // a pipe was bounded in time by the stamps read so far, by Load
	Passed    []PassedOver // what was not read of folders and archives, by Load
	Covers    string       // from when to when the traces are, where bounded in time, by Load
	Tool      string       // "ringtrace 1.2"
}

// Redact says what is taken out of a report.
type Redact struct{ Binds, Literals, Names bool }

// SortKeys are the orders of statements.
var sortKeys = []struct {
	name string
	of   func(*Statement) int64
}{
	{"self", func(s *Statement) int64 { return s.ElapsedSelfUS }},
	{"inclusive", func(s *Statement) int64 { return s.InclusiveUS }},
	{"cpu", func(s *Statement) int64 { return s.Parse.CPUUS + s.Exec.CPUUS + s.Fetch.CPUUS }},
	{"executions", func(s *Statement) int64 { return s.Exec.Count }},
	{"gets", func(s *Statement) int64 {
		return s.Parse.Query + s.Exec.Query + s.Fetch.Query + s.Parse.Current + s.Exec.Current + s.Fetch.Current
	}},
	{"reads", func(s *Statement) int64 { return s.Parse.Disk + s.Exec.Disk + s.Fetch.Disk }},
	{"rows", func(s *Statement) int64 { return s.Exec.Rows + s.Fetch.Rows }},
	{"errors", func(s *Statement) int64 { return s.Errors }},
	{"line", func(s *Statement) int64 { return -s.Line }},
}

// SortNames lists the orders of statements that Options.Sort takes.
func SortNames() []string {
	var names []string
	for _, k := range sortKeys {
		names = append(names, k.name)
	}
	return names
}

func sortKey(name string) func(*Statement) int64 {
	for _, k := range sortKeys {
		if k.name == name {
			return k.of
		}
	}
	return sortKeys[0].of
}
