package journal

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Damage is a stretch of the file that is no record, or a place where records
// are missing (Bytes is 0 then).
type Damage struct {
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of the damaged bytes; of nothing when Bytes is 0
	Reason string `json:"reason"`

	// Torn says that the stretch is one line without newline at the end of the
	// file: a write that a crash cut short. Its fsync never returned, so what
	// it announced was never begun, and it may be cut off. Everything else is
	// corruption, and needs a person.
	Torn bool `json:"torn,omitempty"`

	text []byte // what was torn off, kept for the repair record
}

// Reader reads records in order. It is a scanner: Next, Record, and at the end
// Err and Damage. Damaged bytes are skipped, noted and never lost; only an I/O
// error or a newer format stops it.
type Reader struct {
	br     *bufio.Reader
	rec    Record
	err    error
	offset int64

	lastSeq   Seq
	lastSum   string
	afterHole bool // the record before the next one is damaged
	any       bool // a record was seen
	midLine   bool // the piece before was the beginning of an overlong line

	hole     *Damage
	holeHash hash.Hash
	holeNL   bool // the hole holds a newline
	damage   []Damage
	repairs  []Repair
}

// NewReader returns a Reader over a journal from its first byte.
func NewReader(r io.Reader) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 64<<10)}
}

// Next advances to the next intact record.
func (r *Reader) Next() bool {
	if r.err != nil {
		return false
	}
	for {
		line, terminated, err := r.line()
		if err != nil && err != io.EOF {
			r.err = fmt.Errorf("read journal at byte %d: %w", r.offset, err)
			return false
		}
		if len(line) > 0 {
			ok := r.take(line, terminated)
			if r.err != nil {
				return false
			}
			if ok {
				return true
			}
		}
		if err == io.EOF {
			r.closeHole(true)
			return false
		}
	}
}

// Record returns the record that Next found.
func (r *Reader) Record() Record { return r.rec }

// Err returns the error that stopped the reader; nil at the end of the file.
func (r *Reader) Err() error { return r.err }

// Damage returns the stretches that are no records and that no repair record
// behind them accepts. It is complete when Next has returned false.
func (r *Reader) Damage() []Damage {
	var open []Damage
	for _, d := range r.damage {
		if !r.accepted(d) {
			open = append(open, d)
		}
	}
	return open
}

// Accepted returns the damage that a repair record accepts.
func (r *Reader) Accepted() []Damage {
	var out []Damage
	for _, d := range r.damage {
		if r.accepted(d) {
			out = append(out, d)
		}
	}
	return out
}

func (r *Reader) accepted(d Damage) bool {
	for _, rep := range r.repairs {
		if rep.What == RepairAccepted && rep.Offset == d.Offset && rep.Bytes == d.Bytes && rep.SHA256 == d.SHA256 {
			return true
		}
	}
	return false
}

// line returns the next line without its newline; of an overlong line, only
// its first MaxLine bytes and the fact that it is damage (see take).
func (r *Reader) line() (line []byte, terminated bool, err error) {
	for {
		part, err := r.br.ReadSlice('\n')
		if len(line) == 0 && err == nil {
			return append([]byte(nil), part...), true, nil
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err == nil, err
		}
		if len(line) > MaxLine {
			// Too long for a record: hand it out in pieces, all of them damage.
			return line, false, nil
		}
	}
}

// take judges one line (with its newline when terminated).
func (r *Reader) take(line []byte, terminated bool) bool {
	start := r.offset
	r.offset += int64(len(line))
	text := line
	if terminated {
		text = line[:len(line)-1]
	}
	rec, err := decode(text)
	if r.midLine || len(line) > MaxLine {
		err = fmt.Errorf("line is longer than %d bytes", MaxLine)
	}
	r.midLine = !terminated
	var ve *VersionError
	if errors.As(err, &ve) {
		ve.Offset = start
		r.err = ve
		return false
	}
	if err == nil && !terminated {
		// Complete but for its newline: the write was cut by its last byte.
		err = errors.New("line has no end")
	}
	if err == nil && r.any && rec.Seq <= r.lastSeq {
		err = fmt.Errorf("record %d stands behind record %d", rec.Seq, r.lastSeq)
	}
	if err != nil {
		r.damaged(start, line, terminated, err.Error())
		return false
	}
	r.closeHole(false)
	if !r.afterHole && rec.Prev != r.lastSum {
		r.damage = append(r.damage, Damage{
			Offset: start, SHA256: hex.EncodeToString(sha256.New().Sum(nil)),
			Reason: fmt.Sprintf("record %d does not follow record %d: lines are missing", rec.Seq, r.lastSeq),
		})
	}
	rec.Offset, rec.Bytes = start, len(line)
	r.rec, r.lastSeq, r.lastSum, r.any, r.afterHole = rec, rec.Seq, rec.Sum, true, false
	if rec.Kind == KindRepair {
		var rep Repair
		if err := rec.Decode(&rep); err == nil {
			r.repairs = append(r.repairs, rep)
		}
	}
	return true
}

func (r *Reader) damaged(start int64, line []byte, terminated bool, reason string) {
	if r.hole == nil {
		r.hole = &Damage{Offset: start, Reason: reason}
		r.holeHash, r.holeNL = sha256.New(), false
	}
	r.hole.Bytes += int64(len(line))
	r.holeHash.Write(line)
	r.holeNL = r.holeNL || terminated
	if len(r.hole.text)+len(line) <= MaxLine {
		r.hole.text = append(r.hole.text, line...)
	}
	r.afterHole = true
}

func (r *Reader) closeHole(eof bool) {
	if r.hole == nil {
		return
	}
	r.hole.SHA256 = hex.EncodeToString(r.holeHash.Sum(nil))
	r.hole.Torn = eof && !r.holeNL && r.hole.Bytes <= MaxLine
	if !r.hole.Torn {
		r.hole.text = nil
	}
	r.damage = append(r.damage, *r.hole)
	r.hole = nil
}
