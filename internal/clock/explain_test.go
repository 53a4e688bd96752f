package clock

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func pasted(t *testing.T, text string) *Pasted {
	t.Helper()
	p, err := ReadPasted("paste.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReadPastedOfEveryVersion(t *testing.T) {
	for _, c := range []struct {
		name, text, layout string
		average, typical   float64
		by                 string
		grade              Grade
	}{
		{
			"9.2, the manual's example, rows descending",
			"Testing timing overhead for 3 seconds.\nPer loop time including overhead: 35.96 nsec\nHistogram of timing durations:\n" +
				"< usec:      count   percent\n    16:          2  0.00000%\n     8:         13  0.00002%\n     4:        126  0.00015%\n     2:    2999652  3.59518%\n     1:   80435604 96.40465%\n",
			layout92, 35.96, 35.9518, "crossings", Good,
		},
		{
			"9.4, ascending",
			"Per loop time including overhead: 35.96 nsec\nHistogram of timing durations:\n< usec   % of total      count\n     1     96.40465   80435604\n     2      3.59518    2999652\n     4      0.00015        126\n     8      0.00002         13\n    16      0.00000          2\n",
			layout9x, 35.96, 35.9518, "crossings", Good,
		},
		{
			"15 of a busy host",
			"Testing timing overhead for 1 second.\nPer loop time including overhead: 87.91 ns\nHistogram of timing durations:\n  < us   % of total      count\n     1     96.86424   11109152\n     2      3.13051     359032\n  8192      0.00525        602\n",
			layout1018, 87.91, 1000 * 359032.0 / (11109152 + 359032 + 602), "crossings", Good,
		},
		{
			"acpi_pm: above what crossings tell",
			"Per loop time including overhead: 722.92 ns\nHistogram of timing durations:\n  < us   % of total      count\n     1     27.84870    1155682\n     2     72.05956    2990371\n     4      0.07810       3241\n",
			layout1018, 722.92, 722.92, "average", Bad,
		},
		{
			"19 with a German locale and Windows line ends",
			"Testing timing overhead for 3 seconds.\r\nSystem clock source: clock_gettime (CLOCK_MONOTONIC)\r\nAverage loop time including overhead: 16,42 ns\r\nHistogram of timing durations:\r\n   <= ns   % of total  running %      count\r\n       0       0,0000     0,0000          0\r\n" +
				"      15       4,0000     4,0000         40\r\n      31      96,0000   100,0000        960\r\n\r\nObserved timing durations up to 99,9900%:\r\n      ns   % of total  running %      count\r\n      15       4,0000     4,0000         40\r\n      16      50,0000    54,0000        500\r\n      17      46,0000   100,0000        460\r\n",
			layout19, 16.42, 15.5 + 460.0/500, "median of exact durations", Good,
		},
		{
			"19 without the exact part",
			"Average loop time including overhead: 40 ns\n   <= ns   % of total  running %      count\n       0  0 0 0\n      31       50    50         50\n      63       50   100         50\n",
			layout19, 40, 31.5, "median of bins (to within a factor of 2)", Good,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pasted(t, c.text)
			if p.Layout != c.layout || deref(p.AverageNS) != c.average || math.Abs(deref(p.TypicalNS)-c.typical) > 1e-3 || p.Estimator != c.by || p.Grade != c.grade {
				t.Errorf("%s, average %v, typical %v by %s, grade %s; want %s %v %v %s %s", p.Layout, deref(p.AverageNS), deref(p.TypicalNS), p.Estimator, p.Grade, c.layout, c.average, c.typical, c.by, c.grade)
			}
			var out bytes.Buffer
			if err := p.WriteText(&out); err != nil || !strings.Contains(out.String(), c.layout) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

func TestPastedAdvice(t *testing.T) {
	p := pasted(t, "Per loop time including overhead: 87.91 ns\n  < us   % of total      count\n     1     96.86424   11109152\n     2      3.13051     359032\n")
	if a := strings.Join(p.Advice, "\n"); !strings.Contains(a, "average is 2.8 times the typical reading") {
		t.Errorf("advice %q", a)
	}
	for text, ns := range map[string]float64{
		"Detected clock going backwards in time.\nTime warp: -5 us\n": -5000,
		"Detected clock going backwards in time.\nTime warp: -5 ms\n": -5000, // microseconds, mislabelled
		"Time warp: -7 ns\n":           -7,
		"Time warp: -3 microseconds\n": -3000,
	} {
		p := pasted(t, text)
		if p.Backwards == nil || *p.Backwards != ns || !strings.Contains(strings.Join(p.Advice, "\n"), "time ran backwards") {
			t.Errorf("%q: %v, %q", text, p.Backwards, p.Advice)
		}
	}
}

func TestReadPastedRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":      "no histogram of pg_test_timing in 0 lines",
		"hello": "no histogram of pg_test_timing in 1 lines",
		"  < us   % of total      count\n     1     96.86424\n":                                                "paste.txt:2: 2 columns, expected 3",
		"  < us   % of total      count\n     1     96.8   x17\n":                                              `paste.txt:2: "x17" is no count`,
		"  < us   % of total      count\n     1     9   18446744073709551615\n     2   1 1\n":                  "paste.txt:3: the counts do not fit 64 bits",
		"Per loop time including overhead: 1.2.3 ns\n":                                                         `paste.txt:1: "1.2.3" is no number`,
		"Per loop time including overhead: 1 ns\n < us % count\n1 1 1\nPer loop time including overhead: 2 ns": "paste.txt:4: a second output begins here",
	} {
		_, err := ReadPasted("paste.txt", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) || exit.HintOf(err) == "" {
			t.Errorf("%q: %v, want %q with a hint", text, err, want)
		}
	}
}

// TestReadPastedOfPowerShell: UTF-16 of either order reads as its text does.
func TestReadPastedOfPowerShell(t *testing.T) {
	const text = "Per loop time including overhead: 87.91 ns\r\n  < us   % of total      count\r\n     1     96.86424   11109152\r\n     2      3.13051     359032\r\n"
	want := pasted(t, text)
	for _, big := range []bool{false, true} {
		b := []byte{0xff, 0xfe}
		if big {
			b = []byte{0xfe, 0xff}
		}
		for i := range len(text) {
			if big {
				b = append(b, 0, text[i])
			} else {
				b = append(b, text[i], 0)
			}
		}
		p, err := ReadPasted("p", bytes.NewReader(append(b, 0x0a))) // and half a character
		if err != nil || p.Loops != want.Loops || p.Layout != want.Layout || *p.TypicalNS != *want.TypicalNS {
			t.Errorf("%+v, %v; want %+v", p, err, want)
		}
	}
	long := "Histogram of timing durations:\n" + strings.Repeat("x", 2<<20)
	if _, err := ReadPasted("p", strings.NewReader(long)); err == nil || !strings.Contains(err.Error(), "p:2: a line of more than 1 MB") || exit.HintOf(err) == "" {
		t.Errorf("a long line: %v", err)
	}
}

func FuzzReadPasted(f *testing.F) {
	f.Add("Per loop time including overhead: 35.96 nsec\n< usec:      count   percent\n     1:   80435604 96.40465%\n")
	f.Add("   <= ns   % of total  running %      count\n       0       0,0000     0,0000          0\nObserved timing durations up to 99%:\n ns x\n15 1 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadPasted("f", strings.NewReader(text))
		if err != nil {
			return
		}
		var sum uint64
		for _, r := range p.Rows {
			sum += r.Count
		}
		if sum != p.Loops || p.TypicalNS != nil && !(*p.TypicalNS >= -1) {
			t.Errorf("%+v", p)
		}
		if err := p.WriteText(&bytes.Buffer{}); err != nil {
			t.Error(err)
		}
	})
}

// TestProblemK08_PastedOutputOfACoarseClock: a clock that stands still for 4 ms shows
// 0 nearly always, which is no low cost; one of whole microseconds still tells.
func TestProblemK08_PastedOutputOfACoarseClock(t *testing.T) {
	const head = "Average loop time including overhead: 12.00 ns\nHistogram of timing durations:\n"
	for name, c := range map[string]struct {
		text    string
		coarse  bool
		typical float64 // -1: none
		step    string
	}{
		"19, 4 ms":            {head + "   <= ns   % of total  running %      count\n       0      99.9997    99.9997  249999250\n 4194303       0.0003   100.0000        750\n\nObserved timing durations up to 99.9900%:\n      ns   % of total  running %      count\n       0      99.9997    99.9997  249999250\n...\n 4000000       0.0003   100.0000        750\n", true, -1, "4.00 ms"},
		"19, no exact ones":   {head + "   <= ns   % of total  running %      count\n       0      99.9997    99.9997  249999250\n 4194303       0.0003   100.0000        750\n", true, -1, "2.10 ms"},
		"19, never":           {head + "   <= ns   % of total  running %      count\n       0      100.0000   100.0000  250000000\n", true, -1, "no step was seen"},
		"19, microseconds":    {head + "   <= ns   % of total  running %      count\n       0      97.4    97.4  974000\n    1023       2.6   100.0000        26000\n\nObserved timing durations up to 99.9900%:\n      ns   % of total  running %      count\n       0      97.4 97.4 974000\n    1000       2.6 100 26000\n", false, 26, ""},
		"10 to 18, 4 ms":      {"Per loop time including overhead: 12.00 ns\n  < us   % of total      count\n     1     99.99970  249999250\n  4096      0.00030        750\n", true, -1, "2.05 ms"},
		"9.2, 10 ms":          {"Per loop time including overhead: 12.00 nsec\n   < usec:      count   percent\n     16384:        300  0.00012%\n         1:  249999700 99.99988%\n", true, -1, "8.19 ms"},
		"10 to 18, busy host": {"Per loop time including overhead: 30.00 ns\n  < us   % of total      count\n     1     97.40000  974000\n     2      2.60000  26000\n  4096      0.00030        3\n", false, 25.999922, ""},
	} {
		p := pasted(t, c.text)
		advice := strings.Join(p.Advice, "\n")
		if p.Coarse != c.coarse || (p.TypicalNS == nil) != (c.typical < 0) || math.Abs(deref(p.TypicalNS)-max(c.typical, 0)) > 1e-3 {
			t.Errorf("%s: coarse %v, typical %v; want %v, %v", name, p.Coarse, deref(p.TypicalNS), c.coarse, c.typical)
		}
		if c.coarse && (p.Grade != Bad || !strings.Contains(advice, "resolution too coarse") || !strings.Contains(advice, c.step)) {
			t.Errorf("%s: grade %s, advice %q", name, p.Grade, advice)
		}
	}
}

// TestPastedSources: 19 measures one clock source after the other.
func TestPastedSources(t *testing.T) {
	section := func(source string, ns int) string {
		return fmt.Sprintf("%s\nAverage loop time including overhead: %d.40 ns\nHistogram of timing durations:\n   <= ns   %% of total  running %%      count\n      31     100.0000   100.0000  1000\n\n"+
			"Observed timing durations up to 99.9900%%:\n      ns   %% of total  running %%      count\n      %d      99.9    99.9  999\n...\n   38051       0.1   100.0000          1\n\n", source, ns, ns)
	}
	p := pasted(t, "Testing timing overhead for 3 seconds.\n"+section("System clock source: clock_gettime (CLOCK_MONOTONIC)", 26)+section("Clock source: RDTSCP", 24)+
		section("Fast clock source: RDTSC", 12)+"TSC frequency in use: 2300000 kHz\nTSC clock source will be used by default, unless timing_clock_source is set to 'system'.\n")
	if p.Source == nil || *p.Source != "clock_gettime (CLOCK_MONOTONIC)" || len(p.Others) != 2 || math.Abs(deref(p.TypicalNS)-26) > 0.1 {
		t.Fatalf("%+v", p)
	}
	for i, want := range []float64{24, 12} {
		if o := p.Others[i]; math.Abs(deref(o.TypicalNS)-want) > 0.1 || o.Loops != 1000 || o.Grade != Good {
			t.Errorf("%+v, want %v ns", o, want)
		}
	}
	var out bytes.Buffer
	if err := p.WriteText(&out); err != nil || strings.Count(out.String(), "Typical reading") != 3 || !strings.Contains(out.String(), "RDTSCP") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
