package tracefile_test

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"testing"
)

var timRE = regexp.MustCompile(`tim=(\d+)`)

// repeated is a trace of any size: a real one over and over, each time with its
// times behind those before. The header comes once.
type repeated struct {
	data  []byte
	times [][2]int // where a time stands in data
	value []int64
	body  int   // where the first record stands
	step  int64 // us from one copy to the next
	from  int   // of the present copy: what of data it holds
	n     int64 // copies so far
	left  int64 // bytes still to be made; the last copy is whole
	block []byte
	rest  []byte // of block, unread
	size  int64
}

func newRepeated(tb testing.TB, data []byte, size int64) *repeated {
	tb.Helper()
	r := &repeated{data: data, left: size, body: bytes.Index(data, []byte("\nWAIT #")) + 1}
	first, last := int64(0), int64(0)
	for _, m := range timRE.FindAllSubmatchIndex(data, -1) {
		t, err := strconv.ParseInt(string(data[m[2]:m[3]]), 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		if first == 0 {
			first = t
		}
		last = max(last, t)
		r.times, r.value = append(r.times, [2]int{m[2], m[3]}), append(r.value, t)
	}
	if r.body == 0 || len(r.times) == 0 {
		tb.Fatal("no trace to repeat")
	}
	r.step = last - first + 1_000_000
	return r
}

// Read makes the next copy when the one before has been read.
func (r *repeated) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.left <= 0 {
			return 0, io.EOF
		}
		r.copy()
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *repeated) copy() {
	p := r.from
	r.block = r.block[:0]
	for i, at := range r.times {
		if at[0] < r.from {
			continue
		}
		r.block = append(r.block, r.data[p:at[0]]...)
		r.block = strconv.AppendInt(r.block, r.value[i]+r.n*r.step, 10)
		p = at[1]
	}
	r.block = append(r.block, r.data[p:]...)
	r.rest, r.from = r.block, r.body
	r.left -= int64(len(r.block))
	r.size += int64(len(r.block))
	r.n++
}
