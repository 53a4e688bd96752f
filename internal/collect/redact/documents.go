package redact

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// LearnDocument keeps the values of a document that no trace need hold: the
// literals of the statements in cursors.json.
func (r *Redactor) LearnDocument(name string, data []byte) {
	if !r.what.Literals || path.Base(name) != "cursors.json" {
		return
	}
	eachString(data, func(key, s string) (string, bool) {
		if key == "text" {
			r.sql([]byte(s), func([]byte) bool { return false }, r.learn)
		}
		return "", false
	})
}

// fixedKeys are the JSON fields whose words come from a list of ours, or that
// hold what we sent, times and sums. A value that happens to be one of these
// words is not told by them.
var fixedKeys = map[string]bool{
	"kind": true, "verb": true, "op": true, "result": true, "state": true, "ring": true, "origin": true, "status": true, "outcome": true, "style": true,
	"commands": true, "off": true, "spec": true, "at": true, "prev": true, "sum": true, "sha256": true, "created": true, "expires": true, "logon_time": true,
	"started": true, "start": true, "startup_time": true, "sql_id": true, "campaign": true, "clock": true, "method": true, "grade": true, "server": true, "type": true,
}

// Document redacts a text that is no trace: JSON by its strings, so that it
// stays JSON; anything else as plain text.
func (r *Redactor) Document(name string, data []byte) []byte {
	var out []byte
	switch path.Ext(name) {
	case ".json", ".jsonl":
		cursors := path.Base(name) == "cursors.json"
		out = eachString(data, func(key, s string) (string, bool) {
			if fixedKeys[key] {
				return "", false
			}
			b := []byte(s)
			if cursors && key == "text" {
				r.sqlValues(b)
			}
			r.search(name, b)
			return string(b), string(b) != s
		})
	default:
		for line := range bytes.Lines(data) {
			l := bytes.Clone(line)
			r.search(name, l)
			out = append(out, l...)
		}
	}
	return out
}

// Made takes a report that was made of traces and documents that were redacted
// before. Nothing of a value can be in it but by chance: what it says in its
// own words, and figures. Only values that are neither are searched, so that a
// value such as "table" does not wreck it.
func (r *Redactor) Made(name string, data []byte) []byte {
	replace := func(b []byte) { r.count(r.certain.replace(b, r.token), 0) }
	if path.Ext(name) == ".json" {
		return eachString(data, func(_, s string) (string, bool) {
			b := []byte(s)
			replace(b)
			return string(b), string(b) != s
		})
	}
	out := bytes.Clone(data)
	replace(out)
	return out
}

// Text redacts a line that we wrote ourselves, with names and paths in it.
func (r *Redactor) Text(s string) string {
	b := []byte(s)
	r.count(r.hosts.replace(b, r.token)+r.certain.replace(b, r.token), 0)
	return string(b)
}

// eachString hands every JSON string that is not a key to change, with the key
// it belongs to, and returns the text with what it answered. All else stays
// byte for byte, also what is no JSON.
func eachString(data []byte, change func(key, s string) (string, bool)) []byte {
	var out bytes.Buffer
	key := ""
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out.WriteByte(data[i])
			i++
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' && data[end] != '\n' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(data))
		literal := data[i:end]
		i = end
		var s string
		if json.Unmarshal(literal, &s) != nil {
			s = string(literal) // a broken line: as plain text
		} else if rest := bytes.TrimLeft(data[i:], " \t"); len(rest) > 0 && rest[0] == ':' {
			key = s
			out.Write(literal)
			continue
		}
		to, changed := change(key, s)
		if !changed {
			out.Write(literal)
			continue
		}
		var enc bytes.Buffer
		e := json.NewEncoder(&enc)
		e.SetEscapeHTML(bytes.Contains(literal, []byte(`\u003`)))
		_ = e.Encode(to) // a string always can be
		out.Write(bytes.TrimSuffix(enc.Bytes(), []byte("\n")))
	}
	return out.Bytes()
}

// isCertain reports whether a value cannot stand in a text by chance: it mixes
// digits with letters, or has signs that neither figures nor our own words
// have. What looks like a sql_id is one, in traces that name them.
func isCertain(v string) bool {
	if len(v) < 6 {
		return false
	}
	letters, digits, signs, lower := 0, 0, 0, 0
	for _, c := range v {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			lower++
		case c >= 'A' && c <= 'Z':
			letters++
		case !strings.ContainsRune(" _.,:;+-*()/", c):
			signs++
		}
	}
	if len(v) == 13 && lower+digits == 13 {
		return false
	}
	return signs > 0 || letters > 1 && digits > 1
}
