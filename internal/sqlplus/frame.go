package sqlplus

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// marks are the lines around the n-th answer. The nonce is told to sqlplus in
// PROMPT only and never to the database, so no row can hold it.
func marks(nonce string, n int) (begin, end string) {
	tail := ":" + nonce + ":" + strconv.Itoa(n)
	return "~~B" + tail, "~~E" + tail
}

// frame is one answer; fill continues it as often as need be.
type frame struct {
	begin, end string
	limit      int // bytes of text that are kept

	lines  []string // of the answer
	before []string // printed before the first mark: banners, late answers
	over   int      // bytes that were not kept

	inside, done bool
	kept         int

	sent   time.Time
	waited time.Duration // until it was given up
}

// maxBefore bounds frame.before, in lines.
const maxBefore = 100

// fill reads until the second mark. After an error of the source it can be
// called again and goes on where it was.
func (f *frame) fill(r *lineReader) error {
	for !f.done {
		line, err := r.line(f.limit - f.kept + len(f.end))
		if err != nil {
			return err
		}
		f.take(line, r.cut)
	}
	return nil
}

func (f *frame) take(line string, cut int) {
	mark := f.end
	if !f.inside {
		mark = f.begin
	}
	text, marked := strings.CutSuffix(line, mark)
	if marked && isEcho(text) {
		return
	}
	switch {
	case !f.inside:
		if text != "" && len(f.before) < maxBefore {
			f.before = append(f.before, text)
		}
		f.inside = marked
		return
	case text != "" || !marked:
		f.add(text, cut)
	}
	f.done = marked
}

// isEcho recognises our own PROMPT line, printed by a SQL*Plus that echoes.
func isEcho(text string) bool {
	return len(text) >= 7 && strings.EqualFold(text[len(text)-7:], "PROMPT ")
}

func (f *frame) add(text string, cut int) {
	if f.over += cut; f.over > 0 || f.kept+len(text)+1 > f.limit {
		f.over += len(text) + 1 // with its end: an empty line is missed, too
		return
	}
	f.kept += len(text) + 1
	f.lines = append(f.lines, text)
}

// lineReader reads lines of any length in bounded memory, and survives errors
// of its source (a deadline) in the middle of a line.
type lineReader struct {
	src     *bufio.Reader
	partial []byte
	tail    []byte // the end of a line that is too long for partial
	dropped int
	cut     int // bytes of the last line that were left out
}

// maxMark is more than a mark can have.
const maxMark = 128

func newLineReader(r io.Reader) *lineReader { return &lineReader{src: bufio.NewReaderSize(r, 64<<10)} }

// line returns the next line without its end. Of one that is longer than max
// the beginning and the end are returned.
func (r *lineReader) line(maxBytes int) (string, error) {
	maxBytes = max(maxBytes, maxMark)
	for {
		b, err := r.src.ReadSlice('\n')
		r.append(b, maxBytes)
		switch {
		case err == nil:
			return r.take(), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(r.partial) > 0:
			return r.take(), nil // a last line without its end
		default:
			return "", err
		}
	}
}

func (r *lineReader) append(b []byte, maxBytes int) {
	if room := maxBytes - len(r.partial); room > 0 && len(r.tail) == 0 {
		n := min(room, len(b))
		r.partial = append(r.partial, b[:n]...)
		b = b[n:]
	}
	r.tail = append(r.tail, b...)
	if n := len(r.tail) - maxMark; n > 0 {
		r.dropped += n
		r.tail = append(r.tail[:0], r.tail[n:]...)
	}
}

func (r *lineReader) take() string {
	r.partial = append(r.partial, r.tail...)
	s := strings.TrimSuffix(strings.TrimSuffix(string(r.partial), "\n"), "\r")
	r.cut = r.dropped
	r.partial, r.tail, r.dropped = r.partial[:0], r.tail[:0], 0
	return s
}
