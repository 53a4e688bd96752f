package bundle

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Passed counts the files of one kind in a folder or archive that are no trace
// by their name and so are not read.
type Passed struct {
	Kind  string `json:"kind"` // ".trm", "without ending", "link", "other"
	Count int    `json:"count"`
}

// pass notes a file that is not read.
func (c *Container) pass(kind string) {
	if i := slices.IndexFunc(c.Passed, func(p Passed) bool { return p.Kind == kind }); i >= 0 {
		c.Passed[i].Count++
		return
	}
	if len(c.Passed) >= maxPassedKinds && kind != otherKind {
		c.pass(otherKind)
		return
	}
	c.Passed = append(c.Passed, Passed{kind, 1})
}

// maxPassedKinds bounds the kinds that are told apart.
const maxPassedKinds = 20

// otherKind is what is beyond them, and what has an ending that is none.
const otherKind = "other"

// sortPassed puts the most frequent kinds first.
func (c *Container) sortPassed() {
	slices.SortFunc(c.Passed, func(x, y Passed) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Kind, y.Kind))
	})
}

// kindOf is the ending of a file's name, that of a compressed file with what is
// compressed.
func kindOf(name string) string {
	base := strings.ToLower(path.Base(filepath.ToSlash(name)))
	inner := plain(base)
	e := path.Ext(inner)
	if e == inner { // .bashrc has no ending
		e = ""
	}
	e += base[len(inner):]
	if e == "" {
		return "without ending"
	}
	if len(e) > 16 || strings.ContainsFunc(e, func(r rune) bool {
		return r != '.' && r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}) {
		return otherKind
	}
	return e
}

// kindOfEntry is that of an entry of a folder, which need not be a file.
func kindOfEntry(d fs.DirEntry) string {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return "link"
	case !d.Type().IsRegular():
		return "no file"
	}
	return kindOf(d.Name())
}
