package quantity

import (
	"testing"
	"time"

	"ringtrace/internal/exit"
)

func TestParseDuration(t *testing.T) {
	good := map[string]time.Duration{
		"90": 90 * time.Second, "0": 0, "1.5": 1500 * time.Millisecond, " 5 ": 5 * time.Second,
		"90s": 90 * time.Second, "1h30m": 90 * time.Minute, "250ms": 250 * time.Millisecond, "7d": 7 * 24 * time.Hour, "0.5d": 12 * time.Hour,
	}
	for text, want := range good {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "-5s", "-5", "x", "5x", "1e9", "0x10", "NaN", "Inf", "1d2h", "200000d", "99999999999999999999", "+5", ".", "1..2"} {
		got, err := ParseDuration(text)
		if exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "" {
			t.Errorf("ParseDuration(%q) = %v, %v; want an error with code 2 and a hint", text, got, err)
		}
	}
}

func TestDurationReadsBack(t *testing.T) {
	for _, d := range []time.Duration{0, time.Nanosecond, 250 * time.Millisecond, 90 * time.Second, time.Hour, 26*time.Hour + time.Second} {
		v := Duration(d)
		text := v.String()
		var back Duration
		if err := back.Set(text); err != nil || time.Duration(back) != d {
			t.Errorf("%v prints %q, which reads %v, %v", d, text, time.Duration(back), err)
		}
	}
	v := Duration(24 * time.Hour)
	if got := v.String(); got != "24h" {
		t.Errorf("a day prints %q", got)
	}
}

func TestParseSize(t *testing.T) {
	good := map[string]int64{
		"0": 0, "256000": 256000, "250k": 256000, "250K": 256000, "1m": 1 << 20, "3M": 3 << 20, " 7 ": 7, "2147483647": 2147483647,
	}
	for text, want := range good {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	bad := map[string]string{
		"250KB": "write 250k for 250 × 1024 bytes, or 250000 for thousands",
		"1MiB":  "write 1m for 1 × 1024² bytes, or 1000000 for millions",
		"5b":    "write 5 for bytes",
		"1g":    "the units are k (1024) and m (1024²); without one it is bytes",
		"":      "write a number of bytes: 256000, 250k or 1m",
		"k":     "write a number of bytes: 256000, 250k or 1m",
		"-5":    "write a number of bytes: 256000, 250k or 1m",
		"1.5m":  "the units are k (1024) and m (1024²); without one it is bytes",
		"1 k":   "the units are k (1024) and m (1024²); without one it is bytes",

		"9223372036854775807k": "write a number of bytes: 256000, 250k or 1m",
		"99999999999999999999": "write a number of bytes: 256000, 250k or 1m",
	}
	for text, hint := range bad {
		got, err := ParseSize(text)
		if exit.CodeOf(err) != exit.Usage || exit.HintOf(err) != hint {
			t.Errorf("ParseSize(%q) = %d, %v, hint %q; want code 2 and hint %q", text, got, err, exit.HintOf(err), hint)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"250KB", "1m", "90s", "7d", "-1", "1e9", "ümlaut"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseSize(text); n < 0 || err != nil && exit.HintOf(err) == "" {
			t.Errorf("ParseSize(%q) = %d, %v", text, n, err)
		}
		if d, err := ParseDuration(text); d < 0 || err != nil && exit.HintOf(err) == "" {
			t.Errorf("ParseDuration(%q) = %d, %v", text, d, err)
		}
	})
}
