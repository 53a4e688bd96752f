package ocid

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/plsql"
	"ringtrace/internal/sim/sqlplusd"
)

// Server answers the shim.
type Server struct {
	// Busy is called at every request; set it before the first connection.
	Busy func()

	db    *instance.Database
	pool  *engine.Pool
	l     net.Listener
	ctx   context.Context
	stop  context.CancelFunc
	conns sync.WaitGroup
}

// Listen serves a database at a Unix socket.
func Listen(path string, db *instance.Database, pool *engine.Pool) (*Server, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	s := &Server{db: db, pool: pool, l: l}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.conns.Add(1)
	go s.accept()
	return s, nil
}

// Close ends the server and its connections.
func (s *Server) Close() error {
	s.stop()
	err := s.l.Close()
	s.conns.Wait()
	return err
}

func (s *Server) accept() {
	defer s.conns.Done()
	for {
		c, err := s.l.Accept()
		if err != nil {
			return // closed
		}
		s.conns.Add(1)
		go func() {
			defer s.conns.Done()
			(&link{s: s, conn: c, cursors: map[uint32]*cursor{}}).serve()
		}()
	}
}

// link is one connection of the shim.
type link struct {
	s       *Server
	conn    net.Conn
	sess    *engine.Session
	cursors map[uint32]*cursor
	last    uint32

	mu     sync.Mutex
	cancel context.CancelFunc // of the call that runs
}

type cursor struct {
	res *engine.Result
	at  int
}

type frame struct {
	op   byte
	body []byte
}

// maxFrame bounds a request.
const maxFrame = 64 << 20

// serve answers requests until the client leaves. A break must get through
// while a statement runs, so reading has its own goroutine.
func (c *link) serve() {
	ctx, stop := context.WithCancel(c.s.ctx)
	defer stop()
	defer func() { _ = c.conn.Close() }() // the client is gone
	unblock := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	defer unblock()
	defer c.logoff()
	frames := make(chan frame)
	go c.read(ctx, stop, frames)
	for f := range frames {
		if c.s.Busy != nil {
			c.s.Busy()
		}
		call, done := context.WithCancel(ctx)
		c.running(done)
		w, err := c.handle(call, f)
		c.running(nil)
		done()
		if err := c.answer(w, err); err != nil {
			return
		}
	}
}

func (c *link) running(f context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = f
}

func (c *link) read(ctx context.Context, stop func(), frames chan<- frame) {
	defer close(frames)
	defer stop()
	r := bufio.NewReader(c.conn)
	for {
		var h [5]byte
		if _, err := io.ReadFull(r, h[:]); err != nil {
			return
		}
		n := binary.LittleEndian.Uint32(h[:4])
		if n > maxFrame {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		if h[4] == opBreak {
			c.mu.Lock()
			if c.cancel != nil {
				c.cancel()
			}
			c.mu.Unlock()
			continue
		}
		select {
		case frames <- frame{h[4], body}:
		case <-ctx.Done():
			return
		}
	}
}

// answer writes a frame: length, status, body; an error's body is its code,
// the offset in the statement and the text.
func (c *link) answer(w *writer, err error) error {
	status := byte(0)
	if err != nil {
		status = 1
		code, off, text := 600, 0, "internal error code, arguments: ["+err.Error()+"]"
		var oe *engine.Error
		var pe *plsql.Error
		switch {
		case errors.As(err, &pe):
			code, off, text = pe.Code, pe.Offset, strings.TrimPrefix(pe.Text, fmt.Sprintf("ORA-%05d: ", pe.Code))
		case errors.As(err, &oe):
			code, off, text = oe.Code, oe.Offset, oe.Message
		}
		w = &writer{}
		w.u32(uint32(code))
		w.u32(uint32(off))
		w.text(text)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(w.b)))
	out = append(append(out, status), w.b...)
	_, werr := c.conn.Write(out)
	return werr
}

func (c *link) logoff() {
	if c.sess != nil {
		c.s.db.Logoff(c.sess.Self)
		c.sess = nil
	}
}

func (c *link) handle(ctx context.Context, f frame) (*writer, error) {
	r, w := &reader{b: f.body}, &writer{}
	if f.op == opConnect {
		return w, c.connect(r, w)
	}
	if c.sess == nil {
		return nil, &engine.Error{Code: 1012, Message: "not logged on"}
	}
	if _, on := c.s.db.Faults.Take(fault.LostContact); on {
		return nil, &engine.Error{Code: 3113, Message: "end-of-file on communication channel"}
	}
	switch f.op {
	case opExec:
		return w, c.exec(ctx, r, w)
	case opFetch:
		return w, c.fetch(r, w)
	case opClose:
		delete(c.cursors, r.u32())
	case opPing, opCommit, opRollback:
		if _, err := c.sess.Query(ctx, "select 1 from dual", nil); err != nil {
			return nil, err
		}
	case opLogoff:
		c.logoff()
	default:
		return nil, fmt.Errorf("operation %d is not known", f.op)
	}
	return w, nil
}

func (c *link) connect(r *reader, w *writer) error {
	user, password, where, mode := r.text(), r.text(), r.text(), r.u32()
	if r.broken {
		return fmt.Errorf("a logon that is too short")
	}
	role := ""
	if mode&2 != 0 {
		role = "SYSDBA"
	}
	self, err := sqlplusd.Logon(c.s.db, sqlplusd.Request{
		User: user, Password: password, Slash: user == "" && password == "", Where: where, Role: role, OSAuth: true, Machine: c.s.db.Instances[0].Host, OSUser: "oracle",
		Program: "ringtrace", Driver: "godror : v0.51.5",
	})
	if err != nil {
		return err
	}
	e, err := c.s.pool.Get(self.Inst)
	if err != nil {
		c.s.db.Logoff(self)
		return err
	}
	c.sess = e.NewSession(self)
	rel := c.s.db.Release
	w.u32(version(rel.Full))
	w.u32(uint32(self.SID))
	for _, s := range []string{rel.Banner + "\nVersion " + rel.Full, c.s.db.Name, self.Inst.Name, self.Service} {
		w.text(s)
	}
	return nil
}

// version packs 19.23.0.0.0 as OCI does: from 18c on 8, 8, 4, 8 and 4 bits,
// before 8, 4, 8, 4 and 8.
func version(full string) uint32 {
	var n [5]uint32
	_, _ = fmt.Sscanf(full, "%d.%d.%d.%d.%d", &n[0], &n[1], &n[2], &n[3], &n[4]) // missing parts are 0
	if n[0] >= 18 {
		return n[0]<<24 | n[1]<<16 | n[2]<<12 | n[3]<<4 | n[4]
	}
	return n[0]<<24 | n[1]<<20 | n[2]<<12 | n[3]<<8 | n[4]
}

func (c *link) exec(ctx context.Context, r *reader, w *writer) error {
	q := r.text()
	r.u8() // describe only
	r.u8() // commit on success
	old := r.u32()
	var binds []engine.Bind
	for n := r.u32(); n > 0 && !r.broken; n-- {
		binds = append(binds, r.bind())
	}
	if r.broken {
		return fmt.Errorf("a statement that is too short")
	}
	res, err := c.run(ctx, q, binds)
	if err != nil {
		return err
	}
	delete(c.cursors, old)
	id := uint32(0)
	if len(res.Columns) > 0 {
		c.last++
		id = c.last
		c.cursors[id] = &cursor{res: res}
	}
	w.u32(id)
	w.u64(uint64(res.Affected))
	w.columns(res.Columns)
	return nil
}

func (c *link) run(ctx context.Context, q string, binds []engine.Bind) (*engine.Result, error) {
	if !engine.IsBlock(q) {
		return c.sess.Query(ctx, q, binds)
	}
	if _, err := c.sess.Query(ctx, "select 1 from dual", nil); err != nil {
		return nil, err // a killed session runs no block either
	}
	m := &plsql.Machine{SQL: c.sess, Binds: map[string]any{}}
	for i, b := range binds {
		name := strings.ToUpper(b.Name)
		if name == "" {
			name = fmt.Sprint(i + 1)
		}
		m.Binds[name] = b.Value
	}
	return &engine.Result{Kind: "begin"}, m.Run(ctx, q)
}

func (c *link) fetch(r *reader, w *writer) error {
	cur, n := c.cursors[r.u32()], int(r.u32())
	if cur == nil {
		return &engine.Error{Code: 1002, Message: "fetch out of sequence"}
	}
	if _, err := c.sess.Query(context.Background(), "select 1 from dual", nil); err != nil {
		return err // killed between two fetches
	}
	n = min(n, len(cur.res.Rows)-cur.at)
	w.u32(uint32(n))
	done := byte(0)
	if cur.at+n == len(cur.res.Rows) {
		done = 1
	}
	w.u8(done)
	for _, row := range cur.res.Rows[cur.at : cur.at+n] {
		for i, v := range row {
			w.value(v, cur.res.Columns[i].Kind)
		}
	}
	cur.at += n
	return nil
}
