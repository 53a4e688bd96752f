package bundle

import (
	"context"
	"io"
)

// await runs do until ctx ends. A pipe that nobody writes to blocks in the
// system, where nothing can call it back: do is left behind then.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		got T
		err error
	}
	done := make(chan result, 1)
	go func() {
		got, err := do()
		done <- result{got, err}
	}()
	select {
	case r := <-done:
		return r.got, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// OpenWithin is Open, but the end of ctx ends it and the reads that follow,
// even on a pipe without a writer. The error is then that of ctx.
func (m *Member) OpenWithin(ctx context.Context) (io.ReadCloser, error) {
	if !m.Once {
		return m.Open()
	}
	rc, err := await(ctx, m.Open)
	if err != nil {
		return nil, err
	}
	return &awaited{ctx: ctx, from: rc}, nil
}

// awaited is a stream whose Read the end of a context ends.
type awaited struct {
	ctx    context.Context
	from   io.ReadCloser
	buffer []byte // never the caller's, which is free again when Read returns
	left   bool   // a Read was left behind: closing underneath it is not safe
}

func (r *awaited) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.buffer) < len(p) {
		r.buffer = make([]byte, max(len(p), 64<<10))
	}
	buffer := r.buffer[:len(p)]
	type counted struct {
		n   int
		err error
	}
	got, err := await(r.ctx, func() (counted, error) {
		n, err := r.from.Read(buffer)
		return counted{n, err}, nil
	})
	if err != nil {
		r.left = true
		return 0, err
	}
	return copy(p, buffer[:got.n]), got.err
}

func (r *awaited) Close() error {
	if r.left {
		return nil
	}
	return r.from.Close()
}
