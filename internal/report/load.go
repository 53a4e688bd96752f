package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"ringtrace/internal/bundle"
	"ringtrace/tracefile"
)

// Input names what to read: files, folders, archives, or "-" for Stdin.
type Input struct {
	Paths []string
	Stdin io.Reader
	// Members are read besides: files of a bundle that is being made.
	Members []bundle.Member
	// OnFile, if set, is told of every file before it is read.
	OnFile func(path string, size int64)
}

// Loaded is what an Input held.
type Loaded struct {
	Profile *tracefile.Profile
	Failed  int     // files that could not be read, or not to their end
	Read    int     // files that could be read
	Partly  int     // of those that failed: read up to some line
	Errors  []error // why, one for each that failed

	Estimate []byte   // estimate.json of a bundle, if there is one
	Bundles  []Bundle // what bundles say of themselves

	Passed []PassedOver // what folders and archives hold besides traces

	ReadOnce bool // a pipe was bounded in time by the stamps read so far

	Covers string // from when to when the traces are, where they were bounded in time
}

// Load reads every trace of the input into one profile. A file that cannot be
// read is noted and does not stop the others; the error is that of the context.
func Load(ctx context.Context, in Input, opt tracefile.Options) (*Loaded, error) {
	l := &Loaded{}
	var members []bundle.Member
	missing, seen := map[string]error{}, map[string]bool{}
	opt.Snapshot = map[int64][]tracefile.SnapshotCursor{}
	for _, p := range in.Paths {
		var c *bundle.Container
		var err error
		if p == "-" {
			c = bundle.FromReader(in.Stdin)
		} else if c, err = bundle.Open(p); err != nil {
			missing[p] = err
			members = append(members, bundle.Member{Path: p})
			continue
		}
		defer c.Close()
		told := len(l.Bundles)
		for _, m := range c.Members {
			if !c.Single && isCursors(m.Name) {
				l.snapshot(m, opt.Snapshot)
				continue
			}
			if !c.Single && isNamed(m.Name, bundle.EstimateName) {
				l.estimate(m)
				continue
			}
			if !c.Single && isNamed(m.Name, bundle.ManifestName) {
				l.manifest(m)
				continue
			}
			if k := filepath.Clean(m.Path); m.Path != "-" {
				if seen[k] {
					continue // named twice, or by its folder too
				}
				seen[k] = true
			}
			members = append(members, m)
		}
		if len(c.Passed) > 0 && len(l.Bundles) == told { // what else is in a bundle, ringtrace made
			l.Passed = append(l.Passed, PassedOver{valid(p), c.Passed})
		}
	}
	for _, m := range in.Members {
		if isCursors(m.Name) {
			l.snapshot(m, opt.Snapshot)
			continue
		}
		if isNamed(m.Name, bundle.ManifestName) {
			l.manifest(m)
			continue
		}
		members = append(members, m)
	}
	streams := bundle.Streams(members)
	if opt.From|opt.To != 0 {
		clocks, err := l.clocks(ctx, in, streams, missing, opt)
		if err != nil {
			return nil, err
		}
		opt.Clock = func(path string) (tracefile.ClockInfo, bool) {
			c, ok := clocks[path]
			return c, ok
		}
	}
	a := tracefile.NewAnalyzer(opt)
	for _, s := range streams {
		a.StartGroup()
		for i, m := range s.Parts {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			err, bad := missing[m.Path]
			if bad {
				a.Unreadable(m.Path, err)
			} else {
				err = l.read(ctx, a, in, m)
			}
			if err != nil {
				l.Failed++
				if fs := a.Files(); !bad && len(fs) > 0 && fs[len(fs)-1].TraceRecords() > 0 {
					l.Partly++
				}
				l.Errors = append(l.Errors, fmt.Errorf("%s: %w", m.Path, err))
				continue
			}
			l.Read++
			if h, ok := s.HoleAfter[-1]; ok && i == 0 {
				a.Problem("segment_hole", h.String())
			}
			if h, ok := s.HoleAfter[i]; ok {
				a.Problem("segment_hole", h.String())
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.Profile = a.Profile()
	return l, nil
}

func isCursors(name string) bool { return isNamed(name, bundle.CursorsName) }

// isNamed reports whether a member is called base, in whatever folder.
func isNamed(name, base string) bool {
	n := len(name) - len(base)
	return n >= 0 && name[n:] == base && (n == 0 || name[n-1] == '/')
}

// estimate keeps the bytes of an estimate.json; what they mean is not this
// package's matter.
func (l *Loaded) estimate(m bundle.Member) {
	const limit = 16 << 20
	rc, err := m.Open()
	if err != nil {
		return // a chart is missing, no trace
	}
	defer rc.Close()
	if text, err := io.ReadAll(io.LimitReader(rc, limit)); err == nil {
		l.Estimate = text
	}
}

func (l *Loaded) read(ctx context.Context, a *tracefile.Analyzer, in Input, m bundle.Member) error {
	if in.OnFile != nil {
		in.OnFile(m.Path, m.Size)
	}
	rc, err := m.OpenWithin(ctx)
	if err != nil {
		a.Unreadable(m.Path, err)
		return err
	}
	defer rc.Close()
	r := bufio.NewReader(rc)
	head, _ := r.Peek(262) // reading tells of errors
	if err := unfitFor(head, m.Once); err != nil {
		a.Unreadable(m.Path, err)
		return err
	}
	_, err = a.ReadSegment(m.Path, &ctxReader{ctx, r})
	return err
}

// ctxReader stops reading when the run is interrupted.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

func (l *Loaded) snapshot(m bundle.Member, into map[int64][]tracefile.SnapshotCursor) {
	rc, err := m.Open()
	if err == nil {
		var list []bundle.Cursor
		list, err = bundle.ReadCursors(rc)
		rc.Close()
		for _, c := range list {
			into[c.PlanHash] = addCursor(into[c.PlanHash], c)
		}
	}
	if err != nil {
		l.Errors = append(l.Errors, fmt.Errorf("%s: %w", m.Path, err))
	}
}

// addCursor keeps one entry per SQL id: the same cursor is open in many
// sessions.
func addCursor(list []tracefile.SnapshotCursor, c bundle.Cursor) []tracefile.SnapshotCursor {
	for _, o := range list {
		if o.SQLID == c.SQLID {
			return list
		}
	}
	return append(list, tracefile.SnapshotCursor{SQLID: c.SQLID, Text: c.Text})
}
