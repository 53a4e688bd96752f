package control

import (
	"io"
	"time"

	"ringtrace/internal/sight"
)

// look reads a whole trace file. zone is that of stamps without one.
func look(r io.Reader, zone *time.Location) (sight.Found, error) {
	var all sight.Found
	scan := &sight.Scan{Zone: zone}
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			f := scan.Feed(buf[:n])
			all.Dumps = append(all.Dumps, f.Dumps...)
			all.Records += f.Records
			all.Finished += f.Finished
			all.Wrapped = all.Wrapped || f.Wrapped
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}
