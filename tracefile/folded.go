package tracefile

import "hash/maphash"

// foldedText is what a cursor runs while its statement stands for many, beyond
// the limit of those kept apart: if it fails, its own text must be told.
type foldedText struct {
	text    []byte
	sqlid   []byte
	line    int64
	hash    int64
	user    int64
	command int64
	depth   int64
	cut     bool
}

const (
	maxFoldedText = 4000
	maxUnfolded   = 1000 // failing statements that get their own entry
)

func (c *cursor) keepFolded(rec *Record, folded bool) {
	if !folded {
		c.folded = nil
		return
	}
	f := c.folded
	if f == nil {
		f = &foldedText{}
		c.folded = f
	}
	n := min(len(rec.Text), maxFoldedText)
	f.text = append(f.text[:0], rec.Text[:n]...)
	f.sqlid = append(f.sqlid[:0], rec.SQLID...)
	f.cut = n < len(rec.Text)
	f.line, f.hash, f.user, f.command, f.depth = rec.Line, rec.Hash, rec.User, rec.Command, rec.Depth
}

// unfold gives a failing cursor the statement that it really ran. What it did
// before stays with those it was summed up with.
func (a *Analyzer) unfold(c *cursor) {
	f := c.folded
	if f == nil || a.unfolded >= maxUnfolded {
		return
	}
	a.unfolded++
	c.folded = nil
	st := &Statement{
		SQLID: string(f.sqlid), TextSource: TextTrace, Text: string(f.text), TextCut: f.cut, User: f.user, Command: f.command,
		Hash: f.hash, HasHash: f.hash != 0, File: a.file, Line: f.line, Depth: f.depth, PlanHash: c.plan, order: 2,
	}
	if st.SQLID == "" && !f.cut {
		st.SQLID, st.Inferred = SQLIDOf(f.text), true
	}
	if c.plan != 0 {
		st.PlanHashes = []int64{c.plan}
	}
	k := stmtKey{text: maphash.Bytes(a.seed, f.text), length: len(f.text)}
	copy(k.sqlid[:], f.sqlid)
	if old := a.stmts[k]; old != nil {
		st = old // the same text failed before
	} else {
		a.addStatement(k, st)
	}
	c.stmt = st
	if c.row != nil && c.row.seq == c.rowSeq {
		c.row.Statement = st
	}
}
