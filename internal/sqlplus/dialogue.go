package sqlplus

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// dialogue writes down what was said: "> " what we sent, "< " what came, "! "
// what the child wrote to its standard error, "# " what happened. The password
// is in none of it, and control characters of the database are made visible,
// so that the file can be shown on a terminal.
type dialogue struct {
	mu     sync.Mutex
	w      *bufio.Writer
	now    func() time.Time
	secret string
	err    error
}

func newDialogue(w io.Writer, now func() time.Time, secret string) *dialogue {
	if w == nil {
		return nil
	}
	return &dialogue{w: bufio.NewWriter(w), now: now, secret: secret}
}

func (d *dialogue) write(sign string, lines ...string) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	stamp := ""
	if d.now != nil {
		stamp = d.now().UTC().Format("15:04:05.000") + " "
	}
	for _, text := range lines {
		for l := range strings.SplitSeq(text, "\n") {
			d.keep(d.w.WriteString(stamp + sign + " " + d.clean(l) + "\n"))
		}
	}
	d.keep(0, d.w.Flush())
}

func (d *dialogue) note(format string, args ...any) {
	if d != nil {
		d.write("#", fmt.Sprintf(format, args...))
	}
}

func (d *dialogue) keep(_ int, err error) {
	if d.err == nil {
		d.err = err
	}
}

// failed returns the first error of the file.
func (d *dialogue) failed() error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

func (d *dialogue) clean(s string) string {
	if d.secret != "" {
		s = strings.ReplaceAll(s, d.secret, masked)
	}
	return printable(s)
}

// masked stands for a password.
const masked = "********"

// printable makes control characters and broken UTF-8 visible.
func printable(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
