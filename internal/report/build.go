package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ringtrace/tracefile"
)

// builder turns a profile into a model.
type builder struct {
	p     *tracefile.Profile
	opt   Options
	m     *Model
	names map[*tracefile.Statement]*Statement
	hide  *redactor
	count int // of instances; 0 not counted yet

	errs     []*tracefile.ErrorInfo // the profile's, those of incidents joined
	errCount map[int64]int64
	passedOn *tracefile.ErrorInfo // the verdict's error again, of its caller
	hidden   map[rowKey]bool      // rows of errors that others tell of
}

// Build makes the report of a profile.
func Build(p *tracefile.Profile, opt Options) *Model {
	if opt.Top <= 0 {
		opt.Top = 20
	}
	b := &builder{
		p: p, opt: opt, m: &Model{Tool: opt.Tool, Top: opt.Top, Sort: cmp.Or(opt.Sort, sortKeys[0].name), TailUS: opt.TailUS, Omitted: map[string]int64{}},
		names: map[*tracefile.Statement]*Statement{},
		hide:  newRedactor(opt.Redact),
	}
	b.joinIncidents()
	b.bundles()
	b.m.Passed = append([]PassedOver{}, opt.Passed...)
	b.files()
	b.statements()
	b.time()
	b.totals()
	b.waits()
	b.rings()
	b.dumps()
	b.errors()
	b.verdict()
	b.deadlock()
	b.caller()
	b.failures()
	b.story()
	b.before()
	b.lastRuns()
	b.history()
	b.resources()
	b.coverage()
	b.charts()
	b.recursive()
	b.rest() // findings need sessions and LOB calls
	b.clients()
	b.findings()
	b.selection()
	return b.m
}

func calls(v tracefile.Values) Calls {
	return Calls{v.Count, v.CPU, v.Elapsed, v.Disk, v.Query, v.Current, v.Rows, v.Misses}
}

func callSet(c tracefile.Calls) CallSet {
	return CallSet{calls(c.Parse), calls(c.Exec), calls(c.Fetch)}
}

func str(s string) *string {
	if s == "" {
		return nil
	}
	s = valid(s)
	return &s
}

// valid replaces bytes that are not UTF-8: text is in the database's character
// set, which the trace does not name.
func valid(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

func path(f *tracefile.File) string {
	if f == nil {
		return ""
	}
	return valid(f.Path)
}

func (b *builder) files() {
	b.m.Files = []File{}
	for _, f := range b.p.Files {
		o := File{
			Path: path(f), Bytes: f.Bytes, Lines: f.Lines, OracleVersion: str(f.Release), Instance: str(b.hide.name(f.Instance)),
			Host: str(b.hide.name(f.Host)), Damaged: f.Damaged, Unknown: f.Unknown, Database: str(b.hide.name(f.Database)),
			Image: str(b.hide.name(f.Image)), Headers: f.Headers, Headless: f.Headless, DumpBytes: f.DumpBytes, Records: []Record{},
			Clock: Clock{f.Clock.UnitNs, f.Clock.Epoch, f.Clock.Anchors, f.Clock.Accuracy, f.Clock.ZoneGuess, f.Clock.Why, f.Clock.HasZone},
		}
		if f.Err != nil {
			o.Error = str(f.Err.Error())
		}
		if f.PID != 0 {
			o.PID = &f.PID
		}
		if f.OraPID != 0 {
			o.ORAPID = &f.OraPID
		}
		for k, n := range f.Records {
			if n > 0 {
				o.Records = append(o.Records, Record{tracefile.Kind(k).String(), n})
			}
		}
		b.m.Files = append(b.m.Files, o)
	}
}

func (b *builder) totals() {
	t := &b.p.Totals
	b.m.Totals = Totals{callSet(t.NonRecursive), callSet(t.Recursive), callSet(t.UnknownCursors)}
	b.m.Transactions = Transactions{b.p.Commits, b.p.Rollbacks, b.p.ReadOnly}
}

func (b *builder) time() {
	t := &b.m.Time
	first, last := int64(0), int64(0)
	var from, to tracefile.ClockInfo // of which the zones are shown
	for _, s := range b.p.Sessions {
		t.ElapsedUS += s.Elapsed
		t.AccountedUS += s.CallElapsed + s.WaitsBetween
		t.IdleUS += s.Idle
		if !s.HasTim {
			continue
		}
		if us, ok := s.Clock.Wall(s.First); ok && (first == 0 || us < first) {
			first, from = us, s.Clock
		}
		if us, ok := s.Clock.Wall(s.Last); ok && (last == 0 || us > last) {
			last, to = us, s.Clock
		}
	}
	t.UnaccountedUS = t.ElapsedUS - t.AccountedUS - t.IdleUS
	if first != 0 {
		t.First, t.Last = stamp(first, from.Zone, from.HasZone), stamp(last, to.Zone, to.HasZone)
	}
}

func (b *builder) statements() {
	key := sortKey(b.opt.Sort)
	list := make([]Statement, 0, len(b.p.Statements))
	groups := map[*tracefile.Similar]int{}
	for _, st := range b.p.Statements {
		s := b.statement(st)
		if st.Similar != nil && st.Similar.Count > 1 {
			if groups[st.Similar] == 0 {
				groups[st.Similar] = len(groups) + 1
			}
			s.group = groups[st.Similar]
		}
		s.origin = st
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(x, y Statement) int { return cmp.Compare(key(&y), key(&x)) })
	for n := range list {
		list[n].Number = n + 1
		b.names[list[n].origin] = &list[n]
	}
	for n := range list {
		for _, p := range list[n].origin.Parents {
			if o := b.names[p]; o != nil {
				list[n].Parents = append(list[n].Parents, o.Name)
				if len(o.Children) < maxChildren {
					o.Children = append(o.Children, list[n].Name)
				}
			}
		}
		list[n].origin = nil // the profile may go
	}
	b.m.Statements = list
}

// maxChildren bounds the statements that are named as called by another.
const maxChildren = 20

// optimizerMode names the optimizer's goal (facts/trace-format.md 5); nil for none.
func optimizerMode(og int64) *string {
	switch og {
	case 1:
		return str("ALL_ROWS")
	case 2:
		return str("FIRST_ROWS")
	case 3:
		return str("RULE")
	case 4:
		return str("CHOOSE")
	}
	return nil
}

func (b *builder) statement(st *tracefile.Statement) Statement {
	s := Statement{
		SQLID: str(st.SQLID), Text: str(b.hide.sql(st.Text)), TextSource: string(st.TextSource), Depth: st.Depth,
		Parse: calls(st.Self.Parse), Exec: calls(st.Self.Exec), Fetch: calls(st.Self.Fetch),
		Waits: []Wait{}, Plans: []Plan{}, ElapsedSelfUS: st.ElapsedSelf(), Inclusive: callSet(st.Inclusive),
		InclusiveUS: st.Inclusive.Sum().Elapsed, Inferred: st.Inferred, TextCut: st.TextCut, Command: commandName(st.Command),
		PlanHashes: append([]int64{}, st.PlanHashes...), File: path(st.File), Line: st.Line, Errors: st.Errors,
		Closes: st.Close.Count, HardCloses: st.HardClose, EmptyFetches: st.Empty, WaitsWithinUS: st.WaitsIn,
		MaxCallUS: st.MaxCall, MaxFile: path(st.MaxFile), MaxLine: st.MaxLine, Parents: []string{}, Children: []string{}, LastRuns: []Run{}, Close: calls(st.Close), Merged: st.Merged,
		BindTypes: []string{},
	}
	if st.HasHash {
		s.HashValue = &st.Hash
	}
	s.OptimizerMode = optimizerMode(st.Goal)
	if st.User >= 0 && st.TextSource == tracefile.TextTrace {
		s.User = &st.User
	}
	if st.Cursor != 0 {
		s.Cursor = str("#" + strconv.FormatUint(st.Cursor, 10))
	}
	switch {
	case st.Rest:
		s.Name, s.rest = "(others)", true
	case s.SQLID != nil:
		s.Name = *s.SQLID
	case s.Cursor != nil:
		s.Name = *s.Cursor
	case s.HashValue != nil:
		s.Name = "hv " + strconv.FormatInt(*s.HashValue, 10)
	default:
		s.Name = "(others)"
	}
	if st.Similar != nil && st.Similar.Count > 1 {
		s.Similar = st.Similar.Count
	}
	for _, t := range st.BindTypes {
		s.BindTypes = append(s.BindTypes, tracefile.BindValue{Type: t}.TypeName())
	}
	for _, w := range st.Waits {
		s.Waits = append(s.Waits, Wait{Event: valid(w.Event.Name), Count: w.Count, TotalUS: w.Total, MaxUS: w.Max, WithinUS: w.Within, BetweenUS: w.Total - w.Within, Class: w.Event.Class.String(), Histogram: buckets(w.Histogram)})
	}
	for _, p := range st.Plans {
		s.Plans = append(s.Plans, plan(p))
	}
	return s
}

func plan(p *tracefile.Plan) Plan {
	o := Plan{PlanHash: p.Hash, Count: p.Count, File: path(p.File), Line: p.Line, Steps: []PlanStep{}}
	for _, s := range p.Steps {
		t := PlanStep{
			ID: s.ID, Parent: s.Parent, Position: s.Position, Level: s.Level, Operation: valid(s.Operation), Object: s.Object,
			Rows: s.Rows, FirstRows: s.FirstRows, MaxRows: s.MaxRows, CR: s.CR, PR: s.PR, PW: s.PW, TimeUS: s.Time,
			SelfUS: max(0, s.SelfTime), Clamped: s.SelfTime < 0, Cost: s.Cost, Size: s.Size, Est: s.Card,
		}
		if s.Starts >= 0 {
			n := s.Starts
			t.Starts = &n
		}
		o.Steps = append(o.Steps, t)
	}
	return o
}

func (b *builder) waits() {
	b.m.Waits = []Wait{}
	for _, e := range b.p.Events {
		w := Wait{
			Event: valid(e.Name), Count: e.Stat.Count, TotalUS: e.Stat.Total, MaxUS: e.Stat.Max, Class: e.Class.String(),
			WithinUS: e.Within, BetweenUS: e.Between, ThinkUS: e.Think, Thinks: e.Thinks, MaxFile: path(e.MaxFile), MaxLine: e.MaxLine,
		}
		for i, n := range e.Buckets {
			if n > 0 {
				from := int64(1) << i
				if i == 0 {
					from = 0
				}
				w.Histogram = append(w.Histogram, Bucket{from, int64(2) << i, n, e.BucketTime[i]})
			}
		}
		for _, o := range e.Objects {
			w.Objects = append(w.Objects, WaitObject{o.Object, o.Count, o.Total, o.Max})
		}
		slices.SortStableFunc(w.Objects, func(x, y WaitObject) int { return cmp.Compare(y.TotalUS, x.TotalUS) })
		w.Objects = w.Objects[:min(len(w.Objects), 10)]
		w.For = b.waitTables(e)
		w.P50US, w.P95US = w.percentile(0.5), w.percentile(0.95)
		b.m.Waits = append(b.m.Waits, w)
	}
}

func (b *builder) rings() {
	b.m.Rings = []Ring{}
	for _, r := range b.p.Rings {
		b.m.Rings = append(b.m.Rings, Ring{
			path(r.File), r.Line, r.Bytes, r.Wrapped, r.FirstRecord, r.Span, r.Skipped, r.Records, r.Full, r.EndLine,
		})
	}
}

func (b *builder) binds(list []tracefile.BindValue) []Bind {
	out := []Bind{}
	for _, v := range list {
		out = append(out, Bind{v.Position, v.TypeName(), b.hide.bind(v)})
	}
	return out
}

func (b *builder) session(s *tracefile.Session) string {
	switch {
	case s == nil:
		return ""
	case s.SID != "" && b.instances() > 1 && s.File != nil && s.File.Instance != "":
		return valid(s.SID + "@" + b.hide.name(s.File.Instance)) // sids repeat between instances
	case s.SID != "":
		return valid(s.SID)
	case s.PID != 0:
		return "pid " + strconv.FormatInt(s.PID, 10)
	}
	return "unknown"
}

// instances counts the instances that the files name.
func (b *builder) instances() int {
	if b.count == 0 {
		seen := map[string]bool{}
		for _, f := range b.p.Files {
			if f.Instance != "" {
				seen[f.Instance] = true
			}
		}
		b.count = max(1, len(seen))
	}
	return b.count
}

func (b *builder) errors() {
	b.m.Errors = []Error{}
	for _, e := range b.errs {
		o := Error{
			ORA: e.ORA, File: path(e.File), Line: e.Line, ParseError: e.ParseError, Dump: e.Dump != nil, Message: str(e.Message),
			Source: e.Source, SQLSource: e.SQLSource, Session: b.session(e.Session), Binds: b.binds(e.Binds), Depth: e.Depth, Ordinal: e.Ordinal, Apart: b.apart(e),
		}
		if e.HasWall {
			zoned := e.Session != nil && e.Session.Clock.HasZone || e.Stamped && e.Dump.Stamp.HasZone
			o.At = stamp(e.Wall, e.Zone, zoned)
		}
		if e.Dump != nil {
			o.DumpLine = e.Dump.Line
			if e.Dump.File != e.File {
				o.DumpFile = str(path(e.Dump.File))
			}
		}
		if st := b.names[e.Statement]; st != nil {
			o.SQLID, o.Text = st.SQLID, st.Text
		}
		b.m.Errors = append(b.m.Errors, o)
	}
	b.m.ErrorCount = []ErrorCount{}
	for n, c := range b.errCount {
		if n != 0 {
			b.m.ErrorCount = append(b.m.ErrorCount, ErrorCount{n, c})
		}
	}
	slices.SortFunc(b.m.ErrorCount, func(x, y ErrorCount) int {
		if x.Count != y.Count {
			return cmp.Compare(y.Count, x.Count)
		}
		return cmp.Compare(x.ORA, y.ORA)
	})
}

// place names a line for less +12345g and sed -n.
func place(file string, line int64) string {
	if file == "" && line == 0 {
		return "all files" // a note on what was read together
	}
	return fmt.Sprintf("%s:L%d", base(file), line)
}

// base is a file's name without the folder or archive it lies in.
func base(file string) string {
	return clean(file[strings.LastIndexAny(file, "/\\!")+1:])
}
