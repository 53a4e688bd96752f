package lint

import "bytes"

// settings is the part of SQL*Plus's SET state that decides how a script is
// read. The zero value is not the default: use newSettings.
type settings struct {
	define     byte // substitution character, 0 when off
	concat     byte // ends a variable's name, 0 when off
	escape     byte // 0 when off
	cmdsep     byte // 0 when off
	terminator byte // SQLTERMINATOR, 0 when off
	blankLines bool // SQLBLANKLINES: a blank line does not end a statement
}

// newSettings returns what SQL*Plus starts with when no login.sql interferes.
func newSettings() settings {
	return settings{define: '&', concat: '.', terminator: ';'}
}

// apply carries out one SET command; args is the text behind SET.
func (s *settings) apply(args []byte) {
	var name []byte
	for i := 0; ; {
		var tok []byte
		tok, i = setToken(args, i)
		if tok == nil {
			return
		}
		if name == nil {
			name = tok
			continue
		}
		if !s.option(name, tok) {
			// An option without a value that we follow, or one with several
			// words: the next word may be a name again.
			name = tok
			continue
		}
		name = nil
	}
}

// option sets one option and says whether it knew the name.
func (s *settings) option(name, value []byte) bool {
	switch {
	case abbreviates(name, "define", 3), abbreviates(name, "scan", 4):
		s.define = charOption(value, '&')
	case abbreviates(name, "concat", 3):
		s.concat = charOption(value, '.')
	case abbreviates(name, "escape", 3):
		s.escape = charOption(value, '\\')
	case abbreviates(name, "cmdsep", 4):
		s.cmdsep = charOption(value, ';')
	case abbreviates(name, "sqlterminator", 4):
		s.terminator = charOption(value, ';')
	case abbreviates(name, "sqlblanklines", 5):
		s.blankLines = foldEqual(value, "on")
	default:
		return false
	}
	return true
}

// charOption reads {ON|OFF|character}; on is the character that ON stands for.
func charOption(value []byte, on byte) byte {
	switch {
	case foldEqual(value, "on"):
		return on
	case foldEqual(value, "off"), len(value) == 0:
		return 0
	}
	return value[0]
}

// abbreviates says whether name is a shortened form of the option full with
// at least least letters.
func abbreviates(name []byte, full string, least int) bool {
	return len(name) >= least && len(name) <= len(full) && foldPrefix(name, full[:len(name)])
}

// setToken returns the next word of a SET command, quotes removed, and nil at
// the end.
func setToken(b []byte, i int) ([]byte, int) {
	i = skipBlanks(b, i)
	if i >= len(b) {
		return nil, i
	}
	if q := b[i]; q == '\'' || q == '"' {
		if end := bytes.IndexByte(b[i+1:], q); end >= 0 {
			return b[i+1 : i+1+end : i+1+end], i + end + 2
		}
	}
	end := i
	for end < len(b) && !isBlank(b[end]) {
		end++
	}
	tok := b[i:end]
	// SET X ON; is common; a lone ";" stays, it may be a CMDSEP character.
	if len(tok) > 1 && tok[len(tok)-1] == ';' {
		tok = tok[:len(tok)-1]
	}
	return tok, end
}
