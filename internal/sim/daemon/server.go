package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/ocid"
	"ringtrace/internal/sim/tracegen"
)

// Server serves one simulated database over Unix sockets.
type Server struct {
	layout Layout
	db     *instance.Database
	pool   *engine.Pool
	gen    *tracegen.Generator
	spec   Spec
	now    func() time.Time // of the host, for the idle time

	stop    context.CancelFunc
	last    atomic.Int64 // Unix time of the last request
	clients sync.WaitGroup
}

// Serve runs until ctx ends, `down` is asked, the directory vanishes or
// nobody asked anything for the idle time. It writes the state file when it
// is ready.
func Serve(ctx context.Context, l Layout, spec Spec, db *instance.Database, now func() time.Time) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Server{layout: l, db: db, pool: engine.NewPool(db), gen: tracegen.New(db, spec.Seed), spec: spec, now: now, stop: stop}
	defer s.pool.Close()
	// A Unix socket's path is limited to about 100 bytes, so the sockets are
	// not in the directory.
	sockets, err := os.MkdirTemp("", "rtsim")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(sockets) }() // a folder that stays is empty of value
	ctl, err := net.Listen("unix", filepath.Join(sockets, "ctl"))
	if err != nil {
		return err
	}
	oci, err := ocid.Listen(filepath.Join(sockets, "oci"), db, s.pool)
	if err != nil {
		return errors.Join(err, ctl.Close())
	}
	oci.Busy = s.touch
	db.Outside = s.faultOutside
	if err := errors.Join(s.homeFiles(sockets), s.faultsAtStart()); err != nil {
		return errors.Join(err, ctl.Close(), oci.Close())
	}
	s.touch()
	if err := l.write(State{PID: os.Getpid(), Sockets: sockets, Spec: spec}); err != nil {
		return errors.Join(err, ctl.Close(), oci.Close())
	}
	go s.accept(ctx, ctl)
	s.watch(ctx)
	err = errors.Join(ctl.Close(), oci.Close())
	s.clients.Wait()
	if rerr := os.Remove(l.state()); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return err
}

func (s *Server) touch() { s.last.Store(s.now().Unix()) }

// watch returns when the server shall end.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := os.Stat(s.layout.Dir); err != nil {
			return
		}
		if idle := s.spec.Idle; idle > 0 && s.now().Unix()-s.last.Load() > idle {
			return
		}
	}
}

// homeFiles tells the shim, which knows only its own path, where the socket
// is.
func (s *Server) homeFiles(sockets string) error {
	return os.WriteFile(filepath.Join(s.layout.Lib(), "socket"), []byte(filepath.Join(sockets, "oci")), 0o600)
}

func (s *Server) accept(ctx context.Context, l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return // closed
		}
		s.clients.Add(1)
		go func() {
			defer s.clients.Done()
			stop := context.AfterFunc(ctx, func() { _ = c.Close() })
			defer stop()
			s.serve(ctx, c)
		}()
	}
}

// Request is one request on the control socket: a line of JSON.
type Request struct {
	Op    string            `json:"op"` // ping show raise run fault rehearse down sqlplus sql
	Arg   string            `json:"arg,omitempty"`
	Ora   int               `json:"ora,omitempty"`
	Args  []string          `json:"args,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
	Cwd   string            `json:"cwd,omitempty"`
	User  string            `json:"user,omitempty"`
	PID   string            `json:"pid,omitempty"`
	Host  string            `json:"host,omitempty"`
	Inst  int               `json:"inst,omitempty"`
	SQL   string            `json:"sql,omitempty"`
	Binds []Value           `json:"binds,omitempty"`
}

// Answer is the answer to a request.
type Answer struct {
	Error   string          `json:"error,omitempty"`
	ORA     int             `json:"ora,omitempty"`
	Offset  int             `json:"offset,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Columns []engine.Column `json:"columns,omitempty"`
	Rows    [][]Value       `json:"rows,omitempty"`
	Count   int64           `json:"count,omitempty"`
}

func (s *Server) serve(ctx context.Context, c net.Conn) {
	defer func() { _ = c.Close() }() // the client is gone or has its answer
	r := bufio.NewReader(c)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return
	}
	s.touch()
	var q Request
	if err := json.Unmarshal(line, &q); err != nil {
		reply(c, Answer{Error: err.Error()})
		return
	}
	switch q.Op {
	case "sqlplus":
		s.sqlplus(ctx, c, r, q)
	case "sql":
		s.sql(ctx, c, r, q)
	case "down":
		reply(c, Answer{})
		s.stop()
	default:
		reply(c, s.operate(ctx, q))
	}
}

func reply(c net.Conn, a Answer) {
	data, err := json.Marshal(a)
	if err != nil {
		data = []byte(fmt.Sprintf(`{"error":%q}`, err.Error()))
	}
	_, _ = c.Write(append(data, '\n')) // a client that left needs no answer
}
