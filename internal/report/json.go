package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"ringtrace/internal/jsontext"
)

// WriteJSON writes the one document of `report -o json`. It is written element
// by element: encoding/json would hold the whole of it twice, which for a trace
// of thousands of statements is more than the analysis itself takes.
func (m *Model) WriteJSON(w io.Writer) error {
	j := jsonWriter{out: bufio.NewWriterSize(w, 64<<10)}
	v := reflect.ValueOf(m).Elem()
	sep := "{\n"
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		j.text(sep + "  \"" + name + "\": ")
		j.member(v.Field(i))
		sep = ",\n"
	}
	j.text("\n}\n")
	if j.err == nil {
		j.err = j.out.Flush()
	}
	if j.err != nil {
		return fmt.Errorf("write JSON: %w", j.err)
	}
	return nil
}

// jsonWriter writes what json.Encoder would with an indent of two blanks.
type jsonWriter struct {
	out *bufio.Writer
	buf bytes.Buffer
	err error
}

func (j *jsonWriter) text(s string) {
	if j.err == nil {
		_, j.err = j.out.WriteString(s)
	}
}

// member writes a member of the document, a list element by element.
func (j *jsonWriter) member(v reflect.Value) {
	if v.Kind() != reflect.Slice || v.Len() == 0 {
		j.value(v, "  ")
		return
	}
	sep := "[\n    "
	for i := range v.Len() {
		j.text(sep)
		j.value(v.Index(i).Addr(), "    ")
		sep = ",\n    "
	}
	j.text("\n  ]")
}

func (j *jsonWriter) value(v reflect.Value, prefix string) {
	if j.err != nil {
		return
	}
	j.buf.Reset()
	enc := json.NewEncoder(&j.buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if j.err = enc.Encode(v.Interface()); j.err == nil {
		_, j.err = j.out.Write(jsontext.Escape(bytes.TrimSuffix(j.buf.Bytes(), []byte{'\n'})))
	}
}
