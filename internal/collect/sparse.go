package collect

import (
	"fmt"
	"io"
	"os"
)

// A trace that was truncated while its process held it open goes on where it
// was: what is before that is a hole, which takes no space on the disk and can
// have any length. It is not read. holeMark zero bytes stand for it, so that
// lines do not grow together.
const (
	smallestHole = 1 << 20
	holeMark     = 512
)

// extent is a part of a file that is not a hole.
type extent struct{ from, to int64 }

// sparseFile is a file without its holes.
type sparseFile struct {
	f     *os.File
	info  Info
	parts []io.Reader
}

// withoutHoles makes one of a file whose data is known.
func withoutHoles(f *os.File, info Info, list []extent) *sparseFile {
	s := &sparseFile{f: f, info: info}
	at, size := int64(0), int64(0)
	hole := func(to int64) {
		if to > at {
			s.parts = append(s.parts, io.LimitReader(zeros{}, holeMark))
			s.info.Holes += to - at - holeMark
			size += holeMark
		}
	}
	for _, e := range list {
		hole(e.from)
		s.parts = append(s.parts, io.NewSectionReader(f, e.from, e.to-e.from))
		size += e.to - e.from
		at = e.to
	}
	hole(info.Size)
	s.info.Size = size
	return s
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Info implements File.
func (s *sparseFile) Info() Info { return s.info }

// Close implements File.
func (s *sparseFile) Close() error { return s.f.Close() }

// Read gives the data, and a mark for each hole.
func (s *sparseFile) Read(p []byte) (int, error) {
	for len(s.parts) > 0 {
		n, err := s.parts[0].Read(p)
		if err == io.EOF { //nolint:errorlint // what the readers above return
			s.parts = s.parts[1:]
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.EOF
}

// holesNote says what was left out.
func holesNote(n int64) string {
	return fmt.Sprintf("it has holes, as a file that was truncated while its process wrote on: %d bytes that were never written are left out, %d zero bytes stand for each hole", n, holeMark)
}
