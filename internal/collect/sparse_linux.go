package collect

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// extents lists where a sparse file has data. ok is false for a file without
// holes that are worth it, and where the file system does not tell.
func extents(f *os.File, info os.FileInfo) (out []extent, ok bool) {
	st, is := info.Sys().(*syscall.Stat_t)
	if !is || info.Size()-st.Blocks*512 < smallestHole {
		return nil, false
	}
	size := info.Size()
	for at := int64(0); at < size; {
		from, err := f.Seek(at, unix.SEEK_DATA)
		if errors.Is(err, syscall.ENXIO) { // nothing but a hole up to the end
			from = size
		} else if err != nil {
			return nil, false
		}
		to := size
		if from < size {
			if to, err = f.Seek(from, unix.SEEK_HOLE); err != nil || to <= from {
				return nil, false
			}
		}
		to = min(to, size) // it may grow meanwhile
		if from-at < smallestHole {
			from = at
		}
		if n := len(out); n > 0 && out[n-1].to == from {
			out[n-1].to = to
		} else if from < to {
			out = append(out, extent{from, to})
		}
		at = to
		if len(out) > 1<<16 {
			return nil, false // holes everywhere: as a plain file
		}
	}
	_, err := f.Seek(0, io.SeekStart)
	return out, err == nil
}
