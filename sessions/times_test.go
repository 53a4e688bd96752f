package sessions

import (
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestParseTime(t *testing.T) {
	for in, want := range map[string]string{
		"2026-11-30T03:04:05Z":            "2026-11-30T03:04:05Z",
		"2026-11-30T03:04:05+02:00":       "2026-11-30T03:04:05+02:00",
		"2026-11-30T03:04:05.123456Z":     "2026-11-30T03:04:05.123456Z",
		"2026-11-30 03:04:05":             "2026-11-30T03:04:05Z",
		" 2026-11-30 03:04:05 ":           "2026-11-30T03:04:05Z",
		"2026-11-30T03:04:05":             "2026-11-30T03:04:05Z",
		"2026-11-30 03:04:05 +01:00":      "2026-11-30T03:04:05+01:00",
		"2026/11/30 03:04:05":             "2026-11-30T03:04:05Z",
		"30-NOV-2026 03:04:05":            "2026-11-30T03:04:05Z",
		"30-nov-26 03:04:05":              "2026-11-30T03:04:05Z",
		"3-NOV-26 03:04:05":               "2026-11-03T03:04:05Z",
		"30-NOV-49 03:04:05":              "2049-11-30T03:04:05Z",
		"30-NOV-50 03:04:05":              "1950-11-30T03:04:05Z",
		"30-NOV-26 03.04.05.000000 PM":    "2026-11-30T15:04:05Z",
		"30-NOV-26 03.04.05.000000000 am": "2026-11-30T03:04:05Z",
		"30.11.2026 03:04:05":             "2026-11-30T03:04:05Z",
	} {
		got, err := ParseTime(in)
		if err != nil || timeText(got) != want {
			t.Errorf("%q: %s, %v; want %s", in, timeText(got), err, want)
		}
	}
	for in, want := range map[string]string{
		"01/02/2026 03:04:05":  "day first or month first",
		"30/11/2026 03:04:05":  "day first or month first",
		"01-02-2026 03:04:05":  "day first or month first",
		"30-NOV-26":            "no time of day",
		"2026-11-30":           "no time of day",
		"30.11.2026":           "no time of day",
		"30-DÉC-2026 03:04:05": "is not a time",
		"yesterday":            "is not a time",
		"2026-13-30 03:04:05":  "is not a time",
		"1764471845":           "is not a time",
		"45991.127835":         "is not a time", // a spreadsheet's own number
	} {
		_, err := ParseTime(in)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(exit.HintOf(err), "to_char") {
			t.Errorf("%q: %v; want %s", in, err, want)
		}
	}
}
