package argv

import (
	"strconv"
	"strings"
)

// word is one element of a command line as read under a path.
type word struct {
	index int    // of the argument it began in
	text  string // a positional, or the flag as it was typed
	flag  *Flag  // nil for a positional
	level int
	value string
	err   *Error // what is wrong with this flag
}

// walker reads arguments left to right under the assumption that path is what
// the user called; a flag of another command is read with that command's idea
// of whether it takes a value, so that the error can name it.
type walker struct {
	path   path
	owners map[string][]owner // of each flag name anywhere in the tree
	args   []string
	next   int
	ended  bool   // "--" was seen
	queue  []word // further flags of a cluster like -qv
}

// owner is a command that has a flag.
type owner struct {
	flag *Flag
	path path
}

// read returns the next word; ok is false at the end.
func (w *walker) read() (word, bool) {
	if len(w.queue) > 0 {
		first := w.queue[0]
		w.queue = w.queue[1:]
		return first, true
	}
	for w.next < len(w.args) {
		i, arg := w.next, w.args[w.next]
		w.next++
		switch {
		case w.ended || arg == "-" || !strings.HasPrefix(arg, "-"):
			return word{index: i, text: arg}, true
		case arg == "--":
			w.ended = true
		default:
			return w.readFlag(i, arg), true
		}
	}
	return word{}, false
}

// readFlag reads the flag in arg, the argument numbered i: an exact name
// first, then a cluster of one-letter flags.
func (w *walker) readFlag(i int, arg string) word {
	body := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	name, value, hasValue := strings.Cut(body, "=")
	if name == "" || strings.HasPrefix(name, "-") {
		return word{index: i, text: arg, err: errBadSyntax(arg)}
	}
	typed := arg[:len(arg)-len(body)] + name
	if f, level, negated := w.path.find(name); f != nil {
		return w.finish(word{index: i, text: typed, flag: f, level: level}, value, hasValue, negated)
	}
	if len(w.owners[name]) > 0 {
		return w.readForeign(i, typed, name, hasValue)
	}
	if !strings.HasPrefix(arg, "--") {
		if words := w.cluster(i, body); words != nil {
			w.queue = words[1:]
			return words[0]
		}
	}
	return word{index: i, text: typed, err: errUnknownFlag(w.path, typed)}
}

// readForeign steps over a flag that belongs to other commands only.
func (w *walker) readForeign(i int, typed, name string, hasValue bool) word {
	owners := w.owners[name]
	if !hasValue && !owners[0].flag.Bool && w.next < len(w.args) && !strings.HasPrefix(w.args[w.next], "-") {
		w.next++
	}
	return word{index: i, text: typed, err: errForeignFlag(w.path, typed, owners)}
}

// cluster reads -qv, -qo json, -qo=json and -ojson; nil if body is none.
func (w *walker) cluster(i int, body string) []word {
	if suggestion := Closest("--"+strings.SplitN(body, "=", 2)[0], w.path.flagNames()); suggestion != "" {
		return nil // -conect is a slip of -connect, not -c onect
	}
	var words []word
	for at := 0; at < len(body); at++ {
		letter := body[at : at+1]
		f, level, _ := w.path.find(letter)
		if f == nil {
			return nil
		}
		this := word{index: i, text: "-" + letter, flag: f, level: level}
		rest := body[at+1:]
		if !f.Bool {
			value, hasEqual := strings.CutPrefix(rest, "=")
			return append(words, w.finish(this, value, hasEqual || rest != "", false))
		}
		if value, ok := strings.CutPrefix(rest, "="); ok {
			return append(words, w.finish(this, value, true, false))
		}
		words = append(words, w.finish(this, "", false, false))
	}
	return words
}

// finish gives the flag its value: what stood behind "=", or the next
// argument for a flag that needs one.
func (w *walker) finish(this word, value string, hasValue, negated bool) word {
	if this.flag.Bool {
		on := true
		if hasValue {
			var err error
			if on, err = strconv.ParseBool(value); err != nil {
				this.err = errNotBool(this.text, value)
				return this
			}
		}
		this.value = strconv.FormatBool(on != negated)
		return this
	}
	if hasValue {
		this.value = value
		return this
	}
	if w.next >= len(w.args) {
		this.err = errMissingValue(this.text, "")
		return this
	}
	if candidate := w.args[w.next]; w.isFlag(candidate) {
		this.err = errMissingValue(this.text, candidate)
		return this
	}
	this.value = w.args[w.next]
	w.next++
	return this
}

// isFlag reports whether arg, standing where a value is due, is rather a flag
// whose predecessor lost its value: "--", a known flag, or the slip of a long
// one. Anything else that begins with "-" is a value: -60, -x, --java--.
func (w *walker) isFlag(arg string) bool {
	if arg == "--" {
		return true
	}
	body := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if body == arg || body == "" {
		return false
	}
	name, _, _ := strings.Cut(body, "=")
	if f, _, _ := w.path.find(name); f != nil {
		return true
	}
	if strings.HasPrefix(arg, "--") {
		return Closest("--"+name, w.path.flagNames()) != ""
	}
	for i := range len(name) {
		if f, _, _ := w.path.find(name[i : i+1]); f == nil || !f.Bool {
			return false
		}
	}
	return name != ""
}
