package tracefile

import (
	"bytes"
	"errors"
	"io"
)

const (
	firstBlock = 8 << 10 // most files of a bundle are small
	blockSize  = 256 << 10
	// MaxLine is how many bytes of one line are kept. Longer lines are read to
	// their end, and their record says so.
	MaxLine = 1 << 20
)

// lineReader cuts a stream into lines in bounded memory. A block reader rather
// than a mapped file: a mapped file that is truncated under us kills the
// process, and a live trace grows (facts/style.md 2.6).
type lineReader struct {
	src      io.Reader
	buf      []byte
	pos, end int   // unread bytes are buf[pos:end]
	base     int64 // stream offset of buf[0]
	number   int64 // lines handed out so far
	eof      bool
	err      error // of src, other than io.EOF

	// One line can be put back, whole or in part.
	back    bool
	backBuf []byte
	backLen bool
	backOff int64
	backNo  int64

	// Of the line handed out last:
	offset     int64
	lineNo     int64
	long       bool // cut to MaxLine
	terminated bool // ended by a newline
}

func newLineReader(src io.Reader) lineReader {
	return lineReader{src: src, buf: newBlock(firstBlock)}
}

// newBlock returns a buffer with room behind its end, see window.
func newBlock(size int) []byte { return make([]byte, size, size+windowSize) }

// next returns the next line without its line end (LF or CR LF). The slice
// lives until the next call that has to read.
func (l *lineReader) next() ([]byte, bool) {
	if l.back {
		l.back = false
		l.offset, l.lineNo, l.long = l.backOff, l.backNo, l.backLen
		return l.backBuf, true
	}
	if i := bytes.IndexByte(l.buf[l.pos:l.end], '\n'); i >= 0 {
		line := l.buf[l.pos : l.pos+i]
		l.offset = l.base + int64(l.pos)
		l.pos += i + 1
		l.number++
		l.lineNo, l.long, l.terminated = l.number, false, true
		if i > 0 && line[i-1] == '\r' {
			line = line[:i-1]
		}
		return line, true
	}
	return l.nextSlow()
}

// nextSlow fetches more of the stream until a line end is in the buffer.
func (l *lineReader) nextSlow() ([]byte, bool) {
	searched := l.end - l.pos
	for {
		if !l.fill() {
			if l.pos == l.end {
				return nil, false
			}
			line := l.buf[l.pos:l.end]
			l.offset = l.base + int64(l.pos)
			l.pos = l.end
			l.number++
			l.lineNo, l.long, l.terminated = l.number, false, false
			return bytes.TrimSuffix(line, []byte{'\r'}), true
		}
		if i := bytes.IndexByte(l.buf[l.pos+searched:l.end], '\n'); i >= 0 {
			i += searched
			line := l.buf[l.pos : l.pos+i]
			l.offset = l.base + int64(l.pos)
			l.pos += i + 1
			l.number++
			l.lineNo, l.long, l.terminated = l.number, false, true
			return bytes.TrimSuffix(line, []byte{'\r'}), true
		}
		searched = l.end - l.pos
		if searched >= MaxLine {
			return l.skipLong(), true
		}
	}
}

// skipLong keeps the first MaxLine bytes of the line and reads on to its end.
func (l *lineReader) skipLong() []byte {
	l.offset = l.base + int64(l.pos)
	l.number++
	l.lineNo, l.long, l.terminated = l.number, true, false
	kept := append(newBlock(MaxLine)[:0], l.buf[l.pos:l.pos+MaxLine]...)
	l.pos = l.end
	for l.fill() {
		if i := bytes.IndexByte(l.buf[l.pos:l.end], '\n'); i >= 0 {
			l.pos += i + 1
			l.terminated = true
			break
		}
		l.pos = l.end
	}
	return kept
}

// fill moves the unread bytes to the front and reads more behind them.
func (l *lineReader) fill() bool {
	if l.eof {
		return false
	}
	if l.pos > 0 {
		copy(l.buf, l.buf[l.pos:l.end])
		l.base += int64(l.pos)
		l.end -= l.pos
		l.pos = 0
	}
	if l.end == len(l.buf) || len(l.buf) < blockSize && l.base > 0 {
		grown := newBlock(max(blockSize, min(2*len(l.buf), MaxLine+blockSize)))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	for empty := 0; empty < 100; empty++ {
		n, err := l.src.Read(l.buf[l.end:])
		l.end += n
		if err != nil {
			l.eof = true
			if !errors.Is(err, io.EOF) {
				l.err = err
			}
		}
		if n > 0 {
			return true
		}
		if l.eof {
			return false
		}
	}
	l.eof, l.err = true, io.ErrNoProgress
	return false
}

// peek returns up to n bytes behind the line handed out last, without handing
// them out. The lines before become invalid. It returns nothing while a line is
// put back.
func (l *lineReader) peek(n int) []byte {
	if l.back {
		return nil
	}
	for l.end-l.pos < n && l.fill() {
	}
	return l.buf[l.pos:min(l.pos+n, l.end)]
}

// unread puts a line, or the rest of it from byte n on, back.
func (l *lineReader) unread(line []byte, n int) {
	l.back = true
	l.backBuf, l.backOff, l.backNo, l.backLen = line[n:], l.offset+int64(n), l.lineNo, l.long
}

// read returns how many bytes of the stream have been handed out.
func (l *lineReader) read() int64 { return l.base + int64(l.pos) }
