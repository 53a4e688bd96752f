package daemon

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/sqlplusd"
)

// A sqlplus client and the server exchange frames: a letter, a length of four
// bytes, data. Client: I standard input, E its end, B interrupt. Server: O
// standard output, X exit code.
func writeFrame(w io.Writer, kind byte, data []byte) error {
	h := make([]byte, 5, 5+len(data))
	h[0] = kind
	binary.LittleEndian.PutUint32(h[1:], uint32(len(data)))
	_, err := w.Write(append(h, data...))
	return err
}

// maxFrame bounds a frame, so that a broken client cannot take all memory.
const maxFrame = 16 << 20

func readFrame(r io.Reader) (kind byte, data []byte, err error) {
	var h [5]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(h[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes", n)
	}
	data = make([]byte, n)
	_, err = io.ReadFull(r, data)
	return h[0], data, err
}

// frameWriter sends standard output.
type frameWriter struct {
	mu   sync.Mutex
	conn net.Conn
}

func (w *frameWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := writeFrame(w.conn, 'O', p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// interrupts hands out command contexts and cancels the current one.
type interrupts struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (i *interrupts) command(ctx context.Context) (context.Context, context.CancelFunc) {
	c, cancel := context.WithCancel(ctx)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cancel = cancel
	return c, cancel
}

func (i *interrupts) strike() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.cancel != nil {
		i.cancel()
	}
}

// sqlplus runs an interpreter for a client process.
func (s *Server) sqlplus(ctx context.Context, c net.Conn, r *bufio.Reader, q Request) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, inw := io.Pipe()
	var brk interrupts
	go func() {
		defer cancel()
		defer func() { _ = inw.Close() }() // the reader sees the end
		for {
			kind, data, err := readFrame(r)
			if err != nil {
				return // the client is gone
			}
			s.touch()
			switch kind {
			case 'I':
				if _, err := inw.Write(data); err != nil {
					return
				}
			case 'E':
				_ = inw.Close() // the reader sees the end
			case 'B':
				brk.strike()
			}
		}
	}()
	host := q.Host
	code, err := sqlplusd.Main(ctx, sqlplusd.Config{
		DB: s.db, Engine: s.pool.Get, Stdin: in, Stdout: &frameWriter{conn: c}, Files: sqlplusd.Dir(q.Cwd), Env: q.Env,
		Login: s.login(q), OSAuth: true, Machine: host, OSUser: q.User, PID: q.PID,
		Wait: s.wait, Sleep: sqlplusd.RealSleep(), Command: brk.command,
	}, q.Args)
	_ = in.Close() // unblocks the reader of the client's input
	if err != nil && code == 0 {
		code = 1
	}
	_ = writeFrame(c, 'X', []byte{byte(code)}) // a client that left needs no code
}

// login lists glogin.sql and login.sql: from 12.2 on only ORACLE_PATH is
// searched, before also the current folder and SQLPATH
// (facts/views-and-sqlplus.md 3.3).
func (s *Server) login(q Request) []string {
	out := []string{filepath.Join(s.layout.Home(), "sqlplus", "admin", "glogin.sql")}
	if p := q.Env["ORACLE_PATH"]; p != "" {
		out = append(out, filepath.Join(p, "login.sql"))
	}
	if s.db.Release.Rank < 3 {
		out = append(out, filepath.Join(q.Cwd, "login.sql"))
		if p := q.Env["SQLPATH"]; p != "" {
			out = append(out, filepath.Join(p, "login.sql"))
		}
	}
	return out
}

// commandTimeout is `_ksdxdocmd_default_timeout_ms` (facts/oradebug.md 2.6).
const commandTimeout = 30 * time.Second

// wait lets a command hang as long as its target does, up to the time-out.
func (s *Server) wait(ctx context.Context, p *instance.Process) error {
	deadline := time.NewTimer(commandTimeout)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		hung := false
		s.db.Locked(func() { hung = p.Hung() })
		if !hung {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return nil
		case <-tick.C:
		}
	}
}
