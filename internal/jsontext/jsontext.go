// Package jsontext makes JSON harmless for the terminal it may be shown on.
package jsontext

import (
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns valid JSON with every character that could steer a terminal
// or reorder its text (DEL, C1 controls, bidirectional and other format
// characters) as \u escapes: the same document, in letters that only show.
// encoding/json escapes C0 alone. b is returned as it is where nothing needs it.
func Escape(b []byte) []byte {
	first := 0
	for first < len(b) && b[first] < 0x7f {
		first++
	}
	if first == len(b) {
		return b
	}
	var out []byte
	from := 0 // what is before it has been copied
	for i := first; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			out = appendRune(append(out, b[from:i]...), r)
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}

func appendRune(out []byte, r rune) []byte {
	units := []uint16{uint16(r)}
	if r > 0xffff {
		hi, lo := utf16.EncodeRune(r)
		units = []uint16{uint16(hi), uint16(lo)}
	}
	const hex = "0123456789abcdef"
	for _, u := range units {
		out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	return out
}

// Writer returns a writer that escapes what is written to w. Each Write must
// end between two characters, as those of json.Encoder do.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ w io.Writer }

func (e writer) Write(p []byte) (int, error) {
	if _, err := e.w.Write(Escape(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
