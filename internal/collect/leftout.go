package collect

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// leftOut is a name beside a trace that List does not give, and what it is.
type leftOut struct{ name, what string }

// passedOver is a Source that can tell what its List leaves out.
type passedOver interface {
	passedOver(ctx context.Context, dir, prefix string) []leftOut
}

// passedOver lists what stands in dir under such a name and is no file.
func (Local) passedOver(ctx context.Context, dir, prefix string) []leftOut {
	d, err := os.Open(dir)
	if err != nil {
		return nil // List has told
	}
	defer d.Close()
	var out []leftOut
	for ctx.Err() == nil {
		list, err := d.ReadDir(1024)
		for _, e := range list {
			if strings.HasPrefix(e.Name(), prefix) && !e.Type().IsRegular() {
				out = append(out, leftOut{e.Name(), whatIs(e.Type())})
			}
		}
		if err != nil {
			break
		}
	}
	return out
}

// passedOver lists what has such a name anywhere below the folder and is no file.
func (f *Folder) passedOver(_ context.Context, _, prefix string) []leftOut {
	return slices.DeleteFunc(slices.Clone(f.others), func(o leftOut) bool { return !strings.HasPrefix(o.name, prefix) })
}

func whatIs(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "no regular file"
}

// tellLeftOut notes what stands beside a trace under the name of one of its
// files and is not taken. list is what the source gives.
func (r *run) tellLeftOut(ctx context.Context, w *want, src Source, list []Info) {
	s := stem(base(w.path), w.ospid)
	var out []leftOut
	if src.Direct() {
		for _, i := range list {
			// A backslash parts the folders of a server on Windows only.
			if name := path.Base(i.Path); strings.Contains(name, `\`) {
				out = append(out, leftOut{name, "a name with a backslash"})
			}
		}
	}
	if o, ok := src.(passedOver); ok {
		out = append(out, o.passedOver(ctx, dirOf(w.path), s)...)
	}
	slices.SortFunc(out, func(a, b leftOut) int { return strings.Compare(a.name, b.name) })
	for _, o := range out {
		if _, wanted := r.byKey[string(rune(w.inst))+path.Join(dirOf(w.path), o.name)]; wanted || !belongs(o.name, s) {
			continue
		}
		n := strconv.Quote(r.shown(o.name)) + " beside " + r.shown(base(w.path)) + " is " + o.what + ": left out"
		if !slices.Contains(r.notes, n) {
			r.notes = append(r.notes, n)
		}
	}
}

// shown is a file's name as the manifest may have it.
func (r *run) shown(name string) string {
	if red := r.opt.Redactor; red != nil {
		return red.Name(name)
	}
	return name
}
