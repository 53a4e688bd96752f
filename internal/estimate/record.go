package estimate

// Kind is a type of trace record.
type Kind int

// The types, in the order in which they are printed.
const (
	Wait Kind = iota
	Parse
	Parsing
	Exec
	Fetch
	Close
	Stat
	Binds
	Xctend
	Stamp
	kinds
)

var kindNames = [kinds]string{"WAIT", "PARSE", "PARSING IN CURSOR", "EXEC", "FETCH", "CLOSE", "STAT", "BINDS", "XCTEND", "*** time stamp"}

// String is the record's name.
func (k Kind) String() string { return kindNames[k] }

// Load is how much of each type: records, lines and bytes.
type Load struct {
	Records, Lines, Bytes [kinds]float64
}

func (l *Load) add(k Kind, records, lines, bytes float64) {
	l.Records[k] += records
	l.Lines[k] += lines
	l.Bytes[k] += bytes
}

// rates lists what there is, as rates over seconds.
func (l *Load) rates(seconds float64) []Record {
	list := []Record{}
	for k := range kinds {
		if l.Records[k] > 0 {
			list = append(list, Record{k.String(), l.Records[k] / seconds, l.Lines[k] / seconds, l.Bytes[k] / seconds})
		}
	}
	return list
}

// TotalLines sums the lines of all types.
func (l *Load) TotalLines() float64 { return sum(l.Lines) }

// TotalBytes sums the bytes of all types.
func (l *Load) TotalBytes() float64 { return sum(l.Bytes) }

func sum(v [kinds]float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// sizes are bytes a record, line end included, as trace files of a family of
// releases have them on average (facts/clock-and-overhead.md C).
type sizes struct {
	parse, exec, fetch, close float64
	wait                      float64 // without the event's name
	stat, xctend, stamp       float64
	parsing                   float64 // without the SQL text
	bind                      float64 // one bind, its share of the block's head included
}

// sizesOf picks the family by the first number of V$INSTANCE.VERSION; unknown
// ones are taken for the newest.
func sizesOf(major int) sizes {
	switch {
	case major > 0 && major <= 10:
		return sizes{parse: 74, exec: 74, fetch: 73, close: 61, wait: 86, stat: 84, xctend: 43, stamp: 47, parsing: 165, bind: 177}
	case major == 11:
		return sizes{parse: 78, exec: 76, fetch: 75, close: 65, wait: 101, stat: 122, xctend: 43, stamp: 39, parsing: 165, bind: 177}
	case major == 12:
		return sizes{parse: 97, exec: 98, fetch: 98, close: 61, wait: 95, stat: 129, xctend: 43, stamp: 47, parsing: 165, bind: 177}
	case major == 18:
		return sizes{parse: 97, exec: 97, fetch: 96, close: 61, wait: 100, stat: 136, xctend: 43, stamp: 58, parsing: 165, bind: 177}
	}
	return sizes{parse: 100, exec: 100, fetch: 102, close: 62, wait: 100, stat: 134, xctend: 44, stamp: 53, parsing: 165, bind: 177}
}
