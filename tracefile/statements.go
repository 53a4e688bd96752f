package tracefile

import (
	"crypto/md5"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// stmtKey tells statements apart: by text, and SQL id where there is one. Same
// id with another text happens in edited traces only, but must not be merged.
type stmtKey struct {
	text    uint64
	length  int
	sqlid   [13]byte
	unknown bool
	cursor  uint64
	session int
	plan    int64
}

// parsing gives a cursor number its statement.
func (a *Analyzer) parsing(rec *Record) {
	if rec.Damage == Malformed || rec.Damage == Glued && rec.Length < 0 {
		return
	}
	c := a.find(rec.Cursor)
	a.endPlan(c)
	st := a.statement(rec.Text, rec.SQLID, rec.Damage == NoEnd)
	if st.order == 0 || st.TextSource == TextErrorstack && !st.Rest {
		st.TextSource, st.Inferred = TextTrace, false
		st.order = 1
		st.File, st.Line, st.Depth = a.file, rec.Line, rec.Depth
		st.Hash, st.HasHash = rec.Hash, rec.Hash != 0
		st.User, st.Command = rec.User, rec.Command
		if rec.Damage == Cut {
			st.User = -1
			if rec.LoginID != 0 || rec.HasTim {
				st.User = rec.User
			}
		}
	} else {
		st.Depth = min(st.Depth, rec.Depth)
		if !st.HasHash && rec.Hash != 0 && !st.Rest {
			st.Hash, st.HasHash = rec.Hash, true
		}
	}
	c.stmt, c.known, c.execs, c.plan, c.closed = st, true, 0, 0, 0
	a.keepFolded(c, rec, st == a.other || st.Merged > 0 && st.SQLID != string(rec.SQLID))
	c.binds, c.fresh, c.row = c.binds[:0], false, nil
	if st.order == 1 && st.Parents == nil && rec.Depth > 0 {
		st.order = 2
	}
}

// statement returns the statement of a text that the trace holds.
func (a *Analyzer) statement(text, sqlid []byte, torn bool) *Statement {
	k := stmtKey{text: maphash.Bytes(a.seed, text), length: len(text)}
	copy(k.sqlid[:], sqlid)
	if st := a.stmts[k]; st != nil {
		return st
	}
	sim := a.similarTo(text)
	if len(a.stmts) >= a.opt.MaxStatements {
		if sim != nil && sim.Sample != nil {
			sim.Count++
			sim.Sample.Merged++
			a.p.FoldedStatements++
			return sim.Sample
		}
		if len(a.stmts) >= 2*a.opt.MaxStatements {
			a.p.FoldedStatements++
			return a.rest()
		}
	}
	st := &Statement{SQLID: string(sqlid), TextSource: TextTrace, User: -1, Similar: sim}
	st.Text, st.TextCut = a.keepText(text)
	if torn {
		st.TextCut = true
	}
	if st.SQLID == "" && !torn && len(text) > 0 {
		// Up to 10.2 a trace prints no SQL id; it is a function of the text.
		st.SQLID, st.Inferred = SQLIDOf(text), true
	}
	a.addStatement(k, st)
	if sim != nil {
		sim.Count++
		if sim.Sample == nil {
			sim.Sample = st
		}
	}
	return st
}

func (a *Analyzer) addStatement(k stmtKey, st *Statement) {
	st.key = k
	st.Number = len(a.p.Statements) + 1
	a.stmts[k] = st
	a.p.Statements = append(a.p.Statements, st)
}

// rest is the statement that stands for all beyond the limit.
func (a *Analyzer) rest() *Statement {
	if a.other == nil {
		a.other = &Statement{Rest: true, TextSource: TextNone, User: -1, order: 2}
		a.addStatement(stmtKey{length: -1}, a.other)
	}
	a.other.Merged++
	return a.other
}

func (a *Analyzer) keepText(text []byte) (string, bool) {
	beginning := 1000
	if a.texts > textBudget+textBudget/4 {
		beginning = 200
	}
	if a.texts+int64(len(text)) > textBudget && len(text) > beginning {
		a.texts += int64(beginning)
		return string(text[:beginning]), true
	}
	a.texts += int64(len(text))
	return string(text), false
}

// statementOf returns the statement a call belongs to. A cursor that was never
// parsed here gets one of its own; another plan is another statement then,
// because nothing else tells them apart.
func (a *Analyzer) statementOf(c *cursor, rec *Record) *Statement {
	plan := rec.PlanHash
	st := c.stmt
	switch {
	case st == nil:
		st = a.unknownStatement(c.number, plan)
		c.stmt = st
	case !c.known && st.TextSource == TextNone && plan != 0 && st.PlanHash != 0 && st.PlanHash != plan:
		st = a.unknownStatement(c.number, plan)
		c.stmt = st
	}
	if plan != 0 {
		c.plan = plan
		if st.PlanHash != plan {
			st.PlanHash = plan
			if !slices.Contains(st.PlanHashes, plan) && len(st.PlanHashes) < 16 {
				st.PlanHashes = append(st.PlanHashes, plan)
			}
		}
	}
	if st.File == nil {
		st.File, st.Line, st.Depth = a.file, rec.Line, rec.Depth
	}
	return st
}

// unknownStatement stands for whatever ran under a cursor number whose SQL text
// is not in the trace.
func (a *Analyzer) unknownStatement(no uint64, plan int64) *Statement {
	k := stmtKey{unknown: true, cursor: no, session: a.sessionNumber(), plan: plan}
	if st := a.stmts[k]; st != nil {
		return st
	}
	if plan != 0 {
		// The same cursor before its plan was seen.
		k0 := k
		k0.plan = 0
		if st := a.stmts[k0]; st != nil && st.PlanHash == 0 {
			delete(a.stmts, k0)
			st.key = k
			a.stmts[k] = st
			return st
		}
	}
	if len(a.stmts) >= 2*a.opt.MaxStatements {
		a.p.FoldedStatements++
		return a.rest()
	}
	st := &Statement{TextSource: TextNone, Cursor: no, User: -1}
	a.addStatement(k, st)
	return st
}

// sessionNumber numbers the current session over all files.
func (a *Analyzer) sessionNumber() int {
	s := a.s
	if s.Number == 0 {
		a.p.Sessions = append(a.p.Sessions, s.Session)
		s.Number = len(a.p.Sessions)
	}
	return s.Number
}

// similarTo returns the group of statements that equal text but for literals
// and white space.
func (a *Analyzer) similarTo(text []byte) *Similar {
	h := literalHash(text)
	sim := a.similar[h]
	if sim == nil && len(a.similar) < 2*a.opt.MaxStatements {
		sim = &Similar{}
		a.similar[h] = sim
	}
	return sim
}

// literalHash is FNV-1a over the text with every string and number literal
// replaced and white space collapsed.
func literalHash(text []byte) uint64 {
	h := uint64(14695981039346656037)
	put := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	word := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			for i++; i < len(text) && text[i] != '\''; i++ {
			}
			put('?')
			word = false
		case c >= '0' && c <= '9' && !word:
			for i+1 < len(text) && (isDigit(text[i+1]) || text[i+1] == '.') {
				i++
			}
			put('?')
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			for i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '\t') {
				i++
			}
			put(' ')
			word = false
		default:
			put(c)
			word = c == '_' || c == '$' || c == '#' || c == ':' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
		}
	}
	return h
}

// SQLIDOf computes the SQL id of a text: the last 64 bits of the MD5 of the
// text and a NUL, in base 32. That it is so is checked against every statement
// of the sample traces that prints its id.
func SQLIDOf(text []byte) string {
	id, _ := sqlIdentity(text)
	return id
}

// HashOf computes the hash value (hv) of a text, the last 32 bits of the same
// digest.
func HashOf(text []byte) int64 {
	_, hv := sqlIdentity(text)
	return hv
}

func sqlIdentity(text []byte) (string, int64) {
	const alphabet = "0123456789abcdfghjkmnpqrstuvwxyz"
	h := md5.New()
	h.Write(text)
	h.Write([]byte{0})
	sum := h.Sum(nil)
	hi, lo := binary.LittleEndian.Uint32(sum[8:12]), binary.LittleEndian.Uint32(sum[12:16])
	n := uint64(hi)<<32 | uint64(lo)
	var id [13]byte
	for i := 12; i >= 0; i-- {
		id[i] = alphabet[n&31]
		n >>= 5
	}
	return string(id[:]), int64(lo)
}
