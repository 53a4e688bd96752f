package tracefile

import "hash/maphash"

// foldedText is what a cursor runs while its statement stands for many, beyond
// the limit of those kept apart: if it fails, its own text must be told.
type foldedText struct {
	sqlid [13]byte
	hasID bool
	again bool // renewed since it is in foldedTexts
	line  int64
	body  *foldedBody // nil once dropped
}

type foldedBody struct {
	text    []byte
	cut     bool
	hash    int64
	user    int64
	command int64
	depth   int64
}

// foldedTexts holds those of foldedText whose text is kept, the oldest first.
// Beyond the limit the oldest is dropped, unless its cursor was parsed anew: of
// that cursor the SQL id and the line remain.
type foldedTexts struct {
	ring []*foldedText
	next int
}

const maxFoldedTexts = 2048

func (q *foldedTexts) keep(f *foldedText) {
	if f.body != nil {
		f.again = true
		return
	}
	f.again = false
	if len(q.ring) < maxFoldedTexts {
		f.body = &foldedBody{}
		q.ring = append(q.ring, f)
		return
	}
	for {
		old := q.ring[q.next]
		if !old.again {
			f.body, old.body = old.body, nil
			q.ring[q.next] = f
			q.next = (q.next + 1) % len(q.ring)
			return
		}
		old.again = false
		q.next = (q.next + 1) % len(q.ring)
	}
}

const (
	maxFoldedText = 4000
	maxUnfolded   = 1000 // failing statements that get their own entry
)

func (a *Analyzer) keepFolded(c *cursor, rec *Record, folded bool) {
	if !folded {
		c.folded = nil
		return
	}
	f := c.folded
	if f == nil {
		f = &foldedText{}
		c.folded = f
	}
	f.hasID = copy(f.sqlid[:], rec.SQLID) == len(f.sqlid)
	f.line = rec.Line
	a.folded.keep(f)
	n := min(len(rec.Text), maxFoldedText)
	b := f.body
	b.text, b.cut = append(b.text[:0], rec.Text[:n]...), n < len(rec.Text)
	b.hash, b.user, b.command, b.depth = rec.Hash, rec.User, rec.Command, rec.Depth
}

// unfold gives a failing cursor the statement that it really ran. What it did
// before stays with those it was summed up with.
func (a *Analyzer) unfold(c *cursor) {
	f := c.folded
	if f == nil || a.unfolded >= maxUnfolded || f.body == nil && !f.hasID {
		return
	}
	a.unfolded++
	c.folded = nil
	b := f.body
	if b == nil {
		b = &foldedBody{cut: true, user: -1}
	}
	st := &Statement{
		TextSource: TextTrace, Text: string(b.text), TextCut: b.cut, User: b.user, Command: b.command,
		Hash: b.hash, HasHash: b.hash != 0, File: a.file, Line: f.line, Depth: b.depth, PlanHash: c.plan, order: 2,
	}
	if f.hasID {
		st.SQLID = string(f.sqlid[:])
	} else if !b.cut {
		st.SQLID, st.Inferred = SQLIDOf(b.text), true
	}
	if c.plan != 0 {
		st.PlanHashes = []int64{c.plan}
	}
	k := stmtKey{text: maphash.Bytes(a.seed, b.text), length: len(b.text)}
	if f.hasID {
		k.sqlid = f.sqlid
	}
	if old := a.stmts[k]; old != nil {
		st = old // the same text failed before
	} else {
		a.addStatement(k, st)
	}
	c.stmt = st
	if c.row != nil && c.row.id == c.rowID {
		c.row.Statement = st
	}
}
