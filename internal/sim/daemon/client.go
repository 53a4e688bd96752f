package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Client talks to the server of a directory.
type Client struct {
	Layout Layout
	State  State
	// Timeout bounds each statement of OpenDB; 0 is none.
	Timeout time.Duration
}

// pingTimeout is how long Dial waits for a sign of life.
const pingTimeout = 10 * time.Second

// Dial finds the server of a directory. The error is ErrNotRunning when none
// answers.
func Dial(l Layout) (*Client, error) {
	st, err := l.Read()
	if err != nil {
		return nil, err
	}
	c := &Client{Layout: l, State: st}
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	if _, err := c.Do(ctx, Request{Op: "ping"}); err != nil {
		return nil, fmt.Errorf("%s: %w (its last process was %d)", l.Dir, ErrNotRunning, st.PID)
	}
	return c, nil
}

func (c *Client) connect(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", filepath.Join(c.State.Sockets, "ctl"))
}

// wakeAt ends reads and writes on conn when ctx does, until release is called.
func wakeAt(ctx context.Context, conn net.Conn) (release func()) {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = conn.SetDeadline(time.Unix(1, 0))
	})
	return func() {
		if !stop() { // the answer came when the time was up: the next question has its own
			<-done
			_ = conn.SetDeadline(time.Time{})
		}
	}
}

// Do sends one request.
func (c *Client) Do(ctx context.Context, q Request) (json.RawMessage, error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // one question, one answer
	defer wakeAt(ctx, conn)()
	if err := json.NewEncoder(conn).Encode(q); err != nil {
		return nil, err
	}
	var a Answer
	if err := json.NewDecoder(conn).Decode(&a); err != nil {
		return nil, fmt.Errorf("the simulated instance gave no answer: %w", err)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return a.Data, nil
}

// Down ends the server and waits until its process is gone.
func (c *Client) Down(ctx context.Context, wait time.Duration) error {
	if _, err := c.Do(ctx, Request{Op: "down"}); err != nil {
		return err
	}
	const step = 20 * time.Millisecond
	for range wait / step {
		if !alive(c.State.PID) {
			return nil
		}
		time.Sleep(step)
	}
	return fmt.Errorf("process %d of the simulated instance did not end within %v", c.State.PID, wait)
}

// SQLPlus runs sqlplus in the server with this process's input and output,
// and returns its exit code.
func (c *Client) SQLPlus(ctx context.Context, q Request, stdin io.Reader, stdout io.Writer, interrupt <-chan os.Signal) (int, error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return 1, err
	}
	defer func() { _ = conn.Close() }() // the server has answered or is gone
	q.Op = "sqlplus"
	if err := json.NewEncoder(conn).Encode(q); err != nil {
		return 1, err
	}
	send := make(chan func() error, 1)
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := stdin.Read(buf)
			if n > 0 {
				data := append([]byte(nil), buf[:n]...)
				send <- func() error { return writeFrame(conn, 'I', data) }
			}
			if err != nil {
				send <- func() error { return writeFrame(conn, 'E', nil) }
				return
			}
		}
	}()
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case f := <-send:
				if f() != nil {
					return // the server is gone; the reader sees it
				}
			case <-interrupt:
				if writeFrame(conn, 'B', nil) != nil {
					return
				}
			case <-done:
				return
			}
		}
	}()
	r := bufio.NewReader(conn)
	for {
		kind, data, err := readFrame(r)
		if err != nil {
			return 1, fmt.Errorf("the simulated instance went away: %w", err)
		}
		switch kind {
		case 'O':
			if _, err := stdout.Write(data); err != nil {
				return 1, err
			}
		case 'X':
			if len(data) != 1 {
				return 1, fmt.Errorf("an exit code of %d bytes", len(data))
			}
			return int(data[0]), nil
		}
	}
}
