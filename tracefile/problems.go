package tracefile

import "fmt"

type problemKey struct {
	file *File
	kind string
	note bool
}

// perKindLimit is how many problems of one kind a file lists one by one; the
// rest share an entry that counts them.
const perKindLimit = 10

// report notes a problem of the current file.
func (a *Analyzer) report(kind string, line int64, message string) {
	a.entry(kind, line, message)
}

func (a *Analyzer) problemf(kind string, line int64, format string, args ...any) {
	a.entry(kind, line, fmt.Sprintf(format, args...))
}

// notef notes what a reader should know although nothing is wrong; once per
// file and kind, with a count.
func (a *Analyzer) notef(kind string, line int64, format string, args ...any) *Problem {
	k := problemKey{file: a.file, kind: kind, note: true}
	if n := a.problem[k]; n != nil {
		n.Count++
		return n
	}
	n := &Problem{a.file, line, kind, fmt.Sprintf(format, args...), 1}
	a.problem[k] = n
	a.p.Notes = append(a.p.Notes, n)
	return n
}

func (a *Analyzer) entry(kind string, line int64, message string) {
	k := problemKey{file: a.file, kind: kind}
	if a.perKind[k] >= perKindLimit {
		p := a.problem[k]
		if p == nil {
			p = &Problem{a.file, line, kind, "more of this kind, the first at this line", 0}
			a.problem[k] = p
			a.p.Problems = append(a.p.Problems, p)
		}
		p.Count++
		return
	}
	a.perKind[k]++
	a.p.Problems = append(a.p.Problems, &Problem{a.file, line, kind, message, 1})
}

// damage counts a damaged record and lists it.
func (a *Analyzer) damage(rec *Record) {
	a.file.Damaged++
	a.entry("damaged", rec.Line, rec.Kind.String()+": "+string(rec.Damage))
}

func (a *Analyzer) noteUnknown(rec *Record) {
	if n := a.file.unknownNote; n != nil {
		n.Count++
		return
	}
	a.file.unknownNote = a.notef("unknown_lines", rec.Line, "lines that are not SQL trace, skipped; the first reads %.60q", rec.Raw)
}

// Unreadable notes a file that could not be opened.
func (a *Analyzer) Unreadable(path string, err error) {
	f := &File{Path: path, Err: err, Dialect: DialectOf(Release{})}
	f.Clock.Why = "the file was not read"
	a.p.Files = append(a.p.Files, f)
	was := a.file
	a.file = f
	a.report("unreadable", 0, err.Error())
	a.file = was
}

// Problem notes something wrong with the file that was read last, of which its
// text does not tell.
func (a *Analyzer) Problem(kind, message string) {
	line := int64(0)
	if a.file != nil {
		line = a.file.Lines
	}
	a.report(kind, line, message)
}
