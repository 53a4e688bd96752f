package report

import (
	"bytes"
	"testing"
)

func TestCSVKeepsWhatIsInFields(t *testing.T) {
	var b bytes.Buffer
	c := newCSVWriter(&b)
	c.row("a", "x\ny\r\nz\rq", `say "hi"`, "bad \xff", " lead", "")
	if err := c.flush(); err != nil {
		t.Fatal(err)
	}
	want := "a,\"x\ny\r\nz\rq\",\"say \"\"hi\"\"\",bad \uFFFD,\" lead\",\r\n"
	if b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
}
