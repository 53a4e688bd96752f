package lint

import (
	"bytes"
	"strings"

	"ringtrace/oradebug/catalog"
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
	// words are ORADEBUG's commands, in lower and in upper case.
	words    map[string]string
	literals []string
}

// lookup finds a variable by its name in any letter case; nil if there is none.
func (v *variables) lookup(name []byte) *variable {
	var buf [64]byte
	if len(name) > len(buf) {
		return v.byName[strings.ToLower(string(name))]
	}
	for i, c := range name {
		buf[i] = lower(c)
	}
	return v.byName[string(buf[:len(name)])]
}

func newVariables() *variables {
	v := &variables{byName: map[string]*variable{}, columns: map[string]string{}, words: map[string]string{}}
	for _, c := range catalog.Commands() {
		low := strings.ToLower(c.Name)
		v.words[low], v.words[c.Name] = low, low
	}
	return v
}

// maxValue is more than DEFINE takes, in bytes: a longer value is not known.
const maxValue = 4 << 10

// define carries out DEFINE name = value; args is the text behind DEFINE.
func (v *variables) define(args []byte) {
	name, value, ok := bytes.Cut(args, []byte("="))
	if !ok {
		return
	}
	val := string(bytes.TrimSpace(value))
	val = strings.TrimSuffix(val, ";")
	if n := len(val); n > 1 && (val[0] == '\'' || val[0] == '"') && val[n-1] == val[0] {
		val = val[1 : n-1]
	}
	name = bytes.TrimSpace(name)
	if len(val) > maxValue {
		v.byName[strings.ToLower(string(name))] = &variable{from: fromAccept}
		return
	}
	if old := v.lookup(name); old != nil {
		if old.known && old.value == val {
			old.maybe = old.maybe[:0]
			return
		}
		*old = variable{value: val, known: true, maybe: old.maybe[:0]}
		return
	}
	v.byName[strings.ToLower(string(name))] = &variable{value: val, known: true}
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

// column carries out COLUMN name … NEW_VALUE variable …, and OLD_VALUE.
func (v *variables) column(args []byte) {
	f := strings.Fields(strings.ToLower(string(args)))
	for i := 1; i+1 < len(f); i++ {
		if len(f[i]) >= 5 && (strings.HasPrefix("new_value", f[i]) || strings.HasPrefix("old_value", f[i])) {
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
func (v *variables) query(stmt []byte, define byte) {
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
					words = v.commandLiterals(stmt)
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
	target.maybe, target.known = append(target.maybe[:0], words...), true
}

// commandLiterals collects the string literals of a statement that are
// ORADEBUG command words.
func (v *variables) commandLiterals(stmt []byte) []string {
	out := v.literals[:0]
	for {
		i := bytes.IndexByte(stmt, '\'')
		if i < 0 {
			break
		}
		stmt = stmt[i+1:]
		end := bytes.IndexByte(stmt, '\'')
		if end < 0 {
			break
		}
		if end >= 3 && end <= 16 {
			if w, ok := v.words[string(stmt[:end])]; ok {
				out = append(out, w)
			}
		}
		stmt = stmt[end+1:]
	}
	v.literals = out
	return out
}

// reference is one substitution found in a text.
type reference struct {
	at, end int // bytes of the text
	name    []byte
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
		r.name = b[j:end]
		if set.concat != 0 && end < len(b) && b[end] == set.concat {
			end++
		}
		r.end = end
		return r, true
	}
	return reference{}, false
}
