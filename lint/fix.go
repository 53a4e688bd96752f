package lint

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// maxFixRounds bounds how often Fix looks again at its own result: a fix can
// uncover another (a filter behind a misspelt one).
const maxFixRounds = 32

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
// text with a record of each. src is not touched. Logs, pages and other text
// are records, not scripts: nothing is changed in them.
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
// one before them; the others come in the next round. What concerns every
// line goes first and alone.
func applyEdits(src []byte, findings []Finding) ([]byte, []Fixed) {
	var fixed []Fixed
	var edits []edit // sorted, apart from each other
	whole := slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == "RT040" && f.Fixable() })
	for i := range findings {
		f := &findings[i]
		switch {
		case !f.Fixable() || whole && f.Rule != "RT040":
			continue
		case whole:
			fixed = append(fixed, Fixed{Line: f.Line, Rule: f.Rule, Message: f.Message})
			edits = append(edits, f.edits...)
			continue
		}
		if slices.ContainsFunc(f.edits, func(e edit) bool { return overlaps(edits, e) }) {
			continue
		}
		fixed = append(fixed, record(src, f))
		for _, e := range f.edits {
			edits = slices.Insert(edits, firstBehind(edits, e.start), e)
		}
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

// firstBehind returns the index of the first edit that ends behind start.
func firstBehind(edits []edit, start int) int {
	return sort.Search(len(edits), func(k int) bool { return edits[k].end > start })
}

func overlaps(edits []edit, e edit) bool {
	k := firstBehind(edits, e.start)
	return k < len(edits) && edits[k].start < e.end
}

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
