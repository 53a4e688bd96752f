// Package reftest is a slow, plain reader of SQL trace, written straight from
// facts/trace-format.md 4 to 9, 14 and 15 to check the fast one against. It must
// not import ringtrace/tracefile, and shares no code with it: whole file in
// memory, regular expressions, one pass.
package reftest

import (
	"regexp"
	"strconv"
	"strings"
)

// Values are one row of tkprof's table.
type Values struct{ Count, CPU, Elapsed, Disk, Query, Current, Rows, Misses int64 }

// Result is what both readers must agree on.
type Result struct {
	NonRecursive, Recursive, Unknown map[string]Values // by parse, exec, fetch
	Waits                            map[string]Values // Count and Elapsed by event
	Errors                           map[int64]int64   // ERROR and PARSE ERROR lines by ORA number
	Commits, Rollbacks, ReadOnly     int64
	LOB                              map[string]Values // Count, CPU, Elapsed by call
	Texts                            map[string]bool   // SQL texts of PARSING IN CURSOR
}

var (
	callRE    = regexp.MustCompile(`^(PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP) #(\d+):(.*)$`)
	waitRE    = regexp.MustCompile(`^WAIT #(\d+): nam='(.*?)' ela= ?(-?\d+) `)
	parsingRE = regexp.MustCompile(`^PARSING IN CURSOR #(\d+)`)
	lenRE     = regexp.MustCompile(` len=(\d+) `)
	errRE     = regexp.MustCompile(`^ERROR #(\d+):err=(\d+) `)
	parseErr  = regexp.MustCompile(`^PARSE ERROR #(\d+):len=(\d+) .*err=(\d+)\s*$`)
	xctRE     = regexp.MustCompile(`^XCTEND rlbk=(\d+), rd_only=(\d+)`)
	lobRE     = regexp.MustCompile(`^(LOB[A-Z]+): (.*)$`)
	pairRE    = regexp.MustCompile(`^\s*([a-z]+)=(-?\d+)(,|\s*$)`)
	sidRE     = regexp.MustCompile(`^\*\*\* SESSION ID:\((.*?)\)`)
	procRE    = regexp.MustCompile(`^\*\*\* \[ .* pid: (\d+) \]`)
	pidRE     = regexp.MustCompile(`^Unix process pid:\s*(\d+)`)
	glueRE    = regexp.MustCompile(`^(.*?[^ ].*?tim=\d+)((?:WAIT|EXEC|FETCH|PARSE|CLOSE|STAT|BINDS|ERROR) #\d.*)$`)
)

type call struct {
	start                              int64
	cpu, elapsed, disk, query, current int64
}

// session is what belongs to one session: its cursors and its open calls.
type session struct {
	known map[string]bool
	open  map[int64][]call
}

// Read reads one trace.
func Read(data string) *Result {
	r := &Result{
		NonRecursive: map[string]Values{}, Recursive: map[string]Values{}, Unknown: map[string]Values{},
		Waits: map[string]Values{}, Errors: map[int64]int64{}, LOB: map[string]Values{}, Texts: map[string]bool{},
	}
	sessions := map[string]*session{}
	pid, sid := "", ""
	lastSID := map[string]string{}
	cur := func() *session {
		k := pid + "/" + sid
		if sessions[k] == nil {
			sessions[k] = &session{map[string]bool{}, map[int64][]call{}}
		}
		return sessions[k]
	}
	rename := func(from, to string) {
		if s := sessions[from]; s != nil && sessions[to] == nil {
			sessions[to] = s
			delete(sessions, from)
		}
	}
	lines := strings.Split(data, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if m := glueRE.FindStringSubmatch(l); m != nil && !strings.HasPrefix(l, "PARSE ERROR") && !strings.HasPrefix(l, "PARSING") {
			lines[i] = m[2]
			l = m[1]
			i--
		}
		if m := parsingRE.FindStringSubmatch(l); m != nil {
			cur().known[m[1]] = true
			var text []string
			size, want := 0, -1
			if m := lenRE.FindStringSubmatch(l); m != nil {
				want, _ = strconv.Atoi(m[1])
			}
			for i++; i < len(lines); i++ {
				if lines[i] == "END OF STMT" {
					break
				}
				if want >= 0 && size+1 >= want && callRE.MatchString(lines[i]) && strings.Contains(lines[i], "tim=") {
					i--
					break
				}
				text = append(text, lines[i])
				size += len(lines[i]) + 1
			}
			r.Texts[strings.Join(text, "\n")] = true
			continue
		}
		if m := callRE.FindStringSubmatch(l); m != nil {
			r.call(cur(), m[1], m[2], m[3])
			continue
		}
		if m := waitRE.FindStringSubmatch(l); m != nil {
			ela, _ := strconv.ParseInt(m[3], 10, 64)
			v := r.Waits[m[2]]
			v.Count++
			v.Elapsed += ela
			r.Waits[m[2]] = v
			continue
		}
		if m := errRE.FindStringSubmatch(l); m != nil {
			n, _ := strconv.ParseInt(m[2], 10, 64)
			r.Errors[n]++
			continue
		}
		if m := parseErr.FindStringSubmatch(l); m != nil {
			n, _ := strconv.ParseInt(m[3], 10, 64)
			r.Errors[n]++
			want, _ := strconv.Atoi(m[2])
			for size := 0; size < want && i+1 < len(lines) && !callRE.MatchString(lines[i+1]); {
				i++
				size += len(lines[i]) + 1
			}
			continue
		}
		if m := xctRE.FindStringSubmatch(l); m != nil {
			if m[1] == "0" {
				r.Commits++
			} else {
				r.Rollbacks++
			}
			if m[2] != "0" {
				r.ReadOnly++
			}
			continue
		}
		if m := lobRE.FindStringSubmatch(l); m != nil {
			r.lob(cur(), m[1], m[2])
			continue
		}
		if m := pidRE.FindStringSubmatch(l); m != nil && m[1] != pid {
			pid, sid = m[1], ""
			continue
		}
		if m := procRE.FindStringSubmatch(l); m != nil {
			lastSID[pid] = sid
			pid = m[1]
			sid = lastSID[pid]
			continue
		}
		if m := sidRE.FindStringSubmatch(l); m != nil {
			if sid == "" {
				rename(pid+"/", pid+"/"+m[1])
			}
			sid = m[1]
		}
	}
	return r
}

// pairs reads key=value pairs; one that is cut, by the end of the line or by
// anything but a comma, does not count unless it is tim.
func pairs(s string) map[string]int64 {
	out := map[string]int64{}
	for s != "" {
		m := pairRE.FindStringSubmatch(s)
		if m == nil {
			break
		}
		if m[3] == "," || m[1] == "tim" {
			v, err := strconv.ParseInt(m[2], 10, 64)
			if err != nil {
				break
			}
			out[m[1]] = v
		}
		s = s[len(m[0]):]
	}
	return out
}

// call counts a call by facts 14 and 15.
func (r *Result) call(s *session, kind, cursor, rest string) {
	p := pairs(rest)
	need := []string{"c", "e", "p", "cr", "cu", "mis", "r", "dep"}
	if kind == "CLOSE" {
		need = []string{"c", "e", "dep"}
	}
	for _, k := range need {
		if _, ok := p[k]; !ok {
			return
		}
	}
	self := s.self(p)
	if kind == "CLOSE" {
		return
	}
	col := map[string]string{"PARSE": "parse", "EXEC": "exec", "FETCH": "fetch", "UNMAP": "exec", "SORT UNMAP": "exec"}[kind]
	table := r.Recursive
	if p["dep"] == 0 {
		table = r.NonRecursive
	}
	if !s.known[cursor] {
		table = r.Unknown
	}
	v := table[col]
	v.Count++
	v.CPU += self.cpu
	v.Elapsed += self.elapsed
	v.Disk += self.disk
	v.Query += self.query
	v.Current += self.current
	v.Rows += p["r"]
	v.Misses += p["mis"]
	table[col] = v
}

// self subtracts the calls one level deeper that began no earlier, and leaves
// the call for its own caller.
func (s *session) self(p map[string]int64) call {
	tim, timed := p["tim"]
	d := p["dep"]
	c := call{tim - p["e"], p["c"], p["e"], p["p"], p["cr"], p["cu"]}
	self := c
	for _, k := range s.open[d+1] {
		if timed && k.start < c.start {
			continue
		}
		self.cpu -= k.cpu
		self.elapsed -= k.elapsed
		self.disk -= k.disk
		self.query -= k.query
		self.current -= k.current
	}
	delete(s.open, d+1)
	if d > 0 {
		s.open[d] = append(s.open[d], c)
	}
	return self
}

func (r *Result) lob(s *session, name, rest string) {
	if strings.HasPrefix(rest, "type=") {
		_, rest, _ = strings.Cut(rest, ",")
		_, rest, _ = strings.Cut(rest, ",")
	}
	p := pairs(rest)
	if _, ok := p["e"]; !ok {
		return
	}
	self := s.self(p)
	v := r.LOB[name]
	v.Count++
	v.CPU += self.cpu
	v.Elapsed += self.elapsed
	r.LOB[name] = v
}
