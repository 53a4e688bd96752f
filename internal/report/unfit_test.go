package report

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

const soundTrace = "EXEC #1:c=1,e=2,p=0,cr=3,cu=0,mis=0,r=0,dep=0,og=1,plh=9,tim=1000\n"

func gz(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func wide(s string, big bool) (out []byte) {
	for _, c := range []byte(s) {
		if big {
			out = append(out, 0, c)
		} else {
			out = append(out, c, 0)
		}
	}
	return out
}

// TestUnfitForms: what cannot be read says why, and what to do.
func TestUnfitForms(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"plain":               {[]byte(soundTrace), ""},
		"gz":                  {gz([]byte(soundTrace)), ""},
		"nul":                 {append(make([]byte, 40), soundTrace...), ""},
		"gz of gz":            {gz(gz([]byte(soundTrace))), "compressed twice"},
		"utf-16 with mark":    {append([]byte{0xff, 0xfe}, wide(soundTrace, false)...), "UTF-16"},
		"utf-16 big, mark":    {append([]byte{0xfe, 0xff}, wide(soundTrace, true)...), "UTF-16"},
		"utf-16 without mark": {wide(soundTrace, false), "iconv"},
		"utf-16 in gz":        {gz(wide(soundTrace, true)), "UTF-16"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.trc")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := Load(context.Background(), Input{Paths: []string{path}}, tracefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if l.Failed != 0 || l.Read != 1 {
					t.Errorf("not read: %v", l.Errors)
				}
				return
			}
			if l.Failed != 1 || !errors.Is(l.Errors[0], ErrUnfit) || !strings.Contains(l.Errors[0].Error(), c.want) {
				t.Errorf("%d failed: %v", l.Failed, l.Errors)
			}
		})
	}
}

// TestDamagedNumbersAreShown: a negative error number and bind position look
// like what stands in the trace, not like a name of Oracle.
func TestDamagedNumbersAreShown(t *testing.T) {
	if got := oraName(int64(-1)) + " " + oraName(1555) + " " + bindName(-1) + " " + bindName(0); got != "error -1 ORA-01555 Bind#-1 :1" {
		t.Error(got)
	}
	text := "BINDS #1:\n Bind#-1\n  oacdty=01 mxl=32(05) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=05 fl2=1000000 frm=01 csi=873 siz=32 off=0\n  kxsbbbfp=7f  bln=32  avl=05  flg=05\n  value=\"hello\"\n" +
		soundTrace + "ERROR #1:err=-1 tim=1001\n"
	path := filepath.Join(t.TempDir(), "x.trc")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Load(context.Background(), Input{Paths: []string{path}}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := Build(l.Profile, Options{Top: 5})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error { return m.WriteText(b, 120) },
		"html": func(b *bytes.Buffer) error { return m.WriteHTML(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"ORA--", ":4294967296"} {
			if strings.Contains(b.String(), bad) {
				t.Errorf("%s shows %s", name, bad)
			}
		}
		if !strings.Contains(b.String(), "error -1") || !strings.Contains(b.String(), "Bind#-1") {
			t.Errorf("%s does not show what stands in the trace:\n%.2000s", name, b.String())
		}
	}
}
