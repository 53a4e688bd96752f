package lint

import (
	"bytes"
	"cmp"
	"slices"
)

// maxFixRounds bounds how often Fix looks again at its own result: a fix can
// uncover another (a filter behind a misspelt one).
const maxFixRounds = 8

// Fixed is one change that Fix made, in the line numbers of the text at that
// moment.
type Fixed struct {
	Line    int
	Rule    string
	Message string
	Before  string // the line as it was, empty if it spans the file
	After   string // empty if the line was deleted
}

// Fix makes the changes that keep the script's meaning, and returns the new
// text with a record of each. src is not touched.
func Fix(name string, src []byte, opt Options) ([]byte, []Fixed) {
	var done []Fixed
	for range maxFixRounds {
		r := Check(name, src, opt)
		next, fixed := applyEdits(src, r.Findings)
		if len(fixed) == 0 {
			break
		}
		done = append(done, fixed...)
		src = next
	}
	return src, done
}

// applyEdits carries out the edits of the findings that do not overlap with
// an edit before them; the others come in the next round.
func applyEdits(src []byte, findings []Finding) ([]byte, []Fixed) {
	var fixed []Fixed
	var edits []edit
	for i := range findings {
		f := &findings[i]
		if !f.Fixable() || slices.ContainsFunc(f.edits, func(e edit) bool { return overlaps(edits, e) }) {
			continue
		}
		if len(f.edits) == 1 || !wholeFile(f) {
			fixed = append(fixed, record(src, f))
		} else {
			fixed = append(fixed, Fixed{Line: f.Line, Rule: f.Rule, Message: f.Message})
		}
		edits = append(edits, f.edits...)
	}
	if len(edits) == 0 {
		return src, nil
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	out := make([]byte, 0, len(src))
	at := 0
	for _, e := range edits {
		out = append(out, src[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, src[at:]...), fixed
}

func overlaps(edits []edit, e edit) bool {
	if len(edits) > 64 { // the CR LF finding holds thousands; it overlaps nothing but whole lines
		edits = edits[len(edits)-64:]
	}
	return slices.ContainsFunc(edits, func(o edit) bool { return e.start < o.end && o.start < e.end })
}

func wholeFile(f *Finding) bool { return f.Rule == "RT040" }

// record shows the line before and after the finding's edits.
func record(src []byte, f *Finding) Fixed {
	start := bytes.LastIndexByte(src[:f.edits[0].start], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		end = start + i
	}
	es := slices.Clone(f.edits)
	slices.SortFunc(es, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var after []byte
	at := start
	for _, e := range es {
		if e.start < at || e.end > end+1 {
			continue
		}
		after = append(after, src[at:e.start]...)
		after = append(after, e.text...)
		at = e.end
	}
	if at < end {
		after = append(after, src[at:end]...)
	}
	return Fixed{Line: f.Line, Rule: f.Rule, Message: f.Message, Before: string(src[start:end]), After: string(after)}
}
