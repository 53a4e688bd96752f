package bundle

import (
	"fmt"
	"io"
)

// workers is how many chunks are packed at a time. Two cores are what hosts
// that run databases can spare, and it bounds memory.
const workers = 2

// parallelWriter cuts a stream into chunks, packs them on several cores and
// writes them in order.
type parallelWriter struct {
	w     io.Writer
	size  int
	buf   []byte
	free  chan compressor
	jobs  []chan packed // in the order of the stream
	spare chan []byte
	err   error
}

type packed struct {
	data []byte
	err  error
}

func newParallel(w io.Writer, chunk int, start func() (compressor, error)) (*parallelWriter, error) {
	p := &parallelWriter{w: w, size: chunk, free: make(chan compressor, workers), spare: make(chan []byte, workers)}
	for range workers {
		c, err := start()
		if err != nil {
			return nil, err
		}
		p.free <- c
	}
	return p, nil
}

// Write takes part of the stream.
func (p *parallelWriter) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if p.err != nil {
			return n - len(b), p.err
		}
		if p.buf == nil {
			p.buf = p.buffer()
		}
		k := min(len(b), p.size-len(p.buf))
		p.buf = append(p.buf, b[:k]...)
		b = b[k:]
		if len(p.buf) == p.size {
			p.submit(false)
		}
	}
	return n, p.err
}

func (p *parallelWriter) buffer() []byte {
	select {
	case b := <-p.spare:
		return b[:0]
	default:
		return make([]byte, 0, p.size)
	}
}

func (p *parallelWriter) submit(last bool) {
	if len(p.jobs) >= workers {
		p.collect()
	}
	chunk, done := p.buf, make(chan packed, 1)
	p.buf = nil
	p.jobs = append(p.jobs, done)
	go func() {
		c := <-p.free
		data, err := c(chunk, last)
		p.free <- c
		if cap(chunk) > 0 {
			select {
			case p.spare <- chunk:
			default:
			}
		}
		done <- packed{data, err}
	}()
}

// collect writes the oldest chunk.
func (p *parallelWriter) collect() {
	r := <-p.jobs[0]
	p.jobs = p.jobs[1:]
	if p.err != nil {
		return
	}
	if r.err != nil {
		p.err = fmt.Errorf("compress: %w", r.err)
		return
	}
	_, p.err = p.w.Write(r.data)
}

// Close ends the stream. It waits for every worker, also after an error.
func (p *parallelWriter) Close() error {
	p.submit(true)
	for len(p.jobs) > 0 {
		p.collect()
	}
	return p.err
}
