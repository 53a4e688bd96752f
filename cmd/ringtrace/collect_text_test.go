package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ringtrace/internal/collect"
)

func TestProgressLine(t *testing.T) {
	got := progressLine(collect.Progress{Doing: "pack", File: "/u01/app/oracle/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_4711.trc", Done: 30 << 20, Total: 120 << 20}, 2*time.Second)
	if !strings.HasPrefix(got, "pack 30.0 MiB of 120.0 MiB, 15.0 MiB/s …") || !strings.HasSuffix(got, "SHOP1_ora_4711.trc") || utf8.RuneCountInString(got) > 79 {
		t.Errorf("%q", got)
	}
	if got := progressLine(collect.Progress{Doing: "find", File: "a\nb\x1b[2J"}, 0); got != `find a\nb\x1b[2J` {
		t.Errorf("%q", got)
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine("a\nb\tc\r\x07"); strings.ContainsAny(got, "\n\t\r\x07") {
		t.Errorf("%q", got)
	}
}
