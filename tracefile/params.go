package tracefile

// ParamKind says what the parameters of a wait event name (facts 6).
type ParamKind uint8

// The kinds.
const (
	ParamsNone  ParamKind = iota // nothing that is worth summing
	ParamsBlock                  // file and block
	ParamsLock                   // name|mode of an enqueue, and its two numbers
	ParamsLatch                  // number and address of a latch
	ParamsValue                  // the first one: a mutex's idn, a handle, a row cache's id

	paramsUndecided
)

// ParamStat sums the waits of an event for a value, or two, of its parameters.
// Times are us.
type ParamStat struct{ P1, P2, Count, Total, Max int64 }

// ParamTable holds what the waits of an event were for.
type ParamTable struct {
	Kind ParamKind
	Name string // of the parameter that First is by
	// First is by file, by name|mode, by latch number, or by the first parameter.
	First []ParamStat
	// Second is by file and block, by lock (see LockName) or by latch number and
	// address.
	Second []ParamStat
	// FirstRest and SecondRest sum what is not among them.
	FirstRest, SecondRest ParamStat
	// Sampled says that behind the first waits the figures are estimates: the
	// longer ones and, of the shorter ones, samples taken evenly by time.
	Sampled bool

	step, carry, taken int64
	first, second      paramIndex
}

const (
	maxParamEvents = 128  // events whose parameters are summed
	maxFirst       = 128  // values kept apart
	maxSecond      = 1024 // pairs kept apart
	exactParams    = 2500 // more than a ring of 256,000 bytes holds
	sampleEvery    = 200  // waits of average length
)

// wantsParams tells whether the parameters of an event may be worth summing.
func wantsParams(c Class) bool {
	return c == ClassIO || c == ClassLock || c == ClassConcurrency || c == ClassCluster
}

// due reports whether a wait is to be summed by its parameters. Reading these takes
// as long as all the rest of a wait, so behind the first ones of an event the
// shorter are sampled: one for each step us of them, which stands for that time.
func (t *ParamTable) due(ela int64) bool {
	t.carry += ela
	return t.carry >= t.step
}

// param sums a wait by its parameters.
func (a *Analyzer) param(ev *Event, rec *Record, ela int64) {
	t := ev.Params
	total, count := ela, int64(1)
	if t.step > 0 && ela < t.step {
		t.carry -= t.step
		total, count = t.step, max(1, t.step/max(1, ela))
	} else {
		t.carry -= ela
	}
	if t.taken++; t.taken >= exactParams {
		t.step, t.taken = max(1, sampleEvery*(ev.Stat.Total/ev.Stat.Count)), 0
	}
	a.params = DecodeParams(rec.Params, a.params[:0])
	if t.Kind == paramsUndecided && len(a.params) >= 3 {
		if t.Kind = paramKind(ev.Name, a.params); t.Kind == ParamsNone {
			ev.Params = nil
			return
		}
		t.Name = string(a.params[0].Name)
		if t.Kind == ParamsLatch {
			t.Name = string(a.params[1].Name)
		}
	}
	if len(a.params) < 3 {
		return
	}
	t.add(a.params[0].Value, a.params[1].Value, a.params[2].Value, ParamStat{Count: count, Total: total, Max: ela})
}

func (t *ParamTable) add(p1, p2, p3 int64, s ParamStat) {
	one, two := s, s
	switch t.Kind {
	case ParamsBlock:
		one.P1, two.P1, two.P2 = p1, p1, p2
	case ParamsLock:
		one.P1 = p1
		two.P1, two.P2 = p1>>16<<32|p2&0xffffffff, p3
	case ParamsLatch:
		one.P1, two.P1, two.P2 = p2, p2, p1
	default:
		one.P1 = p1
		t.first.add(&t.First, one, maxFirst, &t.FirstRest)
		return
	}
	t.first.add(&t.First, one, maxFirst, &t.FirstRest)
	t.second.add(&t.Second, two, maxSecond, &t.SecondRest)
}

// paramKind decides by the names of the first wait's parameters; up to 9i they
// are p1, p2, p3, and the event's name decides.
func paramKind(event string, p []Param) ParamKind {
	n1, n2 := string(p[0].Name), string(p[1].Name)
	if n1 == "p1" {
		switch event {
		case "db file sequential read", "db file scattered read", "buffer busy waits", "direct path read", "direct path write":
			return ParamsBlock
		case "enqueue":
			return ParamsLock
		case "latch free":
			return ParamsLatch
		}
		return ParamsNone
	}
	switch {
	case (n1 == "file#" || n1 == "file number") && (n2 == "block#" || n2 == "first dba"):
		return ParamsBlock
	case n1 == "name|mode":
		return ParamsLock
	case n1 == "address" && n2 == "number":
		return ParamsLatch
	case n1 == "idn", n1 == "cache id", n1 == "handle address":
		return ParamsValue
	}
	return ParamsNone
}

// paramIndex finds the entry of a pair of values. Mostly it is that of the last
// time.
type paramIndex struct {
	at   map[[2]int64]int32
	last int32
}

func (x *paramIndex) add(list *[]ParamStat, s ParamStat, most int, rest *ParamStat) {
	l := *list
	if i := int(x.last); i < len(l) && l[i].P1 == s.P1 && l[i].P2 == s.P2 {
		l[i].join(&s)
		return
	}
	if x.at == nil {
		x.at = map[[2]int64]int32{}
	}
	k := [2]int64{s.P1, s.P2}
	i, ok := x.at[k]
	if !ok {
		if len(l) >= most {
			l = x.prune(l, rest)
		}
		i = int32(len(l))
		*list = append(l, s)
		x.at[k], x.last = i, i
		return
	}
	x.last = i
	l[i].join(&s)
}

func (s *ParamStat) join(o *ParamStat) {
	s.Count += o.Count
	s.Total += o.Total
	s.Max = max(s.Max, o.Max)
}

// prune makes room: what has no more than the average time goes into rest. What
// comes again later begins anew, so a value that is told of may lack what it had
// before.
func (x *paramIndex) prune(l []ParamStat, rest *ParamStat) []ParamStat {
	var total int64
	for i := range l {
		total += l[i].Total
	}
	average, kept := total/int64(len(l)), 0
	clear(x.at)
	for i := range l {
		if l[i].Total <= average {
			rest.join(&l[i])
			continue
		}
		l[kept] = l[i]
		x.at[[2]int64{l[i].P1, l[i].P2}] = int32(kept)
		kept++
	}
	return l[:kept]
}
