package collect

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// item is one file on its way into the bundle.
type item struct {
	*want
	path    string
	kind    string
	name    string // in the bundle
	src     Source
	info    Info
	staged  string // its copy; empty: it is read where it lies
	learned int64  // bytes whose values the redactor has seen
	whole   bool   // the copy is complete, or none was needed
	hole    bool   // segments before it are gone
	content *content
	status  bundle.Status
	notes   []string
	entry   *bundle.Entry
}

func (it *item) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if !slices.Contains(it.notes, n) {
		it.notes = append(it.notes, n)
	}
}

// fail notes why a file cannot be had. A refusal weighs more than an absence.
func (it *item) fail(src string, err error) {
	status := bundle.Missing
	switch {
	case errors.Is(err, errOther), errors.Is(err, errNoHost):
		it.note("%s: %s", src, strings.TrimSuffix(firstLine(err.Error()), ": "+fs.ErrNotExist.Error()))
	case errors.Is(err, fs.ErrNotExist):
		it.note("%s: it is not there", src)
	case errors.Is(err, fs.ErrPermission):
		status = bundle.Denied
		it.note("%s: permission denied (traces are readable by their owner and its group only): run collect as a member of that group, or with -c, which reads through V$DIAG_TRACE_FILE_CONTENTS on 12.2 and later", src)
	case errors.Is(err, ErrEscapes), errors.Is(err, ErrNotRegular):
		status = bundle.Denied
		it.note("%s: not read: %s", src, plainCause(err))
	default:
		it.note("%s: %s", src, firstLine(err.Error()))
	}
	if it.status != bundle.Denied {
		it.status = status
	}
}

func plainCause(err error) string {
	if errors.Is(err, ErrEscapes) {
		return ErrEscapes.Error()
	}
	return ErrNotRegular.Error()
}

// ours reports whether the file holds trace text of one of its sessions, as
// far as it was read.
func (it *item) ours() bool {
	for _, s := range it.sessions {
		if it.textOf(s) > 0 {
			return true
		}
	}
	return false
}

// textOf is how much trace text of a session the file holds. Text of a file
// that names no session belongs to the sessions whose file it is.
func (it *item) textOf(s *journal.SessionState) int64 {
	c := it.content
	if c == nil {
		return 0
	}
	n := c.unowned
	if sec := c.sections[sessionID{s.Session.SID, s.Session.Serial}]; sec != nil && !sec.older(s.ArmedAt) {
		n += sec.text
	}
	return n
}

// strangers names the other sessions whose text the file holds.
func (it *item) strangers() string {
	var ids []string
	for id, sec := range it.content.sections {
		if sec.text > 0 {
			ids = append(ids, fmt.Sprintf("%d.%d", id.sid, id.serial))
		}
	}
	slices.Sort(ids)
	if len(ids) > 5 {
		ids = append(ids[:5], fmt.Sprintf("and %d more", len(ids)-5))
	}
	return strings.Join(ids, ", ")
}

// row is the manifest's row of this file for one session.
func (it *item) row(s *journal.SessionState) bundle.File {
	f := bundle.File{
		Via: "none", InstID: s.Session.InstID, SID: s.Session.SID, Serial: s.Session.Serial,
		Status: it.status, Kind: it.kind, FoundBy: it.foundBy,
	}
	if it.src != nil {
		f.Via = it.src.Name()
	}
	name, path := it.name, it.path
	f.Name, f.Source = &name, &path
	notes := slices.Clone(it.notes)
	if !it.info.Modified.IsZero() {
		m := it.info.Modified.UTC()
		f.Modified = &m
	}
	if it.content != nil && it.kind != kindMap {
		n := it.textOf(s)
		f.Text = &n
		if sec := it.content.sections[sessionID{s.Session.SID, s.Session.Serial}]; sec != nil {
			first, last := sec.first, sec.last
			f.First, f.Last = &first, &last
		}
		if n == 0 && it.entry != nil && (it.kind == kindTrace || it.kind == kindSegment) && it.content.text > 0 {
			f.Status = bundle.Skipped
			notes = append(notes, "no trace text of this session in it; it holds text of "+it.strangers())
		}
	}
	if it.entry != nil && f.Status != bundle.Skipped {
		e := *it.entry
		f.Bytes, f.SHA256 = &e.Bytes, &e.SHA256
	} else if it.info.Size >= 0 && it.src != nil {
		n := it.info.Size
		f.Bytes = &n
	}
	if len(notes) > 0 {
		t := strings.Join(notes, "; ")
		f.Note = &t
	}
	return f
}
