package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Handle is the open file a Journal appends to; *os.File in production, a fake
// that forgets what was not synced in the crash tests.
type Handle interface {
	io.Writer
	Sync() error
	Close() error
}

// Journal appends records to one campaign's file. Every method that writes
// returns only after fsync. It is safe for concurrent use.
//
// The first write or fsync error is final: after a failed fsync nobody knows
// what is on disk, so every later call returns that error and the caller must
// stop changing things.
type Journal struct {
	mu     sync.Mutex
	h      Handle
	now    func() time.Time
	seq    Seq
	sum    string
	err    error
	open   map[Seq]Kind   // intents without outcome, runs without end
	intent map[Seq]Intent // the keys of the open intents
	closed bool           // a close record was written
}

// ErrClosedCampaign is returned by writes behind a close record.
var ErrClosedCampaign = errors.New("campaign is closed")

// newJournal continues behind record seq with the given sum.
func newJournal(h Handle, now func() time.Time, seq Seq, sum string) *Journal {
	return &Journal{h: h, now: now, seq: seq, sum: sum, open: map[Seq]Kind{}, intent: map[Seq]Intent{}}
}

// Close closes the file. It writes nothing: a run without an end record stays
// visible as dirty.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = os.ErrClosed
	}
	return j.h.Close()
}

// StartRun records that a verb begins to work, and returns the run's number.
func (j *Journal) StartRun(r Run) (Seq, error) {
	if r.Instances == nil {
		r.Instances = []int{}
	}
	return j.write(KindRun, r, nil)
}

// EndRun records that the run is through.
func (j *Journal) EndRun(e End) error {
	_, err := j.write(KindEnd, e, func() error { return j.settle(e.Run, KindRun) })
	return err
}

// Begin records an intent. Nothing may be sent to the target before it has
// returned without an error. It returns the intent's number.
func (j *Journal) Begin(i Intent) (Seq, error) {
	if i.Commands == nil {
		i.Commands = []string{}
	}
	seq, err := j.write(KindIntent, i, func() error { return j.isOpen(i.Run, KindRun) })
	if err == nil {
		j.mu.Lock()
		j.intent[seq] = Intent{Op: i.Op, Session: i.Session, Process: i.Process}
		j.mu.Unlock()
	}
	return seq, err
}

// Note records what was set before us, between Begin and the first change.
func (j *Journal) Note(e Evidence) error {
	_, err := j.write(KindEvidence, e, func() error { return j.isOpen(e.Intent, KindIntent) })
	return err
}

// Finish records the outcome of an intent.
func (j *Journal) Finish(o Outcome) error {
	switch o.Result {
	case Done, Skipped, Failed, Unknown:
	default:
		return fmt.Errorf("outcome of intent %d is %q, want done, skipped, failed or unknown", o.Intent, o.Result)
	}
	j.mu.Lock()
	if i, ok := j.intent[o.Intent]; ok {
		o.Op, o.Session, o.Process = i.Op, i.Session, i.Process
	}
	j.mu.Unlock()
	_, err := j.write(KindOutcome, o, func() error { return j.settle(o.Intent, KindIntent) })
	return err
}

// Observe records something seen.
func (j *Journal) Observe(o Observed) error {
	_, err := j.write(KindObserved, o, nil)
	return err
}

// Instance records an instance incarnation: of an instance that was not in the
// header, or of one that was restarted since.
func (j *Journal) Instance(i Instance) error {
	_, err := j.write(KindInstance, i, nil)
	return err
}

// Import records the files that an import read.
func (j *Journal) Import(i Import) error {
	_, err := j.write(KindImport, i, nil)
	return err
}

// Resolve records a person's word on open intents and runs.
func (j *Journal) Resolve(r Resolve) error {
	_, err := j.write(KindResolve, r, func() error {
		for _, s := range r.Intents {
			if err := j.isOpen(s, KindIntent); err != nil {
				return err
			}
		}
		for _, s := range r.Runs {
			if err := j.isOpen(s, KindRun); err != nil {
				return err
			}
		}
		for _, s := range append(append([]Seq(nil), r.Intents...), r.Runs...) {
			delete(j.open, s)
			delete(j.intent, s)
		}
		return nil
	})
	return err
}

// CloseCampaign records that nothing of the campaign is left on. It is the
// last record: with something still open it is refused.
func (j *Journal) CloseCampaign(c Close) error {
	_, err := j.write(KindClose, c, func() error {
		for s, k := range j.open {
			return fmt.Errorf("close campaign: %s %d is still open", k, s)
		}
		j.closed = true
		return nil
	})
	return err
}

func (j *Journal) isOpen(s Seq, k Kind) error {
	if j.open[s] != k {
		return fmt.Errorf("%s %d is not open in this journal", k, s)
	}
	return nil
}

func (j *Journal) settle(s Seq, k Kind) error {
	if err := j.isOpen(s, k); err != nil {
		return err
	}
	delete(j.open, s)
	delete(j.intent, s)
	return nil
}

// write appends one record and makes it durable. check runs first and may
// refuse; a refusal leaves the journal usable.
func (j *Journal) write(kind Kind, data any, check func() error) (Seq, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return 0, j.err
	}
	if j.closed {
		return 0, ErrClosedCampaign
	}
	line, sum, err := encode(j.seq+1, j.now(), kind, data, j.sum)
	if err != nil {
		return 0, err
	}
	if check != nil {
		if err := check(); err != nil {
			return 0, err
		}
	}
	if err := j.append(line); err != nil {
		j.err = fmt.Errorf("write journal record %d (%s): %w", j.seq+1, kind, err)
		return 0, j.err
	}
	j.seq, j.sum = j.seq+1, sum
	if kind == KindRun || kind == KindIntent {
		j.open[j.seq] = kind
	}
	return j.seq, nil
}

func (j *Journal) append(line []byte) error {
	n, err := j.h.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	return j.h.Sync()
}

func sha(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
