//go:build !unix

package sqlplus

import (
	"errors"
	"io"
	"os"
	"time"
)

// child does not exist on this system: conversations need process groups and
// pipes with deadlines.
type child struct {
	in, out *os.File
	errors  tail
}

func startChild(*Options) (*child, error) {
	return nil, errors.New("sqlplus can be driven on Linux and other Unix systems only")
}

func (c *child) deadline(time.Time)          {}
func (c *child) silence(time.Duration)       {}
func (c *child) Read([]byte) (int, error)    { return 0, io.EOF }
func (c *child) ended() bool                 { return true }
func (c *child) status() string              { return "not started" }
func (c *child) awaitEnd(time.Duration) bool { return true }
func (c *child) interrupt()                  {}
func (c *child) kill(time.Duration)          {}
func (c *child) cleanup()                    {}
