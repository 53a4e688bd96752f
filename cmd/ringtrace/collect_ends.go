package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"ringtrace/internal/quantity"
)

// readEnds reads a text whole or, if it has more than limit bytes, its first
// and last lines, half of the limit each, with a line between them that says
// what is missing. left counts the bytes left out. Both ends of a long log
// matter: how the run was set up, and how it ended.
func readEnds(path string, limit int64) (text []byte, left int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is no regular file")
	}
	size := info.Size()
	if size <= limit {
		text, err = io.ReadAll(io.LimitReader(f, size)) // what is written meanwhile is not of this moment
		return text, 0, err
	}
	half := limit / 2
	head, tail := make([]byte, half), make([]byte, half)
	for b, at := range map[*[]byte]int64{&head: 0, &tail: size - half} {
		n, err := f.ReadAt(*b, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
		*b = (*b)[:n]
	}
	// Whole lines alone: half a value is not known for one when values are taken out.
	head = head[:bytes.LastIndexByte(head, '\n')+1]
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	} else {
		tail = nil
	}
	left = size - int64(len(head)) - int64(len(tail))
	mark := fmt.Sprintf("# ringtrace: %d bytes are left out here, from byte %d on, of %d in all\n", left, len(head), size)
	return append(append(head, mark...), tail...), left, nil
}

// middleNote says of a document that it is not whole.
func middleNote(what string, left, limit int64) string {
	return fmt.Sprintf("%s has more than %s: %s in its middle are left out, a line says where; the file itself has all", what, quantity.Bytes(limit), quantity.Bytes(left))
}
