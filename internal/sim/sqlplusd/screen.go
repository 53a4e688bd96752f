package sqlplusd

import (
	"bytes"
	"io"
	"strings"
)

// screen is where output goes: the terminal and the spool file. The output of
// one command is held until the command is done.
type screen struct {
	w     io.Writer
	set   *settings
	spool io.WriteCloser
	held  bytes.Buffer
	mark  int
	quiet bool // TERMOUT OFF while a script runs
	split bool // write in pieces (fault)
	err   error
}

// begin starts the output of a command.
func (s *screen) begin() { s.mark = s.held.Len() }

// lines returns what the current command printed, without empty ends.
func (s *screen) lines() []string {
	t := strings.Trim(s.held.String()[s.mark:], "\n")
	if t == "" {
		return nil
	}
	return strings.Split(t, "\n")
}

func (s *screen) println(l string) {
	s.held.WriteString(l + "\n")
}

// prompt goes to the terminal only.
func (s *screen) prompt(p string) {
	if s.quiet || p == "" {
		return
	}
	if err := s.flush(); err == nil {
		_, s.err = io.WriteString(s.w, p)
	}
}

// flush writes what is held.
func (s *screen) flush() error {
	if s.held.Len() == 0 {
		return s.err
	}
	data := append([]byte(nil), s.held.Bytes()...)
	s.held.Reset()
	s.mark = 0
	if s.spool != nil {
		out := data
		if s.set.on("TRIMSPOOL") {
			out = trimLines(data)
		}
		if _, err := s.spool.Write(out); err != nil && s.err == nil {
			s.err = err
		}
	}
	if s.quiet || s.w == nil {
		return s.err
	}
	if s.set.on("TRIMOUT") {
		data = trimLines(data)
	}
	for len(data) > 0 {
		n := len(data)
		if s.split {
			n = min(n, 7)
		}
		if _, err := s.w.Write(data[:n]); err != nil {
			s.err = err
			return err
		}
		data = data[n:]
	}
	return s.err
}

func trimLines(b []byte) []byte {
	lines := strings.Split(string(b), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return []byte(strings.Join(lines, "\n"))
}
