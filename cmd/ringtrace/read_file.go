package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// The largest files that are read into memory, in bytes.
const (
	maxScript = 512 << 20
	maxConfig = 1 << 20
)

// readFile is os.ReadFile with a size limit, for names that a person gives: it
// may be an endless device, or a pipe that nobody writes to, which Ctrl-C ends.
func readFile(ctx context.Context, name string, most int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.Open(name)
		if err != nil {
			done <- result{nil, err}
			return
		}
		defer f.Close()
		data, err := readBounded(f, most)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// openWithin is os.Open, except that Ctrl-C ends it where a pipe has no writer.
func openWithin(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		f   *os.File
		err error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.Open(name)
		done <- result{f, err}
	}()
	select {
	case r := <-done:
		return r.f, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readBounded reads in to its end, and refuses more than most bytes.
func readBounded(in io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("it is larger than %d bytes", most)
	}
	return data, err
}
