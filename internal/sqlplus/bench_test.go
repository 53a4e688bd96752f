//go:build unix

package sqlplus

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkCommands is commands a second through a conversation with a played
// sqlplus, beside the bare thing: the same framed lines to the same child, and
// reads until the second mark.
func BenchmarkCommands(b *testing.B) {
	b.Run("conversation", func(b *testing.B) {
		c := start(b, playOptions(b, transcript{}))
		for b.Loop() {
			if lines, err := c.Do(context.Background(), "oradebug setorapid 38"); err != nil || len(lines) != 1 {
				b.Fatal(lines, err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		o := playOptions(b, transcript{})
		cmd := exec.Command(o.Program)
		cmd.Env = o.Environ
		inR, in, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		out, outW, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		cmd.Stdin, cmd.Stdout = inR, outW
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		r := bufio.NewReaderSize(out, 64<<10)
		n := 0
		for b.Loop() {
			n++
			end := "~~E:0123456789abcdef:" + strconv.Itoa(n)
			if _, err := io.WriteString(in, "PROMPT ~~B:0123456789abcdef:"+strconv.Itoa(n)+"\noradebug setorapid 38\nPROMPT "+end+"\n"); err != nil {
				b.Fatal(err)
			}
			for {
				l, err := r.ReadString('\n')
				if err != nil {
					b.Fatal(err)
				}
				if strings.TrimRight(l, "\r\n") == end {
					break
				}
			}
		}
		for _, f := range []*os.File{in, inR, out, outW} {
			_ = f.Close()
		}
		_ = cmd.Wait()
	})
}

// BenchmarkDecode is the cost of one row of V$SESSION on our side.
func BenchmarkDecode(b *testing.B) {
	row := rowMark
	values := strings.Split("101,20001,,APP,app.example.com,JDBC Thin Client,OrderService,submit,,,appsrv01,oracle,INACTIVE,DEDICATED,USER,"+
		"2026-03-14 04:23:38,7h35uxf5uhmm1,,00000000A1B2C3D4,1,32,12,2856,2856,,,oracle@dbhost1,/u01/app/oracle/diag/rdbms/orcl/ORCL/trace/ORCL_ora_2856.trc,1", ",")
	for i, v := range values {
		if i > 0 {
			row += "|"
		}
		if v == "" {
			row += "-"
		} else {
			row += "+" + strconv.Itoa(len(v)) + ":" + guard(v)
		}
	}
	row += lastMark
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		if _, err := decodeRow(row, len(values), tags{"~d0 ", "~t0 ", "~z0 "}); err != nil {
			b.Fatal(err)
		}
	}
}
