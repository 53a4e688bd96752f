package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"strconv"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/plsql"
)

// Value is one SQL value as JSON: a letter for its type and its text.
type Value struct {
	Kind string `json:"k,omitempty"` // s text, n number, d time, r raw; empty for NULL
	Text string `json:"t,omitempty"`
	Name string `json:"b,omitempty"` // of a bind
}

// ValueOf encodes a value.
func ValueOf(v any) Value {
	switch x := v.(type) {
	case string:
		return Value{Kind: "s", Text: x}
	case int64:
		return Value{Kind: "n", Text: strconv.FormatInt(x, 10)}
	case float64:
		return Value{Kind: "n", Text: strconv.FormatFloat(x, 'g', 17, 64)}
	case time.Time:
		return Value{Kind: "d", Text: x.UTC().Format(time.RFC3339Nano)}
	case []byte:
		return Value{Kind: "r", Text: string(hexOf(x))}
	}
	return Value{}
}

func hexOf(b []byte) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return out
}

// Go decodes a value; one that does not parse is NULL.
func (v Value) Go() any {
	switch v.Kind {
	case "s":
		return v.Text
	case "n":
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(v.Text, 64); err == nil {
			return f
		}
	case "d":
		if t, err := time.Parse(time.RFC3339Nano, v.Text); err == nil {
			return t
		}
	case "r":
		out := make([]byte, len(v.Text)/2)
		for i := range out {
			n, err := strconv.ParseUint(v.Text[2*i:2*i+2], 16, 8)
			if err != nil {
				return nil
			}
			out[i] = byte(n)
		}
		return out
	}
	return nil
}

// sql serves one connection of `-c sim:DIR`: the first request opened it, each
// further line is a statement.
func (s *Server) sql(ctx context.Context, c net.Conn, r *bufio.Reader, q Request) {
	in := s.db.Instance(max(q.Inst, 1))
	if in == nil {
		reply(c, Answer{Error: "there is no such instance"})
		return
	}
	e, err := s.pool.Get(in)
	if err != nil {
		reply(c, Answer{Error: err.Error()})
		return
	}
	self, err := s.db.Logon(in, instance.Logon{
		User: "SYS", Sysdba: true, Bequeath: true, Program: "ringtrace@" + q.Host, Machine: q.Host, OSUser: q.User, ClientPID: q.PID,
		Module: "ringtrace", Driver: "simulator",
	})
	if err != nil {
		reply(c, Answer{Error: err.Error()})
		return
	}
	defer s.db.Logoff(self)
	reply(c, Answer{})
	sess := e.NewSession(self)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		s.touch()
		var st Request
		if err := json.Unmarshal(line, &st); err != nil {
			reply(c, Answer{Error: err.Error()})
			return
		}
		reply(c, statement(ctx, sess, st))
	}
}

func statement(ctx context.Context, sess *engine.Session, q Request) Answer {
	binds := make([]engine.Bind, len(q.Binds))
	for i, b := range q.Binds {
		binds[i] = engine.Bind{Name: b.Name, Value: b.Go()}
	}
	res, err := Execute(ctx, sess, q.SQL, binds)
	var oe *engine.Error
	var pe *plsql.Error
	switch {
	case errors.As(err, &pe):
		return Answer{Error: pe.Text, ORA: pe.Code}
	case errors.As(err, &oe):
		return Answer{Error: oe.Message, ORA: oe.Code, Offset: oe.Offset}
	case err != nil:
		return Answer{Error: err.Error()}
	}
	a := Answer{Columns: res.Columns, Count: res.Affected}
	for _, row := range res.Rows {
		out := make([]Value, len(row))
		for i, v := range row {
			out[i] = ValueOf(v)
		}
		a.Rows = append(a.Rows, out)
	}
	return a
}

// Execute runs SQL or a PL/SQL block.
func Execute(ctx context.Context, sess *engine.Session, q string, binds []engine.Bind) (*engine.Result, error) {
	if !engine.IsBlock(q) {
		return sess.Query(ctx, q, binds)
	}
	m := &plsql.Machine{SQL: sess, Binds: map[string]any{}}
	for i, b := range binds {
		name := b.Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		m.Binds[name] = b.Value
	}
	return &engine.Result{Kind: "begin"}, m.Run(ctx, q)
}
