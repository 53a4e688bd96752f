package lint

import (
	"bytes"
	"strings"
)

// variable is a SQL*Plus substitution variable as far as a reader can know it.
type variable struct {
	value string
	known bool // value is what the script itself assigned
	// maybe holds the other values that a query may put in (NEW_VALUE): the
	// ORADEBUG command words that stand as literals in that query.
	maybe []string
	// from says where a value that is not known comes from.
	from origin
}

type origin uint8

const (
	fromDefine   origin = iota
	fromNewValue        // COLUMN … NEW_VALUE: undefined if the query returns no row
	fromAccept          // asked for on purpose
)

// variables is what a script has defined so far.
type variables struct {
	byName map[string]*variable
	// columns maps a column name to its NEW_VALUE variable.
	columns map[string]string
	first   [256]bool // the first letters of columns
}

func newVariables() *variables {
	return &variables{byName: map[string]*variable{}, columns: map[string]string{}}
}

// define carries out DEFINE name = value; args is the text behind DEFINE.
func (v *variables) define(args []byte) {
	name, value, ok := bytes.Cut(args, []byte("="))
	if !ok {
		return
	}
	val := strings.TrimSpace(string(value))
	val = strings.TrimSuffix(val, ";")
	if n := len(val); n > 1 && (val[0] == '\'' || val[0] == '"') && val[n-1] == val[0] {
		val = val[1 : n-1]
	}
	key := strings.ToLower(strings.TrimSpace(string(name)))
	if old := v.byName[key]; old != nil {
		*old = variable{value: val, known: true}
		return
	}
	v.byName[key] = &variable{value: val, known: true}
}

func (v *variables) undefine(args []byte) {
	for _, f := range strings.Fields(strings.ToLower(strings.TrimSuffix(string(args), ";"))) {
		delete(v.byName, f)
	}
}

// accept carries out ACCEPT name ….
func (v *variables) accept(args []byte) {
	if f := strings.Fields(string(args)); len(f) > 0 {
		v.byName[strings.ToLower(f[0])] = &variable{from: fromAccept}
	}
}

// column carries out COLUMN name … NEW_VALUE variable ….
func (v *variables) column(args []byte) {
	f := strings.Fields(strings.ToLower(string(args)))
	for i := 1; i+1 < len(f); i++ {
		if len(f[i]) >= 5 && strings.HasPrefix("new_value", f[i]) {
			name := strings.TrimSuffix(f[i+1], ";")
			v.columns[f[0]] = name
			v.first[f[0][0]] = true
			if v.byName[name] == nil {
				v.byName[name] = &variable{from: fromNewValue}
			}
			return
		}
	}
}

// query takes a SELECT into account: every NEW_VALUE variable whose column it
// names may get a new value. The values are guessed from the query's own
// literals, because a guard like `case when … then 'session_event' else 'help'
// end rt` holds them all; unknown otherwise.
func (v *variables) query(stmt []byte, define byte, isCommand func(string) bool) {
	if len(v.columns) == 0 {
		return
	}
	var words []string
	looked := false
	var buf [64]byte
	for i := 0; i < len(stmt); {
		if !isWord(stmt[i]) {
			i++
			continue
		}
		end := wordEnd(stmt, i)
		n := end - i
		if n <= len(buf) && v.first[lower(stmt[i])] && (i == 0 || stmt[i-1] != define || define == 0) {
			for k := range n {
				buf[k] = lower(stmt[i+k])
			}
			if name, ok := v.columns[string(buf[:n])]; ok {
				if !looked {
					looked = true
					words = commandLiterals(stmt, nil, isCommand)
				}
				v.fill(name, words)
			}
		}
		i = end
	}
}

// fill gives a NEW_VALUE variable what a query may put in.
func (v *variables) fill(name string, words []string) {
	target := v.byName[name]
	if target == nil {
		target = &variable{}
		v.byName[name] = target
	}
	if len(words) == 0 {
		*target = variable{from: fromNewValue}
		return
	}
	if !target.known {
		target.value, target.from = words[0], fromNewValue
	}
	target.maybe, target.known = words, true
}

// commandLiterals collects the string literals of a statement that are
// ORADEBUG command words.
func commandLiterals(stmt []byte, out []string, isCommand func(string) bool) []string {
	for {
		i := bytes.IndexByte(stmt, '\'')
		if i < 0 {
			return out
		}
		stmt = stmt[i+1:]
		end := bytes.IndexByte(stmt, '\'')
		if end < 0 {
			return out
		}
		if w := stmt[:end]; end >= 3 && end <= 16 && len(bytes.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")) == 0 {
			if s := string(w); isCommand(s) {
				out = append(out, s)
			}
		}
		stmt = stmt[end+1:]
	}
}

// reference is one substitution found in a text.
type reference struct {
	at, end int // bytes of the text
	name    string
	double  bool // && keeps the value
}

// nextReference finds the first substitution at or behind i.
func nextReference(b []byte, i int, set *settings) (reference, bool) {
	for set.define != 0 && i < len(b) {
		k := bytes.IndexByte(b[i:], set.define)
		if k < 0 {
			break
		}
		k += i
		if set.escape != 0 && k > 0 && b[k-1] == set.escape {
			i = k + 1
			continue
		}
		r := reference{at: k}
		j := k + 1
		if j < len(b) && b[j] == set.define {
			r.double = true
			j++
		}
		end := wordEnd(b, j)
		if end == j {
			i = j
			continue
		}
		r.name = strings.ToLower(string(b[j:end]))
		if set.concat != 0 && end < len(b) && b[end] == set.concat {
			end++
		}
		r.end = end
		return r, true
	}
	return reference{}, false
}
