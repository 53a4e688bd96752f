package tracefile

// FlameNode is a statement below a chain of callers, with the self time of its
// calls. The root has no statement.
type FlameNode struct {
	Statement *Statement
	Self      int64 // us
	Count     int64
	Children  []*FlameNode
	// Own are the calls' own figures by tkprof's rule; nil but for what SYS runs
	// below another statement.
	Own *Calls

	// As long as no caller has claimed it:
	owner *session
	depth int64
	start int64 // tim, of its last call
}

// Total returns the time of the node and everything below it.
func (n *FlameNode) Total() int64 {
	t := n.Self
	for _, c := range n.Children {
		t += c.Total()
	}
	return t
}

func (n *FlameNode) child(st *Statement) *FlameNode {
	for _, c := range n.Children {
		if c.Statement == st {
			return c
		}
	}
	return nil
}

// maxFlame bounds the statements kept apart below one caller, maxCallees those below
// all callers: thousands of statements that are parsed once each have the same dozens
// of the dictionary's below them.
const (
	maxFlame   = 200
	maxCallees = 1 << 14
)

// flame adds a call to the tree of callers. As a call is printed after those
// that it made, they wait at their level until it comes.
func (a *Analyzer) flame(rec *Record, c *cursor, st *Statement, self *Values, claimed bool) {
	depth := rec.Depth
	s := a.s
	var n *FlameNode
	if depth == 0 {
		if n = st.flame; n == nil {
			n = a.node(st)
			st.flame = n
			a.p.Root.Children = append(a.p.Root.Children, n)
		}
	} else if n = c.node; n == nil || n.Statement != st || n.depth != depth || n.owner != s {
		n = a.waiting(st, depth)
		c.node = n
	}
	n.Self += self.Elapsed
	n.Count++
	n.start = rec.Tim - rec.Elapsed
	if depth > 0 && st.User == 0 && rec.Kind != Close {
		if n.Own == nil {
			n.Own = &Calls{}
		}
		n.Own.of(rec.Kind).add(self)
	}
	if int64(len(s.levels)) <= depth+1 {
		return
	}
	l := &s.levels[depth+1]
	if len(l.nodes) == 0 {
		return
	}
	for _, c := range l.nodes {
		// What ended before the caller began is not its own (facts 14).
		if !claimed || rec.HasTim && c.start < n.start {
			a.merge(a.orphans(), c)
			continue
		}
		c.Statement.parent(st)
		a.merge(n, c)
	}
	l.nodes = l.nodes[:0]
}

// waiting returns the node of a statement that waits at a depth for its caller.
func (a *Analyzer) waiting(st *Statement, depth int64) *FlameNode {
	s := a.s
	l := &s.levels[depth]
	for _, n := range l.nodes {
		if n.Statement == st {
			return n
		}
	}
	if len(l.nodes) >= maxFlame {
		return l.nodes[maxFlame-1]
	}
	n := a.node(st)
	n.owner, n.depth = s, depth
	l.nodes = append(l.nodes, n)
	return n
}

// merge hangs a node below another, adding it to one of the same statement.
func (a *Analyzer) merge(to, n *FlameNode) {
	have := to.child(n.Statement)
	if have == nil && len(to.Children) >= maxFlame {
		have = to.Children[maxFlame-1]
	}
	if have == nil && a.callees >= maxCallees && to != a.crowd {
		a.flatten(n)
		return
	}
	if have == nil {
		to.Children = append(to.Children, n)
		n.owner, n.depth = nil, 0
		a.callees++
		return
	}
	have.Self += n.Self
	have.Count += n.Count
	if n.Own != nil {
		if have.Own == nil {
			have.Own, n.Own = n.Own, nil
		} else {
			have.Own.Add(*n.Own)
			*n.Own = Calls{}
		}
	}
	for _, c := range n.Children {
		a.callees--
		a.merge(have, c)
	}
	*n = FlameNode{Children: n.Children[:0], Own: n.Own}
	a.nodes = append(a.nodes, n)
}

// flatten adds a node and all below it to those whose callers are not kept apart.
func (a *Analyzer) flatten(n *FlameNode) {
	if a.crowd == nil {
		a.crowd = &FlameNode{Statement: &Statement{Text: "(callers beyond those kept apart)", TextSource: TextNone, User: -1}}
		a.p.Root.Children = append(a.p.Root.Children, a.crowd)
	}
	for _, c := range n.Children {
		a.callees--
		a.flatten(c)
	}
	n.Children = n.Children[:0]
	a.merge(a.crowd, n)
}

func (a *Analyzer) node(st *Statement) *FlameNode {
	if k := len(a.nodes); k > 0 {
		n := a.nodes[k-1]
		a.nodes = a.nodes[:k-1]
		n.Statement = st
		return n
	}
	return &FlameNode{Statement: st}
}

// orphans is the node of calls whose caller is not in the trace.
func (a *Analyzer) orphans() *FlameNode {
	if a.orphan == nil {
		a.orphan = &FlameNode{Statement: &Statement{Text: "(caller not in the trace)", TextSource: TextNone, User: -1}}
		a.p.Root.Children = append(a.p.Root.Children, a.orphan)
	}
	return a.orphan
}

// parent remembers who called a statement.
func (st *Statement) parent(p *Statement) {
	for _, o := range st.Parents {
		if o == p {
			return
		}
	}
	if len(st.Parents) < 8 && p != st {
		st.Parents = append(st.Parents, p)
	}
}
