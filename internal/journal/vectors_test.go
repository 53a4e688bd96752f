package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// vector is one example in docs/journal-format.md: a fenced block whose info
// string says what a reader must find in it.
type vector struct {
	name string
	want map[string]string
	text []byte
}

var fence = regexp.MustCompile("(?ms)^```vector ([^\n]*)\n(.*?)^```$")

func vectors(t *testing.T) []vector {
	t.Helper()
	doc, err := os.ReadFile("../../docs/journal-format.md")
	must(t, err)
	var out []vector
	for _, m := range fence.FindAllSubmatch(doc, -1) {
		v := vector{want: map[string]string{}, text: m[2]}
		for i, f := range strings.Fields(string(m[1])) {
			if i == 0 {
				v.name = f
				continue
			}
			k, val, ok := strings.Cut(f, "=")
			if !ok {
				t.Fatalf("vector %s: info %q is not key=value", v.name, f)
			}
			v.want[k] = val
		}
		if v.want["end"] == "open" { // a block cannot end without a newline
			v.text = bytes.TrimSuffix(v.text, []byte("\n"))
		}
		out = append(out, v)
	}
	return out
}

func TestVectorsOfTheDocument(t *testing.T) {
	vs := vectors(t)
	if len(vs) < 5 {
		t.Fatalf("%d vectors in the document, want at least 5", len(vs))
	}
	for _, v := range vs {
		t.Run(v.name, func(t *testing.T) {
			c, err := Fold(bytes.NewReader(v.text), v.name)
			if want := v.want["error"]; want != "" {
				if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), " ", "_"), want) {
					t.Fatalf("error %v, want %q", err, want)
				}
				return
			}
			must(t, err)
			got := map[string]string{
				"records": fmt.Sprint(c.Records), "dirty": fmt.Sprint(len(c.Dirty())),
				"notes": fmt.Sprint(len(c.Notes)), "closed": fmt.Sprint(c.Closed), "unknown": fmt.Sprint(len(c.UnknownKinds)),
			}
			var damage, states []string
			for _, d := range c.Damage {
				kind := "corrupt"
				if d.Torn {
					kind = "torn"
				}
				damage = append(damage, fmt.Sprintf("%s@%d+%d", kind, d.Offset, d.Bytes))
			}
			got["damage"] = strings.Join(damage, ",")
			for _, s := range c.Sessions {
				states = append(states, fmt.Sprintf("%d:%s", s.Session.SID, s.State))
			}
			got["states"] = strings.Join(states, ",")
			for k, want := range v.want {
				if k != "end" && got[k] != want {
					t.Errorf("%s: got %q, want %q", k, got[k], want)
				}
			}
			if v.want["notes"] == "" && len(c.Notes) != 0 {
				t.Errorf("notes: %v", c.Notes)
			}
		})
	}
}

// The writer must produce the bytes of the document: each record's data is
// read into the Go types and encoded again.
func TestWriterReproducesTheVectors(t *testing.T) {
	types := map[Kind]func() any{
		KindCampaign: func() any { return &Header{} }, KindInstance: func() any { return &Instance{} },
		KindRun: func() any { return &Run{} }, KindIntent: func() any { return &Intent{} },
		KindEvidence: func() any { return &Evidence{} }, KindOutcome: func() any { return &Outcome{} },
		KindObserved: func() any { return &Observed{} }, KindEnd: func() any { return &End{} },
		KindImport: func() any { return &Import{} }, KindResolve: func() any { return &Resolve{} },
		KindRepair: func() any { return &Repair{} }, KindClose: func() any { return &Close{} },
	}
	seen := map[Kind]bool{}
	for _, v := range vectors(t) {
		r := NewReader(bytes.NewReader(v.text))
		for r.Next() {
			rec := r.Record()
			mk := types[rec.Kind]
			if mk == nil {
				continue
			}
			seen[rec.Kind] = true
			data := mk()
			dec := json.NewDecoder(bytes.NewReader(rec.Data))
			dec.DisallowUnknownFields()
			if err := dec.Decode(data); err != nil {
				t.Errorf("%s, record %d: %v", v.name, rec.Seq, err)
				continue
			}
			line, _, err := encode(rec.Seq, rec.At, rec.Kind, data, rec.Prev)
			must(t, err)
			if want := v.text[rec.Offset : rec.Offset+int64(rec.Bytes)]; !bytes.Equal(line, want) {
				t.Errorf("%s, record %d:\n got %s want %s", v.name, rec.Seq, line, want)
			}
		}
	}
	for k := range types {
		if !seen[k] {
			t.Errorf("no vector has a record of kind %s", k)
		}
	}
}
