package report

import (
	"bytes"
	"errors"
)

// ErrUnfit says that a file is in a form that is not read; its text says what
// to do.
var ErrUnfit = errors.New("not readable in this form")

type unfit string

func (u unfit) Error() string        { return string(u) }
func (u unfit) Is(target error) bool { return target == ErrUnfit }

// unfitFor tells from the first bytes of a file, uncompressed, why it cannot be
// read as a trace, or nil.
func unfitFor(head []byte, once bool) error {
	switch {
	case once && (bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) >= 262 && string(head[257:262]) == "ustar"):
		return unfit("an archive cannot be read from standard input or a pipe; give its name")
	case utf16(head):
		return unfit("it is UTF-16 text, as PowerShell and Notepad save it: take the server's own file, or convert it: iconv -f UTF-16 -t UTF-8 FILE >NEW.trc")
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return unfit("it was compressed twice: undo one, gzip -dc <FILE >NEW.trc.gz (for .zst, zstd -dc), and give the new file")
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return unfit("it was compressed twice: undo one, gzip -dc <FILE >NEW.trc.zst (for .zst, zstd -dc), and give the new file")
	}
	return nil
}

// utf16 reports whether text has a byte order mark of UTF-16, or a NUL in every
// other byte of its beginning and none between.
func utf16(head []byte) bool {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return true
	}
	const pairs = 16
	if len(head) < 2*pairs {
		return false
	}
	zeros := [2]int{}
	for i, c := range head[:2*pairs] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return zeros[0] == pairs && zeros[1] == 0 || zeros[1] == pairs && zeros[0] == 0
}
