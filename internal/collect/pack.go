package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// open opens what is to be packed: the copy, or the file where it lies.
func (it *item) open(ctx context.Context) (io.ReadCloser, error) {
	if it.staged != "" {
		f, err := openStaged(it.staged)
		if err == nil {
			it.info.Size, it.info.Holes = f.Info().Size, f.Info().Holes
		}
		return f, err
	}
	f, err := it.src.Open(ctx, it.inst, it.path, 0)
	if err != nil {
		return nil, err
	}
	if it.info.ID != "" && f.Info().ID != it.info.ID {
		return nil, errors.Join(errReplaced, f.Close())
	}
	it.info = f.Info()
	return f, nil
}

// errReplaced says that another file has the name now.
var errReplaced = errors.New("another file has its name now")

// pack writes everything into the bundle, the manifest last.
func (r *run) pack(ctx context.Context, b *bundle.Writer, without []*journal.SessionState) (*bundle.Manifest, error) {
	r.tell("pack", "", 0)
	for _, it := range r.items {
		if it.packable() {
			r.progress.Total += it.info.Size
		}
	}
	if limit := r.opt.MaxBytes; limit > 0 {
		r.progress.Total = min(r.progress.Total, limit)
	}
	for i := 0; i < len(r.items); i++ { // a rotation while we read adds items
		it := r.items[i]
		if !it.packable() {
			continue
		}
		if err := r.packTrace(ctx, b, it); err != nil {
			return nil, err
		}
		if it.entry != nil && it.content != nil {
			r.follow(it) // it was not read to its end before
			if err := r.gatherAll(ctx); err != nil {
				return nil, err
			}
		}
	}
	docs, err := r.documents(ctx, without)
	if err != nil {
		return nil, err
	}
	created := r.opt.Campaign.Header.Created
	for _, d := range docs {
		if _, err := b.AddBytes(d.Name, created, d.Data); err != nil {
			return nil, err
		}
	}
	m := r.manifest(without)
	m.Contents = b.Entries()
	if red := r.opt.Redactor; red != nil {
		r.redactManifest(m)
		if err := red.Verdict(); err != nil {
			return nil, err
		}
	}
	text, err := m.Encode()
	if err != nil {
		return nil, err
	}
	_, err = b.AddBytes(bundle.ManifestName, created, text)
	return m, err
}

// documents are what is packed besides the traces, redacted, in the order of
// their names.
func (r *run) documents(ctx context.Context, without []*journal.SessionState) ([]Document, error) {
	docs := slices.Clone(r.opt.Documents)
	red := r.opt.Redactor
	for i := range docs {
		if red != nil {
			docs[i].Data = red.Document(docs[i].Name, docs[i].Data)
		}
	}
	if r.opt.Report != nil {
		r.tell("report", "", 0)
		told, err := r.told(without)
		if err != nil {
			return nil, err
		}
		made, err := r.opt.Report(ctx, append(r.members(ctx), told), docs)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.notes = append(r.notes, "there is no report: "+firstLine(err.Error()))
		}
		for _, d := range made {
			if red != nil {
				d.Data = red.Made(d.Name, d.Data)
			}
			docs = append(docs, d)
		}
	}
	slices.SortFunc(docs, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return docs, nil
}

// redactManifest takes hosts, users and values out of what the manifest says
// in free text. Entries are called what they are called.
func (r *run) redactManifest(m *bundle.Manifest) {
	red := r.opt.Redactor
	m.Redacted = red.Report()
	for i := range m.Files {
		f := &m.Files[i]
		for _, s := range []*string{f.Source, f.Note} {
			if s != nil {
				*s = red.Text(*s)
			}
		}
		f.Via = red.Text(f.Via)
		f.FoundBy = slices.Clone(f.FoundBy)
		for k := range f.FoundBy {
			f.FoundBy[k] = red.Text(f.FoundBy[k])
		}
	}
	for i := range m.Notes {
		m.Notes[i] = red.Text(m.Notes[i])
	}
}

// packTrace packs one trace, and looks at its bytes on their way.
func (r *run) packTrace(ctx context.Context, b *bundle.Writer, it *item) error {
	f, err := it.open(ctx)
	if errors.Is(err, errReplaced) {
		f, err = r.rotated(ctx, it)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		it.status = bundle.Missing
		it.fail(it.src.Name(), err)
		return nil
	}
	defer f.Close()
	size := it.info.Size // it may have grown
	if r.opt.Redactor != nil {
		if it.learned == 0 {
			it.status = bundle.Missing
			it.note("it was not there yet when the values to take out were looked for: run collect again")
			return nil
		}
		size = min(size, it.learned) // nor is what it grew since
	}
	if n := it.info.Holes; n > 0 {
		it.note("%s", holesNote(n))
	}
	if left := r.opt.MaxBytes - r.packed; r.opt.MaxBytes > 0 && size > left {
		it.note("cut by --max-bytes: %d of %d bytes", left, size)
		if left <= 0 {
			it.status = bundle.Skipped
			return nil
		}
		size, it.status = left, bundle.Partial
	}
	r.packed += size
	in := io.Reader(&counting{ctx, f, r, it})
	if it.kind != kindMap {
		it.content = newContent()
		in = io.TeeReader(io.LimitReader(in, size), it.content)
	}
	if red := r.opt.Redactor; red != nil && it.kind != kindMap {
		in = red.Trace(in)
	}
	e, err := b.Add(it.name, size, it.info.Modified, in)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, bundle.ErrShort):
		it.status = bundle.Partial
		it.note("%s (truncated, overwritten, or unreadable from there on)", strings.TrimPrefix(firstLine(err.Error()), "add "+it.name+": "))
	case err != nil:
		return err
	}
	if it.content != nil {
		it.content.finish()
		it.tell()
	}
	it.entry = &e
	it.info.Size = e.Bytes
	if it.src.Name() == (Local{}).Name() && it.status == bundle.Collected && it.info.Holes == 0 && r.opt.Redactor == nil {
		live := slices.ContainsFunc(it.sessions, (*journal.SessionState).Open)
		r.originals = append(r.originals, Original{Path: it.path, Bytes: e.Bytes, SHA256: e.SHA256, Open: live})
	}
	return nil
}

// rotated finds a file under its new name after somebody renamed it, and adds
// what has its old name now: both parts are collected, each once.
func (r *run) rotated(ctx context.Context, it *item) (io.ReadCloser, error) {
	list, err := it.src.List(ctx, it.inst, dirOf(it.path), stem(base(it.path), it.ospid))
	if err != nil {
		return nil, err
	}
	fresh := &item{want: it.want, path: it.path, kind: it.kind, status: bundle.Missing}
	if err := r.read(ctx, fresh, it.src); err == nil {
		r.verdict(fresh)
		fresh.note("begun while it was collected: %s was renamed", base(it.path))
		fresh.name = r.nameFor(fresh)
		r.items = append(r.items, fresh)
	}
	for _, i := range list {
		if i.ID == it.info.ID {
			it.note("renamed to %s while it was collected", base(i.Path))
			it.path = i.Path
			return it.open(ctx)
		}
	}
	return nil, fmt.Errorf("%s was replaced while it was collected, and its old file is nowhere: %w", it.path, fs.ErrNotExist)
}

// members are the packed traces for the report, byte for byte as in the
// bundle.
func (r *run) members(ctx context.Context) []bundle.Member {
	var out []bundle.Member
	for _, it := range r.items {
		if it.entry == nil || !bundle.IsTrace(it.name) {
			continue
		}
		out = append(out, bundle.NewMember(it.name, it.name, it.entry.Bytes, func() (io.ReadCloser, error) {
			f, err := it.open(ctx)
			if err != nil {
				return nil, err
			}
			in := io.LimitReader(f, it.entry.Bytes)
			if r.opt.Redactor != nil {
				in = r.opt.Redactor.Trace(in)
			}
			return struct {
				io.Reader
				io.Closer
			}{in, f}, nil
		}))
	}
	return out
}
