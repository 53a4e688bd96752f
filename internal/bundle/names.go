package bundle

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// ErrUnsafeName says that a file of an archive would not stay in its folder
// when it is unpacked.
var ErrUnsafeName = errors.New("the name leads out of the bundle, or is not clean")

// CheckName refuses a name that is absolute, climbs, is not clean, or that
// another system would read in another way (backslash, drive, NUL).
func CheckName(name string) error {
	bad := name == "" || name == "." || len(name) > 4096 || path.IsAbs(name) || path.Clean(name) != name ||
		name == ".." || strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\\x00") ||
		len(name) > 1 && name[1] == ':'
	if bad {
		return fmt.Errorf("%q: %w", name, ErrUnsafeName)
	}
	return nil
}

// FileName makes one element of a path in a bundle out of a file's name on a
// server: it may hold anything but a slash and a NUL (blanks, newlines, bytes
// that are no UTF-8). What would be read differently elsewhere is %xx.
func FileName(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c < ' ', c >= 0x7f, strings.IndexByte(`/\:*?"<>|%`, c) >= 0:
			fmt.Fprintf(&b, "%%%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	switch s := b.String(); s {
	case "", ".", "..":
		return "%" + s
	default:
		return s
	}
}
