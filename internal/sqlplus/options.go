package sqlplus

import (
	"io"
	"time"

	"ringtrace/internal/connect"
)

// Options say which sqlplus to start and how to log on.
type Options struct {
	Program  string         // path of sqlplus
	Target   connect.Target // Local, Remote or Wallet
	Password string         // of a Remote target
	Environ  []string       // the child gets this, changed as childEnviron says
	TempDir  string         // where its empty working folder is made; "" is the system's place

	// Module and Action tag our session in V$SESSION; empty leaves it alone.
	Module, Action string

	// ConnectTimeout bounds start and logon, Timeout each wait for output of a
	// command whose context has no deadline, Grace each step from asking the
	// child to stop to forcing it. 0 means the defaults below.
	ConnectTimeout, Timeout, Grace time.Duration
	// MaxOutput bounds what is kept of one answer, in bytes; 0 is
	// DefaultMaxOutput. A longer answer is an error.
	MaxOutput int

	// Dialogue gets everything that was said, without the password; nil for
	// nothing. Now stamps its lines and may be nil.
	Dialogue io.Writer
	Now      func() time.Time
	// Random gives the marks; nil is crypto/rand.
	Random io.Reader
}

// Defaults of Options.
const (
	DefaultConnectTimeout = 30 * time.Second
	DefaultTimeout        = 2 * time.Minute
	DefaultGrace          = 2 * time.Second
	DefaultMaxOutput      = 256 << 20
)

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	set(&o.ConnectTimeout, DefaultConnectTimeout)
	set(&o.Timeout, DefaultTimeout)
	set(&o.Grace, DefaultGrace)
	if o.MaxOutput <= 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	return o
}

// lookup reads a variable of Environ; the last of several wins.
func (o *Options) lookup(name string) (string, bool) { return lookupIn(o.Environ, name) }
