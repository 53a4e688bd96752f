package lint

// class is what the first word of a line makes of it.
type class uint8

const (
	classUnknown class = iota
	classOradebug
	classSQL   // ended by ";", "/" or a blank line
	classBlock // PL/SQL, ended by "/" only
	classRem
	classPrompt
	classSet
	classDefine
	classUndefine
	classAccept
	classColumn
	classConnect
	classExit
	classInclude
	classExecute
	classDocument
	classRun
	classOther // another SQL*Plus command
)

// firstWords lists what a line may begin with. short is the least number of
// letters that SQL*Plus takes for the command; ORADEBUG cannot be shortened
// as far as any public source shows.
type firstWord struct {
	word  string
	short int
	class class
}

// wordTable is indexed by the first letter.
var wordTable = buildWordTable()

func buildWordTable() [26][]firstWord {
	var t [26][]firstWord
	for _, w := range []firstWord{
		{"oradebug", 8, classOradebug},
		{"remark", 3, classRem},
		{"prompt", 3, classPrompt},
		{"set", 3, classSet},
		{"define", 3, classDefine},
		{"undefine", 5, classUndefine},
		{"accept", 3, classAccept},
		{"column", 3, classColumn},
		{"connect", 4, classConnect},
		{"disconnect", 4, classConnect},
		{"exit", 4, classExit},
		{"quit", 4, classExit},
		{"start", 3, classInclude},
		{"execute", 4, classExecute},
		{"document", 3, classDocument},
		{"run", 1, classRun},

		{"select", 6, classSQL},
		{"insert", 6, classSQL},
		{"update", 6, classSQL},
		{"delete", 6, classSQL},
		{"merge", 5, classSQL},
		{"with", 4, classSQL},
		{"create", 6, classSQL},
		{"alter", 5, classSQL},
		{"drop", 4, classSQL},
		{"grant", 5, classSQL},
		{"revoke", 6, classSQL},
		{"truncate", 8, classSQL},
		{"analyze", 7, classSQL},
		{"audit", 5, classSQL},
		{"noaudit", 7, classSQL},
		{"comment", 7, classSQL},
		{"commit", 6, classSQL},
		{"rollback", 8, classSQL},
		{"savepoint", 9, classSQL},
		{"explain", 7, classSQL},
		{"lock", 4, classSQL},
		{"rename", 6, classSQL},
		{"flashback", 9, classSQL},
		{"purge", 5, classSQL},
		{"call", 4, classSQL},
		{"associate", 9, classSQL},
		{"administer", 10, classSQL},
		{"declare", 7, classBlock},
		{"begin", 5, classBlock},

		{"append", 1, classOther},
		{"archive", 7, classOther},
		{"attribute", 9, classOther},
		{"break", 3, classOther},
		{"btitle", 3, classOther},
		{"change", 1, classOther},
		{"clear", 2, classOther},
		{"compute", 4, classOther},
		{"copy", 4, classOther},
		{"del", 3, classOther},
		{"describe", 4, classOther},
		{"edit", 2, classOther},
		{"get", 3, classOther},
		{"help", 4, classOther},
		{"host", 2, classOther},
		{"history", 4, classOther},
		{"input", 1, classOther},
		{"list", 1, classOther},
		{"password", 5, classOther},
		{"pause", 3, classOther},
		{"print", 5, classOther},
		{"recover", 7, classOther},
		{"repfooter", 4, classOther},
		{"repheader", 4, classOther},
		{"save", 3, classOther},
		{"show", 3, classOther},
		{"shutdown", 8, classOther},
		{"spool", 3, classOther},
		{"startup", 7, classOther},
		{"store", 5, classOther},
		{"timing", 4, classOther},
		{"ttitle", 3, classOther},
		{"variable", 3, classOther},
		{"whenever", 8, classOther},
		{"xquery", 6, classOther},
	} {
		i := w.word[0] - 'a'
		t[i] = append(t[i], w)
	}
	return t
}

// wordEnd returns the end of the word that begins at i.
func wordEnd(b []byte, i int) int {
	for i < len(b) && isWord(b[i]) {
		i++
	}
	return i
}

// classify looks the first word of a line up. The second result is where the
// word ends.
func classify(b []byte, i int) (class, int) {
	end := wordEnd(b, i)
	if end == i {
		return classUnknown, end
	}
	c := lower(b[i]) - 'a'
	if c >= 26 {
		return classUnknown, end
	}
	word := b[i:end]
	for k := range wordTable[c] {
		w := &wordTable[c][k]
		if len(word) >= w.short && len(word) <= len(w.word) && foldPrefix(word, w.word[:len(word)]) {
			return w.class, end
		}
	}
	return classUnknown, end
}
