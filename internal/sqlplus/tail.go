package sqlplus

import (
	"strings"
	"sync"
)

// tail keeps the first and the last part of what a child writes to its
// standard error.
type tail struct {
	mu   sync.Mutex
	head []byte
	rest []byte
}

// maxTail bounds each part, in bytes.
const maxTail = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := maxTail - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head = append(t.head, p[:k]...)
		p = p[k:]
	}
	t.rest = append(t.rest, p...)
	if k := len(t.rest) - maxTail; k > 0 {
		t.rest = append(t.rest[:0], t.rest[k:]...)
	}
	return n, nil
}

// lines returns what is kept, without empty lines.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, part := range [][]byte{t.head, t.rest} {
		for l := range strings.Lines(string(part)) {
			if l = strings.TrimSpace(l); l != "" {
				out = append(out, l)
			}
		}
	}
	return out
}
