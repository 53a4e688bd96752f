package main

import (
	"context"
	"io"
)

// interruptible is a stream whose Read returns the context's error as soon as
// the context ends, so that Ctrl-C ends a verb that waits for input. The read
// underneath is left behind, because nothing can cancel it.
type interruptible struct {
	ctx    context.Context
	stream io.Reader
	buffer []byte // never the caller's, which is free again when Read returns
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.buffer) < len(p) {
		r.buffer = make([]byte, max(len(p), 64<<10))
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	buffer := r.buffer[:len(p)]
	go func() {
		n, err := r.stream.Read(buffer)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buffer[:got.n]), got.err
	case <-r.ctx.Done():
		r.buffer = nil
		return 0, r.ctx.Err()
	}
}
