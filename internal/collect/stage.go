package collect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// stageFile is what lies beside a copy, so that an interrupted one goes on
// where it broke.
type stageFile struct {
	Source string `json:"source"`
	Inst   int    `json:"inst_id"`
	Path   string `json:"path"`
	ID     string `json:"id"`
}

// stage copies a file from a source that is not direct. What an earlier run
// copied of the same file is kept. The copy is good as far as it goes also
// when the error is not nil.
func (r *run) stage(ctx context.Context, it *item, src Source) error {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d\x00%s", src.Name(), it.inst, it.path)))
	place := filepath.Join(r.opt.Stage, hex.EncodeToString(sum[:12]))
	out, err := os.OpenFile(place, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	var before stageFile
	if text, err := os.ReadFile(place + ".json"); err != nil || json.Unmarshal(text, &before) != nil {
		before = stageFile{}
	}
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if before.ID == "" || before.Path != it.path {
		have = 0
	}
	f, err := src.Open(ctx, it.inst, it.path, have)
	if err == nil && have > 0 && (f.Info().ID != before.ID || f.Info().Size < have) {
		err = errors.Join(errors.ErrUnsupported, f.Close()) // another file has the name now
	}
	if errors.Is(err, errors.ErrUnsupported) && have > 0 {
		have = 0
		f, err = src.Open(ctx, it.inst, it.path, 0)
	}
	if err != nil {
		if have == 0 {
			_ = os.Remove(place)
		}
		return err
	}
	defer f.Close()
	it.src, it.info, it.staged = src, f.Info(), place
	if have > 0 {
		it.note("an earlier run had copied %d bytes", have)
	}
	if err := r.copy(ctx, it, out, f, have); err != nil {
		note, jerr := json.Marshal(stageFile{src.Name(), it.inst, it.path, f.Info().ID})
		return errors.Join(err, jerr, os.WriteFile(place+".json", note, 0o600))
	}
	if c, ok := src.(checker); ok {
		note, err := c.Check(ctx, it.inst, it.path, out)
		if err != nil {
			it.note("it could not be read a second time to compare: %s", firstLine(err.Error()))
		}
		if note != "" {
			it.note("%s", note)
		}
	}
	size, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	it.info.Size, it.whole = size, true
	note, err := json.Marshal(stageFile{src.Name(), it.inst, it.path, f.Info().ID})
	if err != nil {
		return err
	}
	return os.WriteFile(place+".json", note, 0o600)
}

func (r *run) copy(ctx context.Context, it *item, out *os.File, f io.Reader, have int64) error {
	if err := out.Truncate(have); err != nil {
		return err
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		return err
	}
	n, err := io.CopyBuffer(&holeWriter{out}, &counting{ctx, f, r, it}, make([]byte, 256<<10))
	it.info.Size = have + n
	return errors.Join(err, out.Truncate(have+n))
}

// holeWriter makes holes of zero bytes, so that the copy of a sparse file takes
// no more of the disk than the file.
type holeWriter struct{ f *os.File }

// Write implements io.Writer.
func (w *holeWriter) Write(p []byte) (int, error) {
	if len(p) >= 4096 && p[0] == 0 && len(bytes.TrimLeft(p, "\x00")) == 0 {
		_, err := w.f.Seek(int64(len(p)), io.SeekCurrent)
		return len(p), err
	}
	return w.f.Write(p)
}

// openStaged opens a copy, without its holes.
func openStaged(place string) (File, error) {
	f, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	return opened(f, place, 0)
}

// counting tells of the progress, and stops when the run is interrupted.
type counting struct {
	ctx context.Context
	r   io.Reader
	run *run
	it  *item
}

func (c *counting) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.run.tell("", c.it.path, int64(n))
	return n, err
}

func (r *run) tell(doing, file string, bytes int64) {
	if doing != "" && doing != r.progress.Doing {
		r.progress = Progress{Doing: doing}
	}
	r.progress.File = file
	r.progress.Done += bytes
	if r.opt.Progress != nil {
		r.opt.Progress(r.progress)
	}
}
