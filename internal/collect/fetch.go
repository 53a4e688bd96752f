package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"ringtrace/internal/bundle"
)

// fetch finds a source for a path, and with it the files beside it. The items
// stand in the order in which they were written.
func (r *run) fetch(ctx context.Context, w *want) ([]*item, error) {
	main := &item{want: w, path: w.path, kind: w.kind, status: bundle.Missing}
	if len(r.opt.Sources) == 0 {
		main.note("there is no source to read it from")
		return []*item{main}, nil
	}
	var beside []*item // the files beside it, from whatever source gives them
	for _, src := range r.opt.Sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, got, err := r.fetchFrom(ctx, main, beside, src)
		if err != nil {
			return nil, err
		}
		beside = slices.DeleteFunc(slices.Clone(out), func(it *item) bool { return it == main })
		// What may not be read here may be read elsewhere, whatever stands beside it.
		if main.src != nil || got && main.status != bundle.Denied {
			return out, nil
		}
	}
	return append(beside, main), nil
}

// fetchFrom reads a file and what stands beside it from one source, except what
// another one gave. The items it returns stand in the order of writing.
func (r *run) fetchFrom(ctx context.Context, main *item, have []*item, src Source) (out []*item, got bool, err error) {
	w := main.want
	before := main.notes // what kept other sources from giving it
	main.notes = nil
	members, err := r.beside(ctx, w, src)
	if err != nil {
		if d, ok := src.(interface{ Down() error }); ok && d.Down() != nil {
			err = nil // the file's own note says it
		}
	}
	if err != nil {
		main.note("%s: its folder could not be listed: %s", src.Name(), reason(err))
	}
	for _, m := range members {
		it := &item{want: w, path: m.info.Path, kind: m.kind, status: bundle.Missing}
		if m.info.Path == w.path {
			it = main
			it.path = w.path
			it.kind = w.kind
			if m.kind == kindSegment {
				it.kind = m.kind
			}
		} else if at := slices.IndexFunc(have, func(h *item) bool { return h.path == it.path }); at >= 0 {
			old := have[at]
			have = slices.Delete(slices.Clone(have), at, at+1)
			if old.src != nil {
				out = append(out, old)
				continue
			}
		} else if r.taken(w.inst, m.info) {
			continue
		}
		if m.hole != "" {
			it.hole = true
			it.note("%s: the server keeps the first and the last ones, this trace is not complete", m.hole)
		}
		err := r.read(ctx, it, src)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil {
			it.fail(src.Name(), err)
		} else {
			got = true
		}
		out = append(out, it)
	}
	if main.src == nil {
		main.notes = append(before, main.notes...)
	}
	return append(have, out...), got, nil
}

func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there"
	}
	return firstLine(err.Error())
}

// taken reports whether a file beside a path is wanted by itself already, or
// was read under another name.
func (r *run) taken(inst int, i Info) bool {
	if _, ok := r.byKey[string(rune(inst))+i.Path]; ok {
		return true
	}
	return i.ID != "" && r.ids[i.ID]
}

// beside lists the files of a path's process, itself included.
func (r *run) beside(ctx context.Context, w *want, src Source) ([]member, error) {
	self := Info{Path: w.path, Size: -1}
	if w.kind != kindTrace {
		return []member{{info: self, kind: w.kind}}, nil
	}
	if i := strings.IndexRune(w.path, utf8.RuneError); i >= 0 {
		// The journal is JSON, which cannot hold every byte that a name can.
		list, _ := src.List(ctx, w.inst, dirOf(w.path), base(w.path[:i])) // nothing is found: it is missing as named
		for _, f := range list {
			if string([]rune(f.Path)) == w.path {
				w.path, self.Path = f.Path, f.Path
				break
			}
		}
	}
	s := stem(base(w.path), w.ospid)
	list, err := src.List(ctx, w.inst, dirOf(w.path), s)
	r.tellLeftOut(ctx, w, src, list)
	list = slices.DeleteFunc(list, func(i Info) bool { return !belongs(base(i.Path), s) })
	at := slices.IndexFunc(list, func(i Info) bool { return i.Path == w.path })
	if at < 0 {
		list = append(list, self)
	}
	return group(list), err
}

// errOther says that the file of that name is another instance's.
var errOther = errors.New("the file of that name is another instance's")

// read takes a file from a source: copies it, or looks into it where it lies.
func (r *run) read(ctx context.Context, it *item, src Source) error {
	r.tell("fetch", it.path, 0)
	var err error
	if src.Direct() {
		err = r.judge(ctx, it, src)
	} else {
		err = r.stageAndJudge(ctx, it, src)
	}
	if err != nil {
		return err
	}
	want := r.opt.Campaign.Instances[it.inst]
	if c := it.content; c != nil && c.instance != "" && want.InstanceName != "" && !strings.EqualFold(c.instance, want.InstanceName) ||
		c != nil && c.host != "" && want.HostName != "" && src.Name() == "local" && !sameHost(c.host, want.HostName) {
		who := fmt.Sprintf("%s on %s", c.instance, c.host)
		if red := r.opt.Redactor; red != nil {
			red.LearnName(c.host) // the note names it
		}
		it.src, it.content, it.staged, it.info = nil, nil, "", Info{Size: -1}
		return fmt.Errorf("%w: of %s, not of %s on %s: %w", errOther, who, want.InstanceName, want.HostName, fs.ErrNotExist)
	}
	if it.info.ID != "" {
		r.ids[it.info.ID] = true
	}
	if src.Name() == (Deleted{}).Name() {
		it.note("it was deleted, but its process holds it open: its bytes were read from there, and its disk space is not free until ORADEBUG CLOSE_TRACE")
	}
	it.status = bundle.Collected
	return nil
}

// sameHost compares host names, one of which may lack its domain.
func sameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	short := func(s string) string { s, _, _ = strings.Cut(s, "."); return s }
	return a == b || short(a) == short(b) && (!strings.Contains(a, ".") || !strings.Contains(b, "."))
}

// judge reads a file until it is plain that it holds trace text of ours, or to
// its end.
func (r *run) judge(ctx context.Context, it *item, src Source) error {
	f, err := src.Open(ctx, it.inst, it.path, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	it.src, it.info, it.whole = src, f.Info(), true
	if it.kind == kindMap {
		return nil
	}
	return r.look(ctx, it, io.LimitReader(f, max(f.Info().Size, 0)))
}

func (r *run) look(ctx context.Context, it *item, f io.Reader) error {
	it.content = newContent()
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buf)
		_, _ = it.content.Write(buf[:n]) // never fails
		if errors.Is(err, io.EOF) {
			it.content.finish()
			return nil
		}
		if err != nil {
			it.content.finish()
			return err
		}
		if !r.thorough && it.ours() {
			return nil // the rest is looked at while it is packed
		}
	}
}

func (r *run) stageAndJudge(ctx context.Context, it *item, src Source) error {
	err := r.stage(ctx, it, src)
	if it.staged == "" {
		return err
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.unfinished = true
		it.note("it broke off after %d bytes: %s; run the same command again to go on from there", it.info.Size, firstLine(err.Error()))
	}
	if it.kind == kindMap {
		return nil
	}
	f, err := openStaged(it.staged)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.look(ctx, it, f)
}

// verdict decides whether a file goes into the bundle.
func (r *run) verdict(it *item) {
	if it.status != bundle.Collected {
		return
	}
	o := r.opt
	skip := func(format string, args ...any) {
		it.status = bundle.Skipped
		it.notes = append([]string{fmt.Sprintf(format, args...)}, it.notes...)
	}
	c := it.content
	switch {
	case c == nil: // a map: it follows its trace
	case c.text == 0:
		skip("no trace text")
	case !o.Since.IsZero() && !it.info.Modified.IsZero() && it.info.Modified.Before(o.Since):
		skip("not changed since %s", o.Since.Format("2006-01-02T15:04:05Z07:00"))
	case !o.Until.IsZero() && !c.firstAt.IsZero() && c.firstAt.After(o.Until):
		skip("begun after %s", o.Until.Format("2006-01-02T15:04:05Z07:00"))
	case o.OnlyFired && !it.fired():
		skip("did not fire")
	case (it.kind == kindTrace || it.kind == kindSegment) && !it.ours():
		skip("no trace text of this session: all of it is of %s", it.strangers())
	}
	if it.status == bundle.Collected && (it.hole || !it.whole) {
		it.status = bundle.Partial
	}
}

// tell notes what the text itself says of losses.
func (it *item) tell() {
	c := it.content
	if c.limited {
		it.note("MAX_DUMP_FILE_SIZE was reached: what came later is lost")
	}
	if c.full {
		it.note("the trace file was full before the buffer was written to its end")
	}
	if c.wraps > 0 {
		it.note("%d flushed rings had wrapped: what is older was overwritten in memory", c.wraps)
	}
}

func (it *item) fired() bool {
	return it.content.dumps > 0 || it.content.wraps > 0 || it.kind == kindIncident || slices.ContainsFunc(it.sessions, hasFired)
}
