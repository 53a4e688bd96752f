package ocid

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"ringtrace/internal/sim/engine"
)

// The operations of the shim (shim/types.h).
const (
	opConnect = iota + 1
	opExec
	opFetch
	opClose
	opPing
	opCommit
	opRollback
	opLogoff
	opBreak
)

// The tags of a value on the wire.
const (
	tagNull = iota
	tagText
	tagNumber
	tagDate
	tagRaw
)

// reader takes a frame's body apart; broken is set when it was too short.
type reader struct {
	b      []byte
	broken bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.broken, r.b = true, nil
		return nil
	}
	x := r.b[:n]
	r.b = r.b[n:]
	return x
}

func (r *reader) u8() byte {
	if x := r.take(1); x != nil {
		return x[0]
	}
	return 0
}

func (r *reader) u32() uint32 {
	if x := r.take(4); x != nil {
		return binary.LittleEndian.Uint32(x)
	}
	return 0
}

func (r *reader) text() string { return string(r.take(int(r.u32()))) }

// bind reads one bind value.
func (r *reader) bind() engine.Bind {
	r.u32() // position; binds come in order
	b := engine.Bind{Name: r.text()}
	switch r.u8() {
	case tagText:
		b.Value = r.text()
	case tagNumber:
		t := r.text()
		if n, err := strconv.ParseInt(t, 10, 64); err == nil {
			b.Value = n
		} else if f, err := strconv.ParseFloat(t, 64); err == nil {
			b.Value = f
		} else {
			r.broken = true
		}
	case tagDate:
		d := r.take(11)
		if d == nil {
			return b
		}
		b.Value = time.Date(int(int16(binary.LittleEndian.Uint16(d))), time.Month(d[2]), int(d[3]), int(d[4]), int(d[5]), int(d[6]),
			int(binary.LittleEndian.Uint32(d[7:])), time.UTC)
	case tagRaw:
		b.Value = []byte(r.text())
	}
	return b
}

type writer struct{ b []byte }

func (w *writer) u8(v byte)    { w.b = append(w.b, v) }
func (w *writer) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }
func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }
func (w *writer) text(s string) {
	w.u32(uint32(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) tagged(tag byte, s string) {
	w.u8(tag)
	w.text(s)
}

// value writes one column of a row.
func (w *writer) value(v any, kind engine.Kind) {
	switch x := v.(type) {
	case nil:
		w.u8(tagNull)
	case int64:
		w.tagged(tagNumber, strconv.FormatInt(x, 10))
	case float64:
		w.tagged(tagNumber, strconv.FormatFloat(x, 'f', -1, 64))
	case []byte:
		w.tagged(tagRaw, string(x))
	case time.Time:
		w.u8(tagDate)
		w.u16(uint16(x.Year()))
		for _, n := range []int{int(x.Month()), x.Day(), x.Hour(), x.Minute(), x.Second()} {
			w.u8(byte(n))
		}
		w.u32(uint32(x.Nanosecond()))
	case string:
		tag := byte(tagText)
		if kind == engine.Number {
			tag = tagNumber
		}
		w.tagged(tag, x)
	default:
		w.tagged(tagText, fmt.Sprint(x))
	}
}

// columns describes a result set.
func (w *writer) columns(cs []engine.Column) {
	w.u32(uint32(len(cs)))
	for _, c := range cs {
		w.text(c.Name)
		w.u16(uint16(c.Kind))
		w.u16(uint16(min(c.Size, 32767)))
		w.u16(uint16(c.Prec))
		w.u8(byte(c.Scale))
		w.u8(1) // may be NULL
	}
}
