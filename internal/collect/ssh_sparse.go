package collect

import (
	"archive/tar"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// inArchive is the last word of the line before a file that comes as an archive;
// asItIs of any other.
const (
	inArchive = "archive"
	asItIs    = "plain"
)

// sparse decides on the other host whether a file comes as it is or in an archive,
// which says where its holes are: a trace that was emptied while its process held
// it open can be of any length (see sparse.go), and tail would send the zeros. It
// needs GNU tar, of 2006 or later, and a stat that counts blocks; without them, and
// for a hole that is not worth it, the file comes as it is. Nothing is written there.
func (s *SSH) sparse() string {
	if s.noArchive {
		return "s=" + asItIs + "\n"
	}
	return "s=" + asItIs + `
k=$(stat -c %b -- "$f" 2>/dev/null) && [ -n "$k" ] && [ "$((z - k * 512))" -ge ` + strconv.Itoa(smallestHole) + ` ] &&
tar --sparse-version=1.0 --version 2>/dev/null | grep -q 'GNU tar' && s=` + inArchive + "\n"
}

// transfer tells what comes, and sends it: behind the offset, or all of it in the
// archive.
func transfer(offset int64) string {
	return `printf '%s %s %s %s\n' "$z" "$m" "$i" "$s"
case $s in
` + inArchive + `) cd -P -- "$d" && exec tar --format=pax --sparse-version=1.0 -S -c -f - -- "./${f##*/}" ;;
*) exec tail -c +` + strconv.FormatInt(offset+1, 10) + ` -- "$f" ;;
esac`
}

// unpack finds the file in the archive that comes, behind the offset. Holes are
// read as zeros again, so that offsets are the file's; they did not travel.
func (f *sshFile) unpack(offset int64) error {
	in := tar.NewReader(f.out)
	h, err := in.Next()
	if err != nil {
		return fmt.Errorf("the archive of %s on %s: %w", f.info.Path, f.host, err)
	}
	if h.Typeflag != tar.TypeReg {
		return fmt.Errorf("%s on %s: %w", f.info.Path, f.host, ErrNotRegular)
	}
	if _, err := io.CopyN(io.Discard, in, offset); err != nil {
		return fmt.Errorf("the archive of %s on %s: %w", f.info.Path, f.host, err)
	}
	f.data = in
	return nil
}

// checked ends a transfer. Where tail ends early, tar fills up with zeros, and says
// so on its standard error alone.
func (f *sshFile) checked() error {
	if f.data == f.out || f.over {
		return io.EOF
	}
	_, _ = io.Copy(io.Discard, f.out) // the archive's end
	f.over = true
	_ = f.cmd.Wait() // 1 where the file has grown meanwhile
	if said := f.said.String(); strings.Contains(said, "padding with zeros") {
		return fmt.Errorf("%s on %s: %s", f.info.Path, f.host, firstLine(strings.TrimSpace(said)))
	}
	return io.EOF
}
