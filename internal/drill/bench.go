package drill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/oradebug"
	"ringtrace/sessions"
)

// Bench is what a drill works with.
type Bench struct {
	// Scratch opens a new session of our own: A. An ordinary user's shows more
	// than SYS's.
	Scratch func(ctx context.Context) (control.Conversation, error)
	// Dial opens a SYSDBA conversation on the same instance: B.
	Dial func(ctx context.Context) (control.Conversation, error)
	// Read returns a trace file; fs.ErrNotExist for none, any other error when
	// it cannot be seen.
	Read func(ctx context.Context, path string) ([]byte, error)
	// Script runs lines as the input of a SQL*Plus that is connected as SYSDBA,
	// and returns what was printed; nil: such questions stay open.
	Script func(ctx context.Context, lines []string) (string, error)
	// Switch gives the process of a scratch session another session; nil:
	// SQL*Plus cannot do that.
	Switch func(control.Conversation) error

	Timeout   time.Duration // of one command
	Database  journal.Database
	Instance  journal.Instance
	Simulated bool
	Ordinary  bool // A is no SYSDBA
	Tool      string
	Now       func() time.Time
	Sleep     func(ctx context.Context, d time.Duration) error
	Say       func(string) // of what is asked; nil: nobody
}

// bench is one drill at work.
type bench struct {
	Bench
	b      *control.Console
	asker  control.Conversation // for queries of B
	record *Record
	open   []*subject
	// texts are eventdump's words for what was set, by what was set.
	texts map[string]string
}

// errShows says that an experiment showed neither of its outcomes.
var errShows = errors.New("the experiment shows neither outcome")

// subject is a scratch session under experiment.
type subject struct {
	x        *bench
	a        control.Conversation
	target   control.Target
	path     string
	n        int // statements run
	ended    bool
	evidence []string
}

// Run asks every question. Only what makes asking senseless is an error.
func Run(ctx context.Context, c Bench) (*Record, error) {
	x := &bench{Bench: c, texts: map[string]string{}}
	x.record = &Record{Format: Format, Tool: c.Tool, At: c.Now().UTC(), Database: c.Database, Instance: c.Instance, Simulated: c.Simulated, Answers: []Answer{}}
	x.b = control.NewConsole(c.Timeout, c.Dial)
	defer x.b.Close() //nolint:errcheck // nothing is lost
	var err error
	if x.asker, err = c.Dial(ctx); err != nil {
		return nil, err
	}
	defer x.asker.Close() //nolint:errcheck // nothing is lost
	if err := x.readable(ctx); err != nil {
		return nil, err
	}
	for _, q := range questions() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c.Say != nil {
			c.Say(q.text)
		}
		x.ask(ctx, q)
	}
	x.eventTexts()
	x.record.decide()
	return x.record, nil
}

// ask carries out one experiment.
func (x *bench) ask(ctx context.Context, q question) {
	a := Answer{ID: q.id, Question: q.text, Fact: q.fact, Evidence: []string{}}
	s, err := x.fresh(ctx)
	if err == nil {
		a.Answer, err = q.try(ctx, x, s)
		a.Evidence = append(a.Evidence, s.evidence...)
	}
	if err != nil {
		a.Answer = Unknown
		a.Evidence = append(a.Evidence, err.Error())
	}
	x.record.Answers = append(x.record.Answers, a)
	for _, o := range x.open {
		o.end(ctx)
	}
	x.open = nil
}

// known is an answer of an earlier question.
func (x *bench) known(id string) string { return x.record.Of(id) }

// readable tries once whether trace files can be seen at all.
func (x *bench) readable(ctx context.Context) error {
	s, err := x.fresh(ctx)
	if err != nil {
		return err
	}
	defer func() { s.end(ctx); x.open = nil }()
	if _, err := s.file(ctx); err != nil {
		return fmt.Errorf("the trace file of the scratch session cannot be read: %w", err)
	}
	return nil
}

var whoLine = regexp.MustCompile(`^ringtrace scratch (\d+) (\d+) (\d+) (\d+) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$`)

// fresh opens a new scratch session, proves it and finds its trace file.
func (x *bench) fresh(ctx context.Context) (*subject, error) {
	a, err := x.Scratch(ctx)
	if err != nil {
		return nil, fmt.Errorf("open scratch session: %w", err)
	}
	s := &subject{x: x, a: a}
	x.open = append(x.open, s)
	if err := s.identify(ctx); err != nil {
		return s, err
	}
	r, err := s.send(ctx, "tracefile_name")
	if err != nil {
		return s, err
	}
	if r[0].Kind != oradebug.ReplyTracefile {
		return s, fmt.Errorf("tracefile_name was answered by %q", r[0].Lines)
	}
	s.path = r[0].Path
	return s, nil
}

// identify finds the session and process of A by its own word and B's views.
func (s *subject) identify(ctx context.Context) error {
	lines, err := s.a.Do(ctx, "select sys_context('userenv','sid') from dual")
	if err != nil {
		return err
	}
	sid := 0
	for _, l := range lines {
		if n, err := strconv.Atoi(strings.TrimSpace(l)); err == nil {
			sid = n
		}
	}
	if sid == 0 {
		return fmt.Errorf("the scratch session does not say its sid: %q", lines)
	}
	lines, err = s.x.query(ctx, fmt.Sprintf("select 'ringtrace scratch ' || s.serial# || ' ' || p.pid || ' ' || p.serial# || ' ' || p.spid || ' ' || "+
		"to_char(s.logon_time, 'YYYY-MM-DD HH24:MI:SS') from v$session s join v$process p on p.addr = s.paddr where s.sid = %d", sid))
	if err != nil {
		return err
	}
	for _, l := range lines {
		m := whoLine.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			continue
		}
		n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
		logon, err := time.Parse(time.DateTime, m[5])
		if err != nil {
			return err
		}
		s.target, err = control.NewTarget(&sessions.Session{
			InstID: s.x.Instance.InstID, SID: sid, Serial: n(1), Orapid: n(2), ProcessSerial: n(3), Ospid: m[4], LogonTime: logon, Username: "scratch",
		})
		return err
	}
	return fmt.Errorf("the scratch session %d is not in V$SESSION of this instance: %q", sid, lines)
}

// query asks as B.
func (x *bench) query(ctx context.Context, text string) ([]string, error) {
	return x.asker.Do(ctx, text)
}

// note keeps something as evidence.
func (s *subject) note(format string, args ...any) {
	const most = 600
	t := fmt.Sprintf(format, args...)
	if len(t) > most {
		t = t[:most] + " …"
	}
	s.evidence = append(s.evidence, t)
}

// send sends commands to A's process, one after the other, and stops at the
// first that Oracle refuses.
func (s *subject) send(ctx context.Context, commands ...string) ([]oradebug.Reply, error) {
	out, err := s.try(ctx, commands...)
	if err == nil && len(out) > 0 {
		if last := &out[len(out)-1]; last.Kind == oradebug.ReplyFailed {
			err = fmt.Errorf("%s: %s", commands[len(out)-1], last.Errors[0])
		}
	}
	return out, err
}

// try sends commands and returns every answer.
func (s *subject) try(ctx context.Context, commands ...string) (out []oradebug.Reply, err error) {
	err = s.x.b.Hold(ctx, s.target, func(h control.Held) error {
		for _, c := range commands {
			r, err := h.Send(ctx, c)
			if err != nil {
				return err
			}
			out = append(out, r)
			s.note("oradebug %s\n%s", c, strings.Join(r.Lines, "\n"))
			if r.Kind == oradebug.ReplyFailed && !strings.HasPrefix(c, "set") {
				return nil
			}
		}
		return nil
	})
	return out, err
}

// events reads A's own events.
func (s *subject) events(ctx context.Context) ([]string, error) {
	r, err := s.send(ctx, "eventdump session")
	if err != nil {
		return nil, err
	}
	switch r[0].Kind {
	case oradebug.ReplyEvents:
		return r[0].Events, nil
	case oradebug.ReplyProcessed, oradebug.ReplyEmpty:
		return nil, nil
	}
	return nil, fmt.Errorf("eventdump was answered by %q", r[0].Lines)
}

// work lets A run n statements that no cursor holds yet.
func (s *subject) work(ctx context.Context, n int) error {
	for range n {
		s.n++
		if _, err := s.a.Do(ctx, fmt.Sprintf("select /* ringtrace drill %d */ count(*) from dual", s.n)); err != nil {
			return err
		}
	}
	return nil
}

// fail lets A raise ORA-00942.
func (s *subject) fail(ctx context.Context) error {
	lines, err := s.a.Do(ctx, "select * from ringtrace_drill_no_such_table")
	if err != nil {
		return err
	}
	if !strings.Contains(strings.Join(lines, "\n"), "ORA-00942") {
		return fmt.Errorf("a missing table was answered by %q", lines)
	}
	return nil
}

// file returns A's trace file; one that is not there is empty.
func (s *subject) file(ctx context.Context) ([]byte, error) {
	b, err := s.x.Read(ctx, s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// grown returns what an action made the trace file grow by.
func (s *subject) grown(ctx context.Context, what string, action func() error) (string, error) {
	before, err := s.file(ctx)
	if err != nil {
		return "", err
	}
	if err := action(); err != nil {
		return "", err
	}
	after, err := s.file(ctx)
	if err != nil {
		return "", err
	}
	text := string(after)
	if len(after) >= len(before) {
		text = string(after[len(before):])
	}
	s.note("%s: the trace file grew by %d bytes, %d SQL trace records", what, len(text), records(text))
	return text, nil
}

// grownBy is grown for commands.
func (s *subject) grownBy(ctx context.Context, commands ...string) (string, error) {
	return s.grown(ctx, strings.Join(commands, "; "), func() error {
		_, err := s.send(ctx, commands...)
		return err
	})
}

// grownByWork is grown for statements of A.
func (s *subject) grownByWork(ctx context.Context, n int) (string, error) {
	return s.grown(ctx, fmt.Sprintf("%d statements of the session", n), func() error { return s.work(ctx, n) })
}

// grownByFail is grown for errors that A raises.
func (s *subject) grownByFail(ctx context.Context, times int) (string, error) {
	return s.grown(ctx, fmt.Sprintf("ORA-00942 raised %d times", times), func() error {
		for range times {
			if err := s.fail(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// end closes the scratch session; its events end with it, and the ring with
// its process.
func (s *subject) end(context.Context) {
	if !s.ended {
		s.ended = true
		s.a.Close() //nolint:errcheck // nothing is lost
	}
}

var (
	recordLine = regexp.MustCompile(`(?m)^(?:PARSING IN CURSOR #|(?:PARSE|EXEC|FETCH|WAIT|CLOSE|STAT|BINDS) #)`)
	dumpLine   = regexp.MustCompile(`(?m)^----- Error Stack Dump -----|^ksedmp: internal or fatal error`)
	markerLine = regexp.MustCompile(`ORADEBUG command \(#\d+\)`)
	wrapLine   = regexp.MustCompile(`(?m)^.*[Bb]uffer of \d+ bytes wrapped.*$`)
)

func records(text string) int { return len(recordLine.FindAllString(text, -1)) }

func dumps(text string) int { return len(dumpLine.FindAllString(text, -1)) }

func yesNo(b bool) string {
	if b {
		return Yes
	}
	return No
}
